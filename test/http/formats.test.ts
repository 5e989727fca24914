import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ShelflistError } from '../../src/index.ts';
import { bookOf, storedBook } from '../support/books.ts';
import { startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';

const service = await startService({ after });
const csl = 'application/vnd.citationstyles.csl+json';

const get = (path: string, accept: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, {
    method,
    headers: { Authorization: service.token, Accept: accept, ...headers },
  });

const books = [
  bookOf({ title: 'Emma', author: 'Jane Austen', year: 1815 }),
  bookOf({ title: '=1+1', author: 'Andrew Hunt, Homer', year: 0 }),
  bookOf({ title: '', author: '"a"\n,b', year: -750 }),
];

test('no books: a header, nothing, an empty array', async () => {
  assert.equal(await (await get('/books', 'text/csv')).text(), 'id,title,author,year\r\n');
  assert.equal(await (await get('/books', 'application/x-ndjson')).text(), '');
  assert.deepEqual(await (await get('/books?q=x', csl)).json(), []);
  for (const body of books) await service.request('POST', '/book', { token: service.token, body });
});

const bodies: readonly (readonly [accept: string, type: string, one: string, all: string])[] = [
  [
    'text/csv',
    'text/csv; charset=utf-8; header=present',
    'id,title,author,year\r\n1,Emma,Jane Austen,1815\r\n',
    'id,title,author,year\r\n1,Emma,Jane Austen,1815\r\n2,=1+1,"Andrew Hunt, Homer",0\r\n3,"","""a""\n,b","-750"\r\n',
  ],
  [
    'application/x-ndjson',
    'application/x-ndjson',
    '{"id":1,"title":"Emma","author":"Jane Austen","year":1815}\n',
    books.map((book, at) => `${JSON.stringify({ id: at + 1, ...book })}\n`).join(''),
  ],
  [
    csl,
    csl,
    '[\n{"id":1,"type":"book","title":"Emma","author":[{"family":"Austen","given":"Jane"}],"issued":{"date-parts":[[1815]]}}\n]\n',
    '',
  ],
];

for (const [accept, type, one, all] of bodies)
  describe(`Accept: ${accept}`, () => {
    test('gives the books of the query, a page of them, or all', async () => {
      for (const query of ['?q=emma', '?limit=1', '?title=emma&limit=5', '?yearFrom=1&sort=-year']) {
        const response = await get(`/books${query}`, accept);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), type);
        assert.equal(response.headers.get('vary'), 'Accept');
        assert.equal(await response.text(), one, query);
      }
      const text = await (await get('/books', accept)).text();
      if (all !== '') assert.equal(text, all);
    });

    test('has the headers of a page, and a link to the next one', async () => {
      const response = await get('/books?limit=2&count=true', accept);
      assert.equal(response.headers.get('x-total-count'), '3');
      const [, next = ''] = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
      assert.match(await (await get(`/${next}`, accept)).text(), /-750/);
    });

    test('has a tag of its own', async () => {
      for (const query of ['', '?q=emma']) {
        const json = (await get(`/books${query}`, 'application/json')).headers.get('etag') ?? '';
        const tag = (await get(`/books${query}`, accept)).headers.get('etag') ?? '';
        assert.match(tag, /^W\/"/);
        assert.notEqual(tag, json);
        const unchanged = await get(`/books${query}`, accept, { 'If-None-Match': tag });
        assert.equal(unchanged.status, 304);
        assert.equal(unchanged.headers.get('vary'), 'Accept');
        assert.equal((await get(`/books${query}`, accept, { 'If-None-Match': json })).status, 200);
      }
    });

    test('HEAD has the same headers, without a body', async () => {
      const response = await get('/books', accept, {}, 'HEAD');
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, type]);
      assert.equal(await response.text(), '');
    });

    test('keeps errors in the envelope', async () => {
      for (const [path, headers, status] of [
        ['/books?x=1', {}, 400],
        ['/books', { Authorization: '' }, 401],
        ['/books', { 'If-Match': '"x"' }, 412],
      ] as const) {
        const response = await get(path, accept, headers);
        assert.equal(response.headers.get('content-type'), 'application/json');
        assert.equal(response.status, status);
        assert.equal(((await response.json()) as { status: number }).status, status);
      }
    });
  });

test('any other Accept gives the envelope, with Vary', async () => {
  for (const accept of ['*/*', 'application/json', 'text/html', 'image/png', 'text/csv;q=0']) {
    const response = await get('/books', accept);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('vary'), 'Accept');
    assert.equal(((await response.json()) as { message: string }).message, 'Books retrieved successfully');
  }
});

describe('a list of several pages', () => {
  const many = Array.from({ length: 2500 }, (_, at) => ({
    title: `Many ${at}`,
    author: 'Someone Else',
    year: at,
  }));

  test('is complete in each format, by id and by a query', async () => {
    const imported = await service.request('POST', '/books', { token: service.token, body: many });
    assert.equal(imported.status, 200);
    for (const path of ['/books', '/books?authorWords=someone']) {
      const { data } = (await (await get(path, '*/*')).json()) as { data: unknown[] };
      const lines = (await (await get(path, 'application/x-ndjson')).text()).trim().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        data,
      );
      assert.equal(((await (await get(path, csl)).json()) as unknown[]).length, data.length);
      const csv = await (await get(path, 'text/csv')).text();
      assert.equal(csv.match(/^\d+,/gm)?.length, data.length);
      assert.equal(csv.match(/^id,/gm)?.length, 1);
    }
  });
});

describe('an endless list', () => {
  const page = Array.from({ length: 1000 }, (_, at) => storedBook(at + 1, { title: 'x'.repeat(1000) }));

  for (const [accept] of bodies)
    test(`as ${accept} is read as its client takes it, and no further when the client leaves`, async (t) => {
      let pages = 0;
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const store = stubStore(new Error('unused'), {
        version: () => Promise.resolve('1'),
        async *iterate() {
          try {
            for (;;) {
              pages++;
              yield await Promise.resolve(page);
            }
          } finally {
            end();
          }
        },
      });
      const { url, token } = await startService(t, { store });
      const leaving = new AbortController();
      const headers = { Authorization: token, Accept: accept };
      const response = await fetch(`${url}/books`, { headers, signal: leaving.signal });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      for (let taken = 0; taken < 5_000_000;) taken += (await reader.read()).value?.length ?? 0;
      const most = 5 + 40; // Pages of a megabyte in the buffers of both sides.
      assert.ok(pages < most, `${pages} pages`);
      leaving.abort();
      await ended;
      assert.ok(pages < most + 40, `${pages} pages`);
    });

  test('that fails breaks the connection', async (t) => {
    const store = stubStore(new Error('unused'), {
      version: () => Promise.resolve('1'),
      async *iterate() {
        for (let i = 0; i < 3; i++) yield await Promise.resolve(page);
        throw new ShelflistError('unavailable');
      },
    });
    const { url, token } = await startService(t, { store });
    const response = await fetch(`${url}/books`, { headers: { Authorization: token, Accept: 'text/csv' } });
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
  });

  test('that fails at once gives an error in the envelope', async (t) => {
    const store = stubStore(new ShelflistError('unavailable'), { version: () => Promise.resolve('1') });
    const { url, token } = await startService(t, { store });
    const response = await fetch(`${url}/books`, { headers: { Authorization: token, Accept: 'text/csv' } });
    assert.deepEqual([response.status, response.headers.get('content-type')], [503, 'application/json']);
  });
});
