import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { createClient, ShelflistError, type Client } from '../../src/index.ts';
import { credentials, startService } from '../support/service.ts';

async function startPeer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function connect(t: TestContext, url: string, options: object = {}): Client {
  const client = createClient({ url, ...options });
  t.after(() => {
    client.close();
  });
  return client;
}

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

test('one method an operation, against a real service', async (t) => {
  const { url } = await startService(t);
  const client = connect(t, url);
  const token = await client.login(credentials.username, credentials.password);
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(await client.list(), []);
  assert.deepEqual(await client.create(emma), { id: 1, ...emma });
  assert.deepEqual(await client.create({}), { id: 2, title: '', author: '', year: 0 });
  assert.deepEqual(await client.get(1), { id: 1, ...emma });
  assert.deepEqual(await client.update(1, { year: 1816 }), { id: 1, ...emma, year: 1816 });
  await client.delete(2);
  assert.deepEqual(await client.list(), [{ id: 1, ...emma, year: 1816 }]);
  assert.deepEqual(await connect(t, url, { token }).list(), [{ id: 1, ...emma, year: 1816 }]);
});

test('below the path that a service is mounted under', async (t) => {
  const { url } = await startService(t, { prefix: '/catalogue' });
  for (const path of ['/catalogue', '/catalogue/']) {
    const client = connect(t, url + path);
    await client.login(credentials.username, credentials.password);
    assert.deepEqual(await client.list(), []);
  }
});

describe("the service's errors come back as the same class", () => {
  const table: [code: string, use: (client: Client) => Promise<unknown>][] = [
    ['book_not_found', (client) => client.get(1)],
    ['book_not_found', (client) => client.update(1, {})],
    ['invalid_input', (client) => client.create({ title: 1 as never })],
    ['invalid_credentials', (client) => client.login('x', 'y')],
    ['invalid_payload', (client) => client.login(1 as never, 'y')],
  ];
  for (const [code, use] of table) {
    test(code, async (t) => {
      const { url, token } = await startService(t);
      await assert.rejects(
        use(connect(t, url, { token })),
        (error) => error instanceof ShelflistError && error.code === code,
      );
    });
  }

  test('token_required and invalid_token', async (t) => {
    const { url } = await startService(t);
    await assert.rejects(connect(t, url).list(), { code: 'token_required' });
    await assert.rejects(connect(t, url, { token: 'x' }).list(), { code: 'invalid_token' });
  });
});

describe('what is no service', () => {
  const envelope = (data: unknown, status = 200) => JSON.stringify({ status, message: 'x', data });
  const table: [what: string, status: number, body: string][] = [
    ['a page', 200, '<html>'],
    ['a bad gateway', 502, 'Bad gateway'],
    ['an envelope of another status', 200, envelope([], 201)],
    ['a list that is none', 200, envelope({})],
    ['a list of what is no book', 200, envelope([{ id: 'x' }])],
    ['an answer cut to nothing', 200, ''],
  ];
  for (const [what, status, body] of table) {
    test(`${what}: bad_response`, async (t) => {
      const url = await startPeer(t, (_, response) => {
        response.writeHead(status).end(body);
      });
      await assert.rejects(connect(t, url, { token: 'x' }).list(), { code: 'bad_response' });
    });
  }

  test('a redirect is not followed: the token goes to nobody else', async (t) => {
    const seen: unknown[] = [];
    const other = await startPeer(t, (request, response) => {
      seen.push(request.headers.authorization);
      response.end(envelope([]));
    });
    const url = await startPeer(t, (_, response) => {
      response.writeHead(307, { Location: `${other}/books` }).end();
    });
    await assert.rejects(connect(t, url, { token: 'x' }).list(), { code: 'bad_response' });
    assert.deepEqual(seen, []);
  });

  test('nobody there, no such host, no answer, an answer cut off: unreachable, and it says why', async (t) => {
    const silent = await startPeer(t, () => undefined);
    const broken = await startPeer(t, (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('{', () => response.destroy());
    });
    const table: [url: string, message: RegExp][] = [
      ['http://127.0.0.1:1', /nothing listens there; start the service/],
      ['http://nowhere.invalid', /there is no such host/],
      [silent, /no answer within 0.2 s/],
      [broken, /broke before the answer came/],
    ];
    for (const [url, message] of table) {
      const use = connect(t, url, { token: 's3cret', timeoutMs: 200 }).list();
      await assert.rejects(use, (error: ShelflistError) => {
        assert.equal(error.code, 'unreachable');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      });
    }
  });
});

test('a kept connection that the server has closed is opened anew, except for a create', async (t) => {
  let requests = 0;
  const url = await startPeer(t, (request, response) => {
    requests++;
    if (requests === 2) request.socket.resetAndDestroy();
    else response.end('{"status":200,"message":"x","data":[]}');
  });
  const client = connect(t, url, { token: 'x' });
  await client.list();
  assert.deepEqual(await client.list(), []);
  assert.equal(requests, 3);
  requests = 1;
  await assert.rejects(client.create({}), { code: 'unreachable' });
});

for (const url of ['', 'books.example.org', 'ftp://x', 'http://user:s3cret@x/', 'file:///x']) {
  test(`${JSON.stringify(url)} is a TypeError`, () => {
    assert.throws(
      () => createClient({ url }),
      (error: Error) => error instanceof TypeError && !error.message.includes('s3cret'),
    );
  });
}
