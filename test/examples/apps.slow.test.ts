import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { before, describe, test, type TestContext } from 'node:test';
import { cleanEnvironment, settings } from '../support/cli.ts';
import { connect } from '../support/client.ts';
import { freePort } from '../support/nginx.ts';
import { ask, browserAccept } from '../support/page.ts';
import { root, run } from '../support/packed.ts';
import { temporaryFolder } from '../support/temp.ts';

const examples = join(root, 'examples');
const modules = join(examples, 'node_modules');
const skip =
  !existsSync(modules) && 'the packages of the examples are not installed (npm --prefix examples ci)';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** Starts an app of examples/ in a folder of its own, and ends it with the test: with this exit status. */
async function start(
  context: TestContext,
  args: readonly string[],
  ready: RegExp,
  exit = 0,
): Promise<string> {
  const cwd = await temporaryFolder(context);
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      ...cleanEnvironment(cwd),
      ...settings,
      NODE_OPTIONS: '', // Frameworks add headers of their own, which the recorder of responses would report.
      PORT: '0',
      NEXT_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  context.after(async () => {
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [exit, null]);
  });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = ready.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`${args.join(' ')} ended`);
}

/** What a user of the app sees: the page, the books, and the app around them. */
async function check(context: TestContext, url: string): Promise<void> {
  const client = connect(context, url);
  const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  const book = await client.create(emma);
  assert.deepEqual(await client.list({ q: 'austen' }), [book]);
  await client.update(book.id, { year: 1816 });
  assert.equal((await client.get(book.id)).year, 1816);
  await client.delete(book.id);

  const page = await ask(`${url}/`, { headers: { Accept: browserAccept } });
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
  const bare = await ask(url, { headers: { Accept: browserAccept } });
  assert.equal(new URL(bare.headers.location ?? '', url).href, `${url}/`);
  assert.match((await ask(new URL('/', url).href)).text, /my own app/);

  // A stream that is open when the app is told to end.
  const changes = await fetch(`${url}/changes`, { headers: { Authorization: token } });
  assert.equal(changes.status, 200);
  context.after(() => changes.body?.cancel().catch(() => undefined)); // Without a reader, it would end by itself.
}

describe('examples/', { skip }, () => {
  before(async () => {
    // The installed copy, brought up to date with the build.
    const copy = join(modules, 'shelflist');
    for (const name of ['dist', 'package.json']) {
      await rm(join(copy, name), { recursive: true, force: true });
      await cp(join(root, name), join(copy, name), { recursive: true });
    }
  });

  for (const name of ['express.js', 'fastify.js', 'koa.js', 'hono.js'])
    test(`${name} serves the catalogue beside its own app`, async (t) => {
      await check(t, await start(t, [join(examples, name)], /^(http.+)\/$/));
    });

  test('bundle.js makes one file, which serves the catalogue', async (t) => {
    const { code, stderr } = await run(process.execPath, ['bundle.js'], { cwd: examples, env: process.env });
    assert.equal(code, 0, stderr);
    await check(t, await start(t, [join(examples, 'build/app.mjs')], /^(http.+)\/$/));
  });

  test('next/ is built, and serves the catalogue beside its own page', async (t) => {
    const next = join(modules, 'next/dist/bin/next');
    const built = await run(process.execPath, [next, 'build', 'next'], {
      cwd: examples,
      env: { ...process.env, ...settings, NEXT_TELEMETRY_DISABLED: '1' },
    });
    assert.equal(built.code, 0, built.stderr);
    const port = await freePort();
    const args = [next, 'start', join(examples, 'next'), '-p', String(port), '-H', '127.0.0.1'];
    await check(t, `${await start(t, args, /Local: +(http\S+)/, 143)}/catalogue`);
  });

  test('supertest.test.js passes', async () => {
    const { code, stdout } = await run(process.execPath, ['--test', 'supertest.test.js'], { cwd: examples });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^# pass 2$/m);
  });
});
