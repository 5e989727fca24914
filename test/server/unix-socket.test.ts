import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request as begin, Server as HttpServer, type IncomingMessage } from 'node:http';
import { request as beginSecure } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { createHandler, createServer, type ServerConfig } from '../../src/index.ts';
import { newCertificate } from '../support/certificate.ts';
import { logInTimes } from '../support/logins.ts';
import { collectInto, credentials, secretToken, startService } from '../support/service.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

const skip = process.platform === 'win32' && 'Windows has named pipes instead';

const config = {
  secretToken,
  authUsername: credentials.username,
  authPassword: credentials.password,
  databaseUrl: 'memory:',
} satisfies ServerConfig;

/** Logins that fail before an address has to wait. */
const burst = 20;
const wrong = { ...credentials, password: 'wrong horse' };

/** A service on a new socket. */
async function start(scope: Scope, more: Partial<ServerConfig> = {}) {
  const path = join(await temporaryFolder(scope), 'socket');
  const log: string[] = [];
  const server = await createServer({ ...config, logger: collectInto(log), ...more } as ServerConfig);
  server.listen(path);
  await once(server, 'listening');
  const close = () => new Promise((resolve) => server.close(resolve));
  scope.after(close);
  return { path, log, close };
}

/** Sends one login by a socket, as a proxy does for a client. */
async function logIn(socketPath: string, login: object, forwardedFor?: string) {
  const request = begin({
    socketPath,
    path: '/token',
    method: 'POST',
    agent: false,
    headers: { ...(forwardedFor !== undefined && { 'X-Forwarded-For': forwardedFor }) },
  });
  request.end(JSON.stringify(login));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { status } = (await json(response)) as { status: number };
  return status;
}

/** The statuses of one failed login more than an address may have, each for another client. */
async function guess(path: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i <= burst; i++) statuses.push(await logIn(path, wrong, `192.0.2.${i}`));
  return statuses;
}

describe('createServer listens on a unix socket, as node:http does', { skip }, () => {
  test('its file is gone when the server is closed', async (t) => {
    const { path, close } = await start(t);
    assert.equal(await logIn(path, credentials), 200);
    await close();
    assert.equal(existsSync(path), false);
  });

  test('with a certificate', async (t) => {
    const { path: socketPath } = await start(t, { tls: await newCertificate() });
    const request = beginSecure({
      socketPath,
      path: '/livez',
      agent: false,
      rejectUnauthorized: false,
    }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, 200);
  });
});

describe('failed logins by a unix socket', { skip }, () => {
  test('count together: nobody is believed who names another address', async (t) => {
    const { path, log } = await start(t);
    assert.deepEqual(await guess(path), [...Array<number>(burst).fill(401), 429]);
    assert.equal(await logIn(path, credentials, '198.51.100.1'), 429);
    assert.match(log.join('\n'), /failed login \{"address":"unix"/);
  });

  test('do so, too, if a proxy with an address is trusted', async (t) => {
    const { path } = await start(t, { trustedProxies: ['127.0.0.1', '0.0.0.0/0', '::/0'] });
    assert.equal((await guess(path)).at(-1), 429);
  });

  test('count for the client in X-Forwarded-For if unix is trusted', async (t) => {
    const { path, log } = await start(t, { trustedProxies: ['unix'] });
    assert.deepEqual(await guess(path), Array<number>(burst + 1).fill(401));
    assert.match(log.join('\n'), /failed login \{"address":"192\.0\.2\.20"/);
    for (let i = 0; i < burst; i++) await logIn(path, wrong, `192.0.2.${i}, 198.51.100.1`);
    assert.equal(
      await logIn(path, credentials, '192.0.2.77, 198.51.100.1'),
      429,
      'what a client adds is ignored',
    );
    assert.equal(await logIn(path, credentials, '198.51.100.2'), 200);
  });

  test('the same in a server of an app', async (t) => {
    const handler = await createHandler({ ...config, trustedProxies: ['unix'], logger: false });
    const path = join(await temporaryFolder(t), 'socket');
    const server = new HttpServer(handler).listen(path);
    await once(server, 'listening');
    t.after(async () => {
      server.close();
      await handler.close();
    });
    assert.deepEqual(await guess(path), Array<number>(burst + 1).fill(401));
  });
});

describe('with unix trusted, a connection by TCP is not', () => {
  test('its address counts', async (t) => {
    const { url } = await startService(t, { trustedProxies: ['unix'] });
    for (let i = 0; i < burst; i++) await logInTimes(1, url, wrong, { forwardedFor: `192.0.2.${i}` });
    assert.deepEqual(await logInTimes(1, url, wrong, { forwardedFor: '192.0.2.99' }), [429]);
  });

  test('nor after it has gone, when it has no address any more', async (t) => {
    const { port, log } = await startService(t, { trustedProxies: ['unix'] });
    const body = JSON.stringify(wrong);
    const head = `POST /token HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.66\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (let i = 0; i < 5; i++) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(head + body);
      socket.resetAndDestroy();
    }
    const last = connect(port, '127.0.0.1');
    last.end(head + body);
    await once(last.resume(), 'close');
    assert.doesNotMatch(log.join('\n'), /192\.0\.2\.66/);
    assert.match(log.join('\n'), /failed login \{"address":"127\.0\.0\.1"/);
  });
});
