import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createClient, ShelflistError, type Book, type Client } from '../../src/index.ts';
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

test('the client works below the path that a service is mounted under', async (t) => {
  const { url } = await startService(t, { prefix: '/catalogue' });
  for (const path of ['/catalogue', '/catalogue/']) {
    const client = connect(t, url + path);
    await client.login(credentials.username, credentials.password);
    assert.deepEqual(await client.list(), []);
  }
});

describe('the client rebuilds the errors of the service', () => {
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

  test('unreachable: no listener, unknown host, no response or a truncated one, with the reason', async (t) => {
    const silent = await startPeer(t, () => undefined);
    const broken = await startPeer(t, (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('{', () => response.destroy());
    });
    const table: [url: string, message: RegExp][] = [
      ['http://127.0.0.1:1', /nothing listens there; start the service/],
      ['http://nowhere.invalid', /unknown host/],
      [silent, /no response within 0.2 s/],
      [broken, /broke before the response was complete/],
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

test('a request on a kept connection that the server has closed is repeated, except for a create', async (t) => {
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

/** The text of a list with a number of books, each with a title of a number of characters. */
function listOf(count: number, length = 1): string {
  const title = 'x'.repeat(length);
  const data = Array.from({ length: count }, (_, i) => storedBook(i + 1, { title, year: i }));
  return JSON.stringify({ status: 200, message: 'x', data });
}

describe('books() streams', () => {
  test('every book of a service by id', async (t) => {
    const { url, token } = await startService(t);
    const client = connect(t, url, { token });
    assert.deepEqual(await collect(client.books()), []);
    const odd = bookOf({ title: '"\\,[]{}\u0000\u2028😀', author: 'é', year: Number.MIN_SAFE_INTEGER });
    for (const fields of [emma, odd, {}]) await client.create(fields);
    assert.deepEqual(await collect(client.books()), await client.list());
    assert.deepEqual((await client.list())[1], { id: 2, ...odd });
  });

  test('byte order marks in texts', async (t) => {
    const { url, token } = await startService(t);
    const client = connect(t, url, { token });
    const book = await client.create({ title: '\uFEFFA\uFEFFB', author: '\uFEFF' });
    assert.deepEqual(await collect(client.books()), [book]);
  });

  test('a long response, however it is split', async (t) => {
    const text = listOf(20_000, 10);
    const url = await startPeer(t, (_, response) => {
      for (let at = 0; at < text.length; at += 7_777) response.write(text.slice(at, at + 7_777));
      response.end();
    });
    const books = await collect(connect(t, url).books());
    assert.equal(books.length, 20_000);
    assert.deepEqual(books.at(-1), storedBook(20_000, { title: 'xxxxxxxxxx', year: 19_999 }));
  });

  test('split characters, and single bytes', async (t) => {
    const book = storedBook(1, { title: 'é書😀' });
    const bytes = Buffer.from(JSON.stringify({ status: 200, message: 'x', data: [book] }));
    const url = await startPeer(t, (_, response) => {
      response.socket?.setNoDelay();
      const send = (at: number): void => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
      };
      send(0);
    });
    assert.deepEqual(await collect(connect(t, url).books()), [book]);
  });

  test('books before the response ends', async (t) => {
    let end: () => void = () => undefined;
    const url = await startPeer(t, (_, response) => {
      response.write(`{"status":200,"message":"x","data":[${JSON.stringify(storedBook(1))},`);
      end = () => response.end(`${JSON.stringify(storedBook(2))}]}`);
    });
    const books = connect(t, url).books();
    assert.equal(((await books.next()).value as Book | undefined)?.id, 1);
    end();
    assert.equal(((await books.next()).value as Book | undefined)?.id, 2);
    assert.equal((await books.next()).done, true);
  });

  test('books with other members, in any order, and with space', async (t) => {
    const members = Object.entries(storedBook(1, { title: 'A' })).reverse();
    const book = JSON.stringify(
      Object.fromEntries([members[0] ?? [], ['more', { data: [1] }], ...members.slice(1)]),
    );
    const url = await startPeer(t, (_, response) => {
      response.write(` {"data" : [ ${book} ],\n"x":[{"data":[]}],"status":200,"message":"x"}`, () => {
        response.end('\r\n');
      });
    });
    const all = await collect(connect(t, url).books());
    assert.deepEqual(all, [storedBook(1, { title: 'A' })]);
  });

  test('nothing before the first next()', async (t) => {
    let requests = 0;
    const url = await startPeer(t, (_, response) => {
      requests++;
      response.end(listOf(1));
    });
    const client = connect(t, url);
    await client.books().return();
    assert.equal(requests, 0);
    await collect(client.books());
    assert.equal(requests, 1);
  });

  test('until the reader stops, which ends the request', async (t) => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const url = await startPeer(t, (request, response) => {
      response.once('close', closed);
      response.write(listOf(1_000, 1_000).slice(0, -2)); // It has no end.
      assert.equal(request.url, '/books');
    });
    for await (const book of connect(t, url, { timeoutMs: 60_000 }).books()) if (book.id === 3) break;
    await gone;
  });

  test('while the same client is used for other requests', async (t) => {
    const { url, token } = await startService(t);
    const client = connect(t, url, { token });
    for (let i = 0; i < 3; i++) await client.create(emma);
    for await (const book of client.books()) await client.update(book.id, { title: `${book.id}` });
    assert.deepEqual(
      (await collect(client.books())).map((book) => book.title),
      ['1', '2', '3'],
    );
  });
});

describe('books() with a malformed response', () => {
  const envelope = (data: unknown) => JSON.stringify({ status: 200, message: 'x', data });
  const book = JSON.stringify(storedBook(1));
  const table: [what: string, body: string][] = [
    ['nothing', ''],
    ['a page', '<html>'],
    ['garbage behind a book', `{"status":200,"message":"x","data":[${book},?`],
    ['garbage behind the end', `{"status":200,"message":"x","data":[${book}]}<html>`],
    ['cut off behind a book', `{"status":200,"message":"x","data":[${book}`],
    ['cut off in a book', `{"status":200,"message":"x","data":[${book.slice(0, -5)}`],
    ['cut off behind the list', `{"status":200,"message":"x","data":[${book}]`],
    ['a number', '7'],
    ['a list without its envelope', `[${book}]`],
    ['another object', '{"books":[]}'],
    ['an object in place of the list', envelope({})],
    ['an object of books', envelope({ a: JSON.parse(book) as unknown })],
    ['null in place of the list', envelope(null)],
    ['text in place of the list', envelope('x')],
    ['a list of something other than books', envelope([{ id: 'x' }])],
    ['a list of lists', envelope([[JSON.parse(book)]])],
    ['a book with half a year', envelope([{ ...storedBook(1), year: 0.5 }])],
    ['an envelope of another status', `{"status":201,"message":"x","data":[${book}]}`],
    ['an envelope without status and message', `{"data":[${book}]}`],
  ];
  for (const [what, body] of table) {
    test(`${what}: bad_response`, async (t) => {
      const url = await startPeer(t, (_, response) => {
        response.end(body);
      });
      await assert.rejects(collect(connect(t, url).books()), { code: 'bad_response' });
    });
  }

  test('yields the books before it', async (t) => {
    const url = await startPeer(t, (_, response) => {
      response.end(`{"status":200,"message":"x","data":[${book},`);
    });
    const books = connect(t, url).books();
    assert.equal((await books.next()).done, false);
    await assert.rejects(books.next(), { code: 'bad_response' });
  });

  test('is unreachable if the connection breaks', async (t) => {
    const url = await startPeer(t, (_, response) => {
      response.write(`{"status":200,"message":"x","data":[${book},`, () => response.destroy());
    });
    await assert.rejects(collect(connect(t, url).books()), { code: 'unreachable', message: /broke/ });
  });

  test('fails with the error of the service or a gateway', async (t) => {
    const { url, port } = await startService(t);
    await assert.rejects(collect(connect(t, url).books()), { code: 'token_required' });
    await assert.rejects(collect(connect(t, url, { token: 'x' }).books()), { code: 'invalid_token' });
    await assert.rejects(collect(connect(t, `http://127.0.0.1:${port}/x`).books()), { code: 'not_found' });
    const gateway = await startPeer(t, (_, response) => {
      response.writeHead(502).end('Bad gateway');
    });
    await assert.rejects(collect(connect(t, gateway).books()), { code: 'unreachable' });
    await assert.rejects(collect(connect(t, 'http://127.0.0.1:1').books()), { code: 'unreachable' });
  });
});

describe('the timeout', () => {
  const timeoutMs = 200;
  const longer = 1_000; // Where nothing may run out of time, however busy the machine is.

  test('does not apply to the reader', async (t) => {
    const text = listOf(1_000, 20_000); // More than the buffers on the way hold.
    const url = await startPeer(t, (_, response) => {
      response.end(text);
    });
    let count = 0;
    for await (const book of connect(t, url, { timeoutMs: longer }).books()) {
      count++;
      if (book.id === 1 || book.id === 500) await setTimeout(1.5 * longer);
    }
    assert.equal(count, 1_000);
  });

  test('does not apply to a long response that continues', async (t) => {
    const text = listOf(10);
    const step = Math.ceil(text.length / 8);
    const sendTo = async (response: ServerResponse) => {
      for (let at = 0; at < text.length; at += step) {
        response.write(text.slice(at, at + step));
        await setTimeout(longer / 5);
      }
      response.end();
    };
    const url = await startPeer(t, (_, response) => void sendTo(response));
    assert.equal((await collect(connect(t, url, { timeoutMs: longer }).books())).length, 10);
  });

  test('applies to a server that does not respond', async (t) => {
    const url = await startPeer(t, () => undefined);
    const reading = collect(connect(t, url, { timeoutMs }).books());
    await assert.rejects(reading, { code: 'unreachable', message: /no response within 0.2 s/ });
  });

  test('applies to a response that stops', async (t) => {
    for (const start of ['', '{', listOf(2).slice(0, -2)]) {
      const url = await startPeer(t, (_, response) => {
        response.flushHeaders();
        response.write(start);
      });
      const reading = collect(connect(t, url, { timeoutMs }).books());
      await assert.rejects(reading, { code: 'unreachable', message: /the response stopped for 0.2 s/ });
    }
  });
});

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

  const failures: [what: string, status: number, body: string, code: string][] = [
    ['a page', 200, '<html>', 'bad_response'],
    ['a page that is not found', 404, '<html>', 'bad_response'],
    [
      'a service elsewhere on the server',
      404,
      '{"status":404,"message":"Not found","data":null}',
      'not_found',
    ],
    ['no store', 503, '{"status":503,"message":"Service unavailable","data":null}', 'unavailable'],
  ];
  for (const [what, status, body, code] of failures) {
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
    const { import: batch, ...imported } = await client.createMany([]);
    assert.match(batch, /^[0-9a-f]{20}$/);
    assert.deepEqual(imported, { ids: [], rejected: [] });
    const options = { batch: 'my-import' };
    assert.deepEqual(await client.createMany([emma, { year: 1.5 }, { title: 'A' }], options), {
      import: 'my-import',
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
    assert.deepEqual(await Promise.all([client.list(), collect(client.books()), client.list()]), [
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
});
