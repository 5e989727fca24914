import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { newCertificate } from '../support/certificate.ts';
import { serve, settings } from '../support/cli.ts';
import { freePort } from '../support/nginx.ts';
import { root } from '../support/packed.ts';
import { checkProxy } from './proxied.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

async function start(t: Scope) {
  const folder = await temporaryFolder(t);
  const env = { ...settings, TRUSTED_PROXIES: '127.0.0.1', METRICS: 'true' };
  const service = await serve(t, folder, env);
  const { cert, key } = await newCertificate();
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  return { folder, service, port: await freePort() };
}

/** A file of `deploy/`, with other words in place of some of its own. */
async function adapt(
  name: string,
  changes: readonly (readonly [from: string, to: string])[],
): Promise<string> {
  let text = await readFile(join(root, 'deploy', name), 'utf8');
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), from);
    text = text.replaceAll(from, to);
  }
  return text;
}

const skip =
  spawnSync('caddy', ['version']).status !== 0 && 'there is no caddy: install the package caddy to run this';

test('deploy/Caddyfile serves the catalogue over HTTPS', { skip }, async (t) => {
  const { folder, service, port } = await start(t);
  const site = await adapt('Caddyfile', [
    ['books.example {', `https://127.0.0.1:${port} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`],
    ['127.0.0.1:8080', new URL(service.url).host],
  ]);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  const caddy = spawn('caddy', ['run', '--config', file], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(caddy, 'close');
  t.after(async () => {
    caddy.kill('SIGTERM');
    await closed;
  });
  let log = '';
  await new Promise<void>((resolve) => {
    caddy.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
      if (log.includes('serving initial configuration')) resolve();
    });
    caddy.once('close', () => {
      resolve();
    });
  });
  assert.match(log, /serving initial configuration/);
  await checkProxy(`https://127.0.0.1:${port}/catalogue`, service);
});
