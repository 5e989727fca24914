import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { blocksOf } from './documents.ts';
import { temporaryFolder, type Scope } from './temp.ts';

/** Why nginx cannot be run here; `false` if it can. */
export async function skipWithoutNginx(): Promise<string | false> {
  try {
    await promisify(execFile)('nginx', ['-v']);
    return false;
  } catch {
    return 'there is no nginx: install the package nginx (apt-get install nginx) to run this';
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The address of the service in the recipes. */
export const ownAddress = 'http://127.0.0.1:8080';

/** The recipe of docs/deployment.md for a path of a site. */
export function pathRecipe(): string {
  const blocks = blocksOf('docs/deployment.md').filter(({ language }) => language === 'nginx');
  return (blocks[0] ?? assert.fail()).code;
}

/** Runs nginx in front of a service, below `/catalogue/`, as in docs/deployment.md. Returns its address. */
export async function startNginx(context: Scope, serviceUrl: string): Promise<string> {
  const port = await freePort();
  const recipe = pathRecipe().replaceAll(ownAddress, serviceUrl);
  await runNginx(context, `server { listen 127.0.0.1:${port}; ${recipe} }`);
  return `http://127.0.0.1:${port}/catalogue`;
}

/**
 * Runs nginx until the test ends.
 *
 * @param http What its configuration has within `http`.
 * @returns The folder of its `nginx.conf` and `nginx.pid`.
 */
export async function runNginx(context: Scope, http: string): Promise<string> {
  const folder = await temporaryFolder(context);
  await mkdir(join(folder, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    worker_processes 1;
    error_log stderr notice;
    pid ${folder}/nginx.pid;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join('\n')}
      ${http}
    }`;
  const file = join(folder, 'nginx.conf');
  await writeFile(file, config);
  const child = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  context.after(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  let log = '';
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
      if (log.includes('start worker process ')) resolve();
    });
    child.once('close', () => {
      resolve();
    });
  });
  assert.match(log, /start worker process /);
  return folder;
}
