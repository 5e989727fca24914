import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { createClient, ShelflistError, type Client } from '../../src/index.ts';
import type { Fetch } from '../../src/client/index.ts';
import { bookOf, storedBook } from '../support/books.ts';
import { collect, connect } from '../support/client.ts';
import { credentials, startService } from '../support/service.ts';
import { exampleBook as emma } from '../../src/catalogue/book.ts';

async function startPeer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('each method of the client works with a real service', async (t) => {
  const { url } = await startService(t);
  const client = connect(t, url);
  const token = await client.login(credentials.username, credentials.password);
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(await client.list(), []);
  assert.deepEqual(await client.create(emma), { id: 1, ...emma });
  assert.deepEqual(await client.create({}), storedBook(2));
  assert.deepEqual(await client.get(1), { id: 1, ...emma });
  assert.deepEqual(await client.update(1, { year: 1816 }), { id: 1, ...emma, year: 1816 });
  await client.delete(2);
  assert.deepEqual(await client.list(), [{ id: 1, ...emma, year: 1816 }]);
  assert.deepEqual(await connect(t, url, { token }).list(), [{ id: 1, ...emma, year: 1816 }]);
});

test('statistics of the lowest year have a decade that is no safe integer', async (t) => {
  const { url, token } = await startService(t);
  const client = connect(t, url, { token });
  await client.create({ year: Number.MIN_SAFE_INTEGER });
  const { decades } = await client.stats();
  assert.deepEqual(decades, [{ from: -9_007_199_254_741_000, count: 1 }]);
});

test('the client works below the path that a service is mounted under', async (t) => {
  const { url } = await startService(t, { prefix: '/catalogue' });
  for (const path of ['/catalogue', '/catalogue/']) {
    const client = connect(t, url + path);
    await client.login(credentials.username, credentials.password);
    assert.deepEqual(await client.list(), []);
  }
});

describe('the client rebuilds the errors of the service', () => {
  const table: [code: string, use: (client: Client) => Promise<unknown>, body?: string][] = [
    ['book_not_found', (client) => client.get(1)],
    ['book_not_found', (client) => client.update(1, {})],
    ['invalid_input', (client) => client.create({}), '{"title":1}'],
    ['invalid_credentials', (client) => client.login('x', 'y')],
    ['invalid_payload', (client) => client.login('x', 'y'), '{}'],
  ];
  for (const [code, use, body] of table) {
    test(code, async (t) => {
      const { url, token } = await startService(t);
      // The client sends no such body by itself.
      const send: Fetch = (address, init) => fetch(address, { ...init, ...(body !== undefined && { body }) });
      await assert.rejects(
        use(connect(t, url, { token, fetch: send })),
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

describe('a response of another program', () => {
  const envelope = (data: unknown, status = 200) => JSON.stringify({ status, message: 'x', data });
  const table: [what: string, status: number, body: string][] = [
    ['a page', 200, '<html>'],
    ['an envelope of another status', 200, envelope([], 201)],
    ['a list that is none', 200, envelope({})],
    ['a list of something other than books', 200, envelope([{ id: 'x' }])],
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

  for (const [status, code, message] of [
    [413, 'bad_response', /\(HTTP 413\).+ a proxy refuses bodies of this size/],
    [502, 'unreachable', /\(HTTP 502\).+ a proxy got none from the service/],
    [504, 'unreachable', /\(HTTP 504\).+ a proxy got none from the service/],
  ] as const) {
    test(`${status} of a proxy: ${code}, which names a proxy`, async (t) => {
      const url = await startPeer(t, (_, response) => {
        response.writeHead(status).end('<html>');
      });
      await assert.rejects(connect(t, url, { token: 'x' }).list(), { code, message });
    });
  }

  test('redirects are not followed, so that the token is not sent elsewhere', async (t) => {
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

  test('unreachable: no listener, unknown host, or a truncated response, with the reason', async (t) => {
    const broken = await startPeer(t, (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('{', () => response.destroy());
    });
    const table: [url: string, message: RegExp][] = [
      ['http://127.0.0.1:1', /^cannot reach http:\/\/127.0.0.1:1: (bad port|.*ECONNREFUSED)/],
      ['http://nowhere.invalid', /ENOTFOUND|EAI_AGAIN/],
      [broken, /other side closed|ECONNRESET|aborted/],
    ];
    for (const [url, message] of table) {
      const use = connect(t, url, { token: 's3cret' }).list();
      await assert.rejects(use, (error: ShelflistError) => {
        assert.equal(error.code, 'unreachable');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      });
    }
  });
});

test('a request on a kept connection that the server has closed is repeated, except for an update', async (t) => {
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
  await assert.rejects(client.update(1, {}), { code: 'unreachable' });
  assert.equal(requests, 2);
});

for (const url of ['', 'books.example.org', 'ftp://x', 'http://user:s3cret@x/', 'file:///x']) {
  test(`${JSON.stringify(url)} is a TypeError`, () => {
    assert.throws(
      () => createClient({ url }),
      (error: Error) => error instanceof TypeError && !error.message.includes('s3cret'),
    );
  });
}

describe('books() yields', () => {
  test('every book of a service by id, page by page', async (t) => {
    const { url, token, requests } = await startService(t);
    const client = connect(t, url, { token });
    assert.deepEqual(await collect(client.iterate()), []);
    const odd = bookOf({ title: '"\\,[]{}\u0000\u2028😀\uFEFF', author: 'é', year: Number.MIN_SAFE_INTEGER });
    await client.createMany([emma, odd, ...Array.from({ length: 1000 }, () => ({}))]);
    requests.length = 0;
    const books = await collect(client.iterate());
    assert.equal(requests.length, 2);
    assert.deepEqual(books[1], { id: 2, ...odd });
    assert.deepEqual(books, await client.list());
  });

  test('nothing before the first next(), and sends nothing after the reader stops', async (t) => {
    let requests = 0;
    const url = await startPeer(t, (_, response) => {
      requests++;
      response.setHeader('Link', '</books?after=x>; rel="next"');
      response.end(envelopeOf([storedBook(1), storedBook(2)]));
    });
    const client = connect(t, url);
    await client.iterate().return();
    assert.equal(requests, 0);
    for await (const book of client.iterate()) if (book.id === 1) break;
    assert.equal(requests, 1);
  });

  test('while the same client is used for other requests', async (t) => {
    const { url, token } = await startService(t);
    const client = connect(t, url, { token });
    for (let i = 0; i < 3; i++) await client.create(emma);
    for await (const book of client.iterate()) await client.update(book.id, { title: `${book.id}` });
    assert.deepEqual(
      (await collect(client.iterate())).map((book) => book.title),
      ['1', '2', '3'],
    );
  });

  test('the books before a failure; bad_response if a page leads to itself', async (t) => {
    const url = await startPeer(t, (_, response) => {
      response.setHeader('Link', '</books?after=x>; rel="next"');
      response.end(envelopeOf([storedBook(1)]));
    });
    const books = connect(t, url).iterate();
    assert.equal((await books.next()).done, false);
    assert.equal((await books.next()).done, false);
    await assert.rejects(books.next(), { code: 'bad_response', message: /the next page/ });
  });
});

const envelopeOf = (data: unknown) => JSON.stringify({ status: 200, message: 'x', data });

describe('check', () => {
  test('tells whether a service accepts the token, and its time', async (t) => {
    const { url, token } = await startService(t);
    for (const [options, accepted] of [
      [{ token }, true],
      [{ token: 'x' }, false],
      [{}, false],
    ] as const) {
      const before = Math.floor(Date.now() / 1000) * 1000;
      const check = await connect(t, url, options).check();
      assert.equal(check.accepted, accepted);
      assert.ok(check.date && check.date.getTime() >= before - 1000 && check.date.getTime() <= Date.now());
    }
  });

  test('works with and without books', async (t) => {
    const { url, token } = await startService(t);
    const client = connect(t, url, { token });
    await client.create(emma);
    assert.equal((await client.check()).accepted, true);
  });

  const notFound = '{"status":404,"message":"Book not found","data":null}';
  const dates: [date: string | undefined, time: string | undefined][] = [
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['soon', undefined],
    [undefined, undefined],
  ];
  for (const [date, time] of dates) {
    test(`reads the time ${date ?? '(missing)'}`, async (t) => {
      const url = await startPeer(t, (_, response) => {
        response.sendDate = false;
        response.writeHead(404, date === undefined ? {} : { Date: date }).end(notFound);
      });
      const check = await connect(t, url).check();
      assert.deepEqual([check.accepted, check.date?.toISOString()], [true, time]);
    });
  }

  const failures: { what: string; status: number; body: string; code: string }[] = [
    { what: 'a page', status: 200, body: '<html>', code: 'bad_response' },
    { what: 'a page that is not found', status: 404, body: '<html>', code: 'bad_response' },
    {
      what: 'a service elsewhere on the server',
      status: 404,
      body: '{"status":404,"message":"Not found","data":null}',
      code: 'not_found',
    },
    {
      what: 'no store',
      status: 503,
      body: '{"status":503,"message":"Service unavailable","data":null}',
      code: 'unavailable',
    },
  ];
  for (const { what, status, body, code } of failures) {
    test(`${what}: ${code}`, async (t) => {
      const url = await startPeer(t, (_, response) => {
        response.writeHead(status).end(body);
      });
      await assert.rejects(connect(t, url, { token: 'x' }).check(), { code });
    });
  }

  test('is unreachable without a listener', async (t) => {
    await assert.rejects(connect(t, 'http://127.0.0.1:1').check(), { code: 'unreachable' });
  });
});

describe('createMany', () => {
  test('returns ids and rejections', async (t) => {
    const { url } = await startService(t);
    const client = connect(t, url);
    await client.login(credentials.username, credentials.password);
    const { batch, ...imported } = await client.createMany([]);
    assert.match(batch, /^[0-9a-f]{20}$/);
    assert.deepEqual(imported, { ids: [], rejected: [] });
    const options = { batch: 'my-import' };
    assert.deepEqual(await client.createMany([emma, { year: 1.5 }, { title: 'A' }], options), {
      batch: 'my-import',
      ids: [1, 2],
      rejected: [{ line: 2, message: 'year is not an integer from -(2^53-1) to 2^53-1' }],
    });
    assert.deepEqual(await client.get(2), storedBook(2, { title: 'A' }));
  });

  for (const data of [null, [], {}, { ids: ['1'], rejected: [] }, { ids: [], rejected: [{ line: 0 }] }]) {
    test(`refuses the response ${JSON.stringify(data)}`, async (t) => {
      const url = await startPeer(t, (_, response) => {
        response.end(JSON.stringify({ status: 200, message: 'x', data }));
      });
      await assert.rejects(connect(t, url).createMany([emma]), { code: 'bad_response' });
    });
  }
});

describe('onUnauthorized', () => {
  const reply = (response: ServerResponse, status: number, message: string, data: unknown) =>
    response.writeHead(status).end(JSON.stringify({ status, message, data }));
  const startPicky = (t: TestContext) =>
    startPeer(t, ({ headers: { authorization } }, response) => {
      if (authorization === 'good') reply(response, 200, 'x', []);
      else reply(response, 401, 'Invalid token', null);
    });

  test('is called once for requests with the same refused token, which are then repeated', async (t) => {
    let calls = 0;
    const onUnauthorized = () => {
      calls++;
      return Promise.resolve('good');
    };
    const client = connect(t, await startPicky(t), { token: 'old', onUnauthorized });
    assert.deepEqual(await Promise.all([client.list(), collect(client.iterate()), client.list()]), [
      [],
      [],
      [],
    ]);
    assert.deepEqual(await client.list(), []);
    assert.equal(calls, 1);
  });

  test('is not called again for a request whose new token is refused', async (t) => {
    let calls = 0;
    const onUnauthorized = () => Promise.resolve(`bad ${++calls}`);
    const client = connect(t, await startPicky(t), { token: 'old', onUnauthorized });
    await assert.rejects(client.list(), { code: 'invalid_token' });
    assert.equal(calls, 1);
  });

  test('fails the request if it fails, and is not called for check', async (t) => {
    const error = new Error('no password');
    const onUnauthorized = () => Promise.reject(error);
    const client = connect(t, await startPicky(t), { onUnauthorized });
    await assert.rejects(client.list(), error);
    assert.equal((await client.check()).accepted, false);
  });

  test('fails the request with its own error if it returns no token', async (t) => {
    const onUnauthorized = () => Promise.resolve(undefined);
    const client = connect(t, await startPicky(t), { token: 'old', onUnauthorized });
    await assert.rejects(client.list(), { code: 'invalid_token' });
  });
});

test('logout forgets the token', async (t) => {
  const { url, token } = await startService(t, { databaseUrl: 'memory:' });
  const client = connect(t, url, { token });
  assert.deepEqual(await client.list(), []);
  client.logout();
  await assert.rejects(client.list(), { code: 'token_required' });
});
