import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, test } from 'node:test';
import {
  createClient,
  createFetchHandler,
  createHandler,
  createServer,
  openStore,
  type FetchHandler,
  type RequestHandler,
} from '../../src/index.ts';
import { collectInto, credentials, secretToken, sendRequest } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';

const config = { secretToken, authUsername: credentials.username, authPassword: credentials.password };

/** Sends one request as supertest does: it lets the server listen, and closes it after the response. */
async function requestOnce(server: Server, method: string, path: string, body?: unknown, token?: string) {
  server.listen(0);
  const { port } = server.address() as AddressInfo; // It has one at once.
  const answer = await sendRequest(`http://127.0.0.1:${port}`, method, path, {
    body,
    ...(token !== undefined && { token }),
  });
  await promisify(server.close.bind(server))();
  return answer;
}

describe('a closed server listens again', () => {
  test('with the password that was changed before', async () => {
    const server = await createServer({ ...config, databaseUrl: 'memory:', storePassword: () => undefined });
    const login = await requestOnce(server, 'POST', '/token', credentials);
    const { token } = login.envelope?.data as { token: string };
    const { password } = credentials;
    const newPassword = 'the new password of this test';
    const change = await requestOnce(server, 'POST', '/password', { password, newPassword }, token);
    assert.equal(change.status, 200);
    assert.equal((await requestOnce(server, 'POST', '/token', credentials)).status, 401);
    const changed = { ...credentials, password: newPassword };
    assert.equal((await requestOnce(server, 'POST', '/token', changed)).status, 200);
  });

  test('over its own store, with its books', async (t) => {
    const server = await createServer({ ...config, databaseUrl: `file:${await temporaryFolder(t)}` });
    const login = await requestOnce(server, 'POST', '/token', credentials);
    const { token } = login.envelope?.data as { token: string };
    assert.equal((await requestOnce(server, 'POST', '/book', { title: 'kept' }, token)).status, 201);
    const { status, envelope } = await requestOnce(server, 'GET', '/book/1', undefined, token);
    assert.deepEqual([status, envelope?.data], [200, { id: 1, title: 'kept', author: '', year: 0 }]);
  });

  test('over a store that was passed in, which stays open', async (t) => {
    const store = await openStore('memory:');
    t.after(() => store.close());
    const server = await createServer({ ...config, store });
    assert.equal((await requestOnce(server, 'GET', '/readyz')).status, 200);
    assert.equal((await requestOnce(server, 'GET', '/readyz')).status, 200);
  });

  test('or reports why its store cannot be opened again, and listens once it can', async (t) => {
    const folder = join(await temporaryFolder(t), 'data');
    const server = await createServer({ ...config, databaseUrl: `file:${folder}` });
    assert.equal((await requestOnce(server, 'GET', '/readyz')).status, 200);
    await rename(folder, `${folder}-away`);
    await writeFile(folder, 'not a folder');
    server.listen(0, '127.0.0.1');
    const [error] = (await once(server, 'error')) as [Error];
    assert.equal((error as { code?: string }).code, 'store_unusable');
    assert.equal(server.listening, false);
    await rename(folder, `${folder}-file`);
    await rename(`${folder}-away`, folder);
    assert.equal((await requestOnce(server, 'GET', '/readyz')).status, 200);
  });

  test('not before it is closed', async () => {
    const server = await createServer({ ...config, databaseUrl: 'memory:' });
    const closed = promisify(server.close.bind(server))();
    server.listen(0, '127.0.0.1');
    const [error] = (await once(server, 'error')) as [Error];
    assert.match(error.message, /listen again after close\(\) calls back/);
    await closed;
  });
});

describe('await using', () => {
  test('closes a server, a client and a store at the end of the block', async (t) => {
    const folder = await temporaryFolder(t);
    let ended: { server: Server; store: { version(): Promise<string> } };
    {
      await using store = await openStore(`file:${join(folder, 'a')}`);
      await using server = await createServer({ ...config, databaseUrl: `file:${join(folder, 'b')}` });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await using client = createClient({ url: `http://127.0.0.1:${port}` });
      await client.login(credentials.username, credentials.password);
      ended = { server, store };
    }
    assert.equal(ended.server.listening, false);
    await assert.rejects(ended.store.version(), { code: 'store_closed' });
  });

  test('closes a server that never listened, or is closed', async () => {
    await using server = await createServer({ ...config, databaseUrl: 'memory:' });
    await promisify(server.close.bind(server))();
  });

  test('closes both kinds of handlers, after which they are unavailable', async (t) => {
    const databaseUrl = 'memory:';
    const log: string[] = [];
    const logger = collectInto(log);
    let ended: { handler: RequestHandler; fetchHandler: FetchHandler };
    {
      await using handler = await createHandler({ ...config, databaseUrl, logger });
      await using fetchHandler = await createFetchHandler({ ...config, databaseUrl, logger });
      ended = { handler, fetchHandler };
    }
    assert.equal((await ended.fetchHandler(new Request('http://x/readyz'))).status, 503);
    const server = createHttpServer(ended.handler).listen(0);
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal((await sendRequest(url, 'GET', '/readyz')).status, 503);
  });
});
