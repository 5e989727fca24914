import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { request as begin, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { cleanEnvironment, program, serve, settings, shelflist, shell } from '../../../support/cli.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';

const skip = process.platform === 'win32' && 'Windows has named pipes instead';

/** The status of a request by a socket. */
async function statusOf(socketPath: string): Promise<number | undefined> {
  const request = begin({ socketPath, path: '/readyz', agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function start(scope: Scope, more: Record<string, string> = {}) {
  const cwd = await temporaryFolder(scope);
  const path = join(cwd, 'socket');
  const service = await serve(scope, cwd, { ...settings, SOCKET: path, ...more });
  return { cwd, path, service };
}

describe('serve on a unix socket', { skip }, () => {
  test('answers there, says how to reach it, and removes it at its end', async (t) => {
    const { cwd, path, service } = await start(t, { PREFIX: '/catalogue' });
    assert.equal(service.url, `unix:${path}`);
    const [, line = ''] = await service.said(/\nto try it: {2}(curl --unix-socket .+)\nCtrl-C stops it\n/);
    assert.match((await shell(line, { cwd })).stdout, /"status":200/);
    assert.match(service.stderr(), /through a proxy on this machine: .+ --url\n/);
    assert.match(service.stderr(), /warning: all clients share one limit .+ set TRUSTED_PROXIES=unix\)/);
    assert.doesNotMatch(service.stderr(), /the page for browsers|next, in another terminal/);
    assert.equal(await service.stop(), 0);
    assert.equal(existsSync(path), false);
  });

  test('its mode is what the umask leaves', async (t) => {
    const cwd = await temporaryFolder(t);
    const SOCKET = join(cwd, 'socket');
    const wrapper = ['sh', '-c', 'umask 007; exec "$@"', 'sh'];
    const service = await serve(t, cwd, { ...settings, SOCKET, TRUSTED_PROXIES: 'unix' }, wrapper);
    assert.equal(((await stat(SOCKET)).mode & 0o777).toString(8), '770');
    assert.doesNotMatch(service.stderr(), /warning/);
  });

  test('replaces the socket of a process that was killed, and not that of a living one', async (t) => {
    const { cwd, path, service } = await start(t);
    await service.stop('SIGKILL');
    assert.equal(existsSync(path), true);
    const next = await serve(t, cwd, { ...settings, SOCKET: path });
    const { code, stderr } = await shelflist(['serve', '--socket', path], { cwd, env: settings });
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `shelflist: the socket ${path} is in use (flag --socket); stop the program that listens there, or choose another path with --socket\n`,
    );
    assert.equal(await statusOf(path), 200);
    assert.equal(await next.stop(), 0);
  });

  test('leaves another file alone', async (t) => {
    const cwd = await temporaryFolder(t);
    const path = join(cwd, 'notes');
    await writeFile(path, 'mine');
    const { code, stderr } = await shelflist(['serve', '--socket', path], { cwd, env: settings });
    assert.deepEqual([code, stderr.includes('is not a socket; move it away')], [1, true], stderr);
    assert.equal(await readFile(path, 'utf8'), 'mine');
  });

  const refused: [what: string, path: (cwd: string) => string, code: number, says: RegExp][] = [
    [
      'in a folder that is missing',
      (cwd) => join(cwd, 'none/socket'),
      1,
      /its folder does not exist; create it/,
    ],
    ['in a file', (cwd) => join(cwd, 'file/socket'), 1, /its folder does not exist/],
    ['with a relative path', () => 'socket', 2, /expected the absolute path of a socket/],
    ['with a path that is too long', (cwd) => join(cwd, 'x'.repeat(100)), 2, /at most 100 bytes/],
  ];
  for (const [what, pathIn, status, says] of refused)
    test(`not ${what}`, async (t) => {
      const cwd = await temporaryFolder(t);
      await writeFile(join(cwd, 'file'), '');
      const outcome = await shelflist(['serve', '--socket', pathIn(cwd)], { cwd, env: settings });
      assert.equal(outcome.code, status, outcome.stderr);
      assert.match(outcome.stderr, says);
    });

  test('not with a port, too', async (t) => {
    const cwd = await temporaryFolder(t);
    const env = { ...settings, SOCKET: join(cwd, 'socket') };
    const { code, stderr } = await shelflist(['serve', '--port', '9000'], { cwd, env });
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /SOCKET \(environment SOCKET\) names a socket .+ and --port a port; leave one of them out/,
    );
  });

  test('start refuses it, because browsers cannot connect to it', async (t) => {
    const cwd = await temporaryFolder(t);
    await shelflist(['init'], { cwd });
    const env = { SOCKET: join(cwd, 'socket') };
    const { code, stderr } = await shelflist(['start'], { cwd, env });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /remove SOCKET \(environment SOCKET\), or run `shelflist serve`/);
  });

  test('commands do not take another service for that of a .env with a socket', async (t) => {
    const cwd = await temporaryFolder(t);
    await writeFile(join(cwd, '.env'), `AUTH_PASSWORD=x\nSOCKET=${join(cwd, 'socket')}\n`);
    const { code, stderr } = await shelflist(['list'], { cwd });
    assert.notEqual(code, 0);
    assert.match(stderr, /cannot connect to its SOCKET; set SHELFLIST_URL there, or pass --url/);
  });
});

/** Runs serve with a socket as descriptor 3, as systemd does. */
async function startPassed(scope: Scope, server: Server, env: Record<string, string> = {}, pid = '$$') {
  const cwd = await temporaryFolder(scope);
  const passing = `export LISTEN_PID=${pid} LISTEN_FDS=\${LISTEN_FDS-1} LISTEN_FDNAMES=x; exec "$@"`;
  const child = spawn('sh', ['-c', passing, 'sh', process.execPath, program, 'serve'], {
    cwd,
    env: cleanEnvironment(cwd, { ...settings, ...env }),
    stdio: ['ignore', 'ignore', 'pipe', (server as unknown as { _handle: { fd: number } })._handle.fd],
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let said = '';
  const first = new Promise<void>((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.includes('Ctrl-C stops it')) resolve();
    });
    child.once('close', () => {
      resolve();
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return (await closed)[0];
  };
  scope.after(stop);
  await first;
  return { child, said: () => said, stop };
}

async function listening(scope: Scope, place: string | number): Promise<Server> {
  const server = createServer();
  if (typeof place === 'string') server.listen(place);
  else server.listen(place, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => server.close());
  return server;
}

describe('a socket that systemd passes is used instead of SOCKET, HOST and PORT', { skip }, () => {
  test('of a port', async (t) => {
    const server = await listening(t, 0);
    const { port } = server.address() as AddressInfo;
    const { said, stop } = await startPassed(t, server, { PORT: '1' });
    assert.match(said(), new RegExp(`listens on http://127\\.0\\.0\\.1:${port}\n`));
    assert.doesNotMatch(said(), /LISTEN_PID/);
    server.close(); // Else this process would also accept connections.
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    assert.equal(await stop(), 0);
  });

  test('of a path, whose file stays', async (t) => {
    const path = join(await temporaryFolder(t), 'socket');
    const server = await listening(t, path);
    const { said, stop } = await startPassed(t, server, { SOCKET: '/nowhere/socket' });
    assert.match(
      said(),
      new RegExp(process.platform === 'linux' ? `listens on unix:${path}\n` : 'listens on unix:'),
    );
    assert.equal(await stop(), 0);
    assert.equal(existsSync(path), true);
  });

  test('not if it is for another process, which a warning says', async (t) => {
    const server = await listening(t, 0);
    const { said } = await startPassed(t, server, { PORT: '0' }, '1');
    assert.doesNotMatch(said(), new RegExp(`:${(server.address() as AddressInfo).port}\n`));
    assert.match(said(), /listens on http:/);
    assert.match(
      said(),
      /warning: the socket that systemd passes is not used, .+ \(LISTEN_PID\), .+ \(fix: start node itself, or write `exec`/,
    );
  });

  test('not one of several', async (t) => {
    const { said, stop } = await startPassed(t, await listening(t, 0), { LISTEN_FDS: '2' });
    assert.match(said(), /systemd passes several sockets \(LISTEN_FDS\).+ leave one ListenStream/);
    assert.equal(await stop(), 1);
  });

  test('not if it is none', async (t) => {
    const cwd = await temporaryFolder(t);
    const line = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@"';
    const child = spawn('sh', ['-c', line, process.execPath, program, 'serve'], {
      cwd,
      env: cleanEnvironment(cwd, settings),
      stdio: ['ignore', 'ignore', 'pipe', 'ignore'],
    });
    const closed = once(child, 'close') as Promise<[number | null]>;
    const [stderr, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', closed]);
    assert.match(
      stderr,
      /cannot listen on the socket that systemd passes: EINVAL; its \.socket unit needs ListenStream/,
    );
    assert.equal(code, 1);
  });
});
