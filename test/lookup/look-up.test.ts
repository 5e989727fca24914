import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { createLookUp } from '../../src/lookup/look-up.ts';
import { startBookSource } from '../support/book-source.ts';

const isbn = '9780141439587';
const books = { [isbn]: { title: 'Emma', authors: [{ name: 'Jane Austen' }], publish_date: '2003' } };
const emma = { title: 'Emma', author: 'Jane Austen', year: 2003 };

describe('the source is asked at most once a day for a number', () => {
  test('also for one that it does not know, and by callers at the same time', async (t) => {
    const source = await startBookSource(t, books);
    const lookUp = createLookUp(source.openLibrary);
    assert.deepEqual(await Promise.all([lookUp(isbn), lookUp(isbn), lookUp(isbn)]), [emma, emma, emma]);
    assert.deepEqual(await lookUp(isbn), emma);
    for (let i = 0; i < 3; i++) assert.equal(await lookUp('9780140620108'), undefined);
    assert.deepEqual(source.asked, [isbn, '9780140620108']);
  });

  test('and again after a day', async (t) => {
    const source = await startBookSource(t, books);
    const lookUp = createLookUp(source.openLibrary);
    await lookUp(isbn);
    const now = performance.now();
    t.mock.method(performance, 'now', () => now + 24 * 3_600_000 + 1);
    assert.deepEqual(await lookUp(isbn), emma);
    assert.deepEqual(source.asked, [isbn, isbn]);
  });

  test('and again after a failure, which is no answer', async (t) => {
    let isBroken = true;
    const source = await startBookSource(t, (_, response) => {
      response.statusCode = isBroken ? 500 : 200;
      response.end(JSON.stringify({ [isbn]: books[isbn] }));
    });
    const lookUp = createLookUp(source.openLibrary);
    await assert.rejects(lookUp(isbn), { code: 'unavailable', message: /HTTP status 500/ });
    isBroken = false;
    assert.deepEqual(await lookUp(isbn), emma);
  });
});

test('at most three requests are in flight', async (t) => {
  const waiting: ServerResponse[] = [];
  const source = await startBookSource(t, (_, response) => waiting.push(response));
  const lookUp = createLookUp(source.openLibrary);
  const asked = Array.from({ length: 9 }, (_, i) => lookUp(`978000000000${i}`));
  let most = 0;
  for (let done = 0; done < 9;) {
    await new Promise(setImmediate);
    most = Math.max(most, waiting.length);
    const response = waiting.shift();
    if (response === undefined) continue;
    response.end('{}');
    done++;
  }
  assert.deepEqual(
    await Promise.all(asked),
    asked.map(() => undefined),
  );
  assert.ok(most <= 3);
});

test('a request has the number and the name of the program, and nothing else of the service or its users', async (t) => {
  const source = await startBookSource(t, books);
  await createLookUp(source.openLibrary)(isbn);
  const { 'user-agent': agent = '', ...headers } = source.headers();
  assert.match(agent, /^shelflist\/\S+$/);
  for (const name of ['cookie', 'authorization', 'referer', 'origin', 'x-forwarded-for'])
    assert.equal(headers[name], undefined);
});

describe('a source fails', () => {
  const table: [what: string, respond: RequestListener, message: RegExp][] = [
    ['it answers with another status', (_, response) => response.writeHead(404).end('{}'), /HTTP status 404/],
    [
      'it redirects to another host',
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.2:9/x' }).end(),
      /another origin/,
    ],
    [
      'it redirects to another port of this machine',
      (_, response) => response.writeHead(307, { Location: 'http://127.0.0.1:9/x' }).end(),
      /another origin/,
    ],
    [
      'it redirects to something that is no address',
      (_, response) => response.writeHead(302, { Location: 'http://[' }).end(),
      /another origin/,
    ],
    [
      'it redirects for ever',
      (_, response) => response.writeHead(302, { Location: '/x' }).end(),
      /redirects too often/,
    ],
    ['its answer is neither JSON nor XML', (_, response) => response.end('Emma'), /neither JSON nor XML/],
    ['its answer is longer than 1 MiB', (_, response) => response.end(' '.repeat(2 ** 20 + 1)), /1 MiB/],
    ['its answer is not UTF-8', (_, response) => response.end(Buffer.from([0x7b, 0xff])), /not valid/],
    [
      'its book is too long to be one',
      (_, response) => response.end(JSON.stringify({ 'ISBN:9780141439587': { title: 'x'.repeat(5000) } })),
      /too long/,
    ],
    ['it breaks the connection', (_, response) => response.destroy(), /127\.0\.0\.1:\d+, .*: \S/],
  ];
  for (const [what, respond, message] of table)
    test(what, async (t) => {
      const source = await startBookSource(t, respond);
      await assert.rejects(createLookUp(source.openLibrary)(isbn), { code: 'unavailable', message });
    });

  test('nothing listens there', async () => {
    await assert.rejects(createLookUp('http://127.0.0.1:9/{isbn}')(isbn), {
      code: 'unavailable',
      message: /ECONNREFUSED|bad port/,
    });
  });

  test('it asks for a pause, which is passed on', async (t) => {
    const source = await startBookSource(t, (_, response) =>
      response.writeHead(429, { 'Retry-After': '7' }).end(),
    );
    await assert.rejects(createLookUp(source.openLibrary)(isbn), { code: 'unavailable', retryAfter: 7 });
  });

  test('it does not answer: a service that closes does not wait', async (t) => {
    const closing = new AbortController();
    const source = await startBookSource(t, () => {
      closing.abort(new Error('the service is closing'));
    });
    await assert.rejects(createLookUp(source.openLibrary, closing.signal)(isbn), {
      code: 'unavailable',
      message: /the service is closing/,
    });
  });
});

test('a redirect within the origin is followed', async (t) => {
  const source = await startBookSource(t, ({ url }, response) => {
    if (url === '/moved') response.end(JSON.stringify({ [isbn]: books[isbn] }));
    else response.writeHead(301, { Location: '/moved' }).end();
  });
  assert.deepEqual(await createLookUp(source.openLibrary)(isbn), emma);
});

test('an answer that does not end in time fails', async (t) => {
  const timeout = new AbortController();
  t.mock.method(AbortSignal, 'timeout', () => timeout.signal);
  let begun: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const source = await startBookSource(t, (_, response) => {
    response.write('{');
    begun();
  });
  const asked = createLookUp(source.openLibrary)(isbn);
  const failed = assert.rejects(asked, { code: 'unavailable', message: /no complete answer within 5 s/ });
  await hasBegun;
  timeout.abort();
  await failed;
});
