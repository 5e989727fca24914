import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request as begin, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { cleanEnvironment, program, serve, settings, workersOf, watchErrors } from '../../../support/cli.ts';
import { freePort } from '../../../support/nginx.ts';
import { root } from '../../../support/packed.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';

const isLinux = process.platform === 'linux';

/** The status of a request by a socket, on a connection of its own. */
async function statusOf(socketPath: string): Promise<number | undefined> {
  const request = begin({ socketPath, path: '/readyz', agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test(
  'workers share a unix socket, which stays when one of them is replaced',
  { skip: !isLinux },
  async (t) => {
    const cwd = await temporaryFolder(t);
    const SOCKET = join(cwd, 'socket');
    const service = await serve(t, cwd, { ...settings, SOCKET, WORKERS: '2' });
    assert.equal(service.url, `unix:${SOCKET}`);
    const [first = 0] = await workersOf(service);
    process.kill(first, 'SIGKILL');
    await service.said(/replacing it/);
    for (let i = 0; i < 10; i++) assert.equal(await statusOf(SOCKET), 200);
    assert.equal(await service.stop(), 0);
    assert.equal(existsSync(SOCKET), false);
  },
);

const skip =
  spawnSync('systemd-socket-activate', ['--version']).error !== undefined &&
  'there is no systemd-socket-activate: install the package systemd to run this';

/** Lets systemd listen, which starts the service with the first connection. */
async function activate(scope: Scope, place: string, env: Record<string, string> = {}) {
  const cwd = await temporaryFolder(scope);
  const variables = { ...settings, ...env, HOME: cwd };
  const child = spawn(
    'systemd-socket-activate',
    [
      '--listen',
      place,
      ...Object.entries(variables).map(([name, value]) => `--setenv=${name}=${value}`),
      ...[process.execPath, program, 'serve'],
    ],
    { cwd, env: cleanEnvironment(cwd), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const closed = once(child, 'close') as Promise<[number | null]>;
  const { said, stderr } = watchErrors(child);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return (await closed)[0];
  };
  scope.after(() => stop('SIGKILL'));
  await said(/Listening on/);
  return { child, said, stop, closed, stderr };
}

describe('started by systemd with the first connection', { skip }, () => {
  test('as deploy/shelflist.socket says, the service answers the request that started it', async (t) => {
    const unit = await readFile(join(root, 'deploy/shelflist.socket'), 'utf8');
    const [, place = ''] = /^ListenStream=(.+)$/m.exec(unit) ?? [];
    const port = await freePort();
    const { said, stop } = await activate(t, place.replace('8080', `${port}`));
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    await said(new RegExp(`listens on http://127\\.0\\.0\\.1:${port}\n`));
    assert.equal(await stop(), 0);
  });

  test('workers use the socket, and their environment does not name it', async (t) => {
    const path = join(await temporaryFolder(t), 'socket');
    const { child, said, stop } = await activate(t, path, { WORKERS: '2' });
    assert.equal(await statusOf(path), 200);
    await said(new RegExp(`listens on unix:${path} with 2 workers\n`));
    const workers = await workersOf({ child });
    assert.equal(workers.length, 2);
    for (const worker of workers)
      assert.doesNotMatch(await readFile(`/proc/${worker}/environ`, 'utf8'), /LISTEN_/);
    for (let i = 0; i < 10; i++) assert.equal(await statusOf(path), 200);
    assert.equal(await stop(), 0);
  });

  test('when all workers die, the service ends, and systemd starts it again with its socket', async (t) => {
    const path = join(await temporaryFolder(t), 'socket');
    const { child, said, closed, stderr } = await activate(t, path, { WORKERS: '2' });
    assert.equal(await statusOf(path), 200);
    await said(/with 2 workers/);
    for (const worker of await workersOf({ child })) process.kill(worker, 'SIGKILL');
    assert.deepEqual((await closed)[0], 1);
    assert.match(stderr(), /all workers exited \(SIGKILL\), which closes the socket that systemd passed/);
  });
});
