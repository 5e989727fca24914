import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { after, describe, test } from 'node:test';
import { openStore, ShelflistError, type Book } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { exchange, responses } from '../support/raw.ts';
import { startService, type TestService } from '../support/service.ts';

const service = await startService({ after });

const catalogue = [
  bookOf({ title: 'Emma', author: 'Jane Austen', year: 1815 }), // 1
  bookOf({ title: 'The Fellowship of the Ring', author: 'J.R.R. Tolkien', year: 1954 }),
  bookOf({ title: 'The Two Towers', author: 'J.R.R. Tolkien', year: 1954 }),
  bookOf({
    title: "Harry Potter and the Sorcerer's Stone",
    author: 'J.K. Rowling, Mary GrandPré',
    year: 1997,
  }),
  bookOf({ title: 'EMMA', author: 'Alexander McCall Smith', year: 2014 }), // 5
  bookOf({ title: 'Die Straße', author: 'Андрей Платонов', year: 1928 }),
  bookOf({ title: '雪国', author: '川端 康成', year: 1937 }),
  bookOf({ title: 'The Epic of Gilgamesh', author: '', year: -1750 }),
  bookOf({}), // 9
];

const send = (...[method, path, options]: Parameters<TestService['request']>) =>
  service.request(method, path, { token: service.token, ...options });
const idsOf = (data: unknown) => (data as Book[]).map(({ id }) => id);
const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];

for (const body of catalogue) await send('POST', '/book', { body });

describe('GET /books with parameters', () => {
  const table: [query: string, ids: number[]][] = [
    ['', all],
    ['?', all],
    ['?&&', all],
    ['?q=emma', [1, 5]],
    ['?q=emma+aust', [1]],
    ['?q=Grandpr%C3%A9', [4]],
    ['?q=Grandpre%CC%81', [4]],
    ['?q=stra%C3%9Fe', [6]],
    ['?q=%D0%9F%D0%9B%D0%90%D0%A2', [6]],
    ['?q=%E9%9B%AA', [7]],
    ['?q=-1750', [8]],
    ['?q=', all],
    ['?q', all],
    ['?q=+', all],
    ['?q=...', []],
    ['?title=the.two--TOWERS!', [3]],
    ['?author=j+r+r+tolkien', [2, 3]],
    ['?author=', [8, 9]],
    ['?title=', [9]],
    ['?year=1954', [2, 3]],
    ['?year=-1750', [8]],
    ['?year=0', [9]],
    ['?yearFrom=1954', [2, 3, 4, 5]],
    ['?yearTo=0', [8, 9]],
    ['?yearFrom=1900&yearTo=1954', [2, 3, 6, 7]],
    ['?yearFrom=-9007199254740991&yearTo=9007199254740991', all],
    ['?q=the&author=j+r+r+tolkien&year=1954', [3, 2]],
    ['?sort=id', all],
    ['?sort=title', [9, 6, 1, 5, 4, 8, 2, 3, 7]],
    ['?sort=-title', [7, 3, 2, 8, 4, 5, 1, 6, 9]],
    ['?sort=author', [8, 9, 1, 4, 5, 2, 3, 6, 7]],
    ['?sort=year', [8, 9, 1, 6, 7, 2, 3, 4, 5]],
    ['?q=the&sort=-year', [4, 3, 2, 8]],
    ['?limit=3', [1, 2, 3]],
    ['?limit=1000', all],
    ['?sort=-title&limit=2', [7, 3]],
    ['?count=false', all],
  ];
  for (const [query, ids] of table) {
    test(`${query}: ${ids.join(' ')}`, async () => {
      const answer = await send('GET', `/books${query}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.envelope?.message, 'Books retrieved successfully');
      assert.deepEqual(idsOf(answer.envelope.data), ids);
      assert.equal(answer.headers['x-total-count'], undefined);
    });
  }

  test('whole books', async () => {
    const { envelope } = await send('GET', '/books?q=gilgamesh');
    assert.deepEqual(envelope?.data, [{ id: 8, ...catalogue[7] }]);
  });

  test('an absolute request target', async () => {
    const target = 'http://somewhere/books?q=emma';
    const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\nConnection: close\r\n\r\n`;
    const [answer] = responses(await exchange(service.port, head));
    assert.deepEqual(idsOf((JSON.parse(answer?.body ?? '') as { data: unknown }).data), [1, 5]);
  });
});

describe('Invalid query: 400', () => {
  const cursor = 'WyJ4IiwxLDFd';
  const table = [
    '?x=1',
    '?Q=emma',
    '?=1',
    '?__proto__=1',
    '?q=a&q=b',
    '?q=a&%71=b',
    '?year=1954&year=1954',
    '?year=',
    '?year',
    '?year=01954',
    '?year=1e3',
    '?year=+1954',
    '?year=-0',
    '?year=19.5',
    '?year=9007199254740992',
    '?yearFrom=x',
    '?yearTo=1,2',
    '?sort=',
    '?sort=price',
    '?sort=--id',
    '?sort=Title',
    '?sort=+title',
    '?limit=0',
    '?limit=1001',
    '?limit=-1',
    '?limit=05',
    '?limit=1.0',
    '?limit=',
    '?count=1',
    '?count=TRUE',
    '?count=',
    '?after=',
    '?after=x',
    `?after=${cursor}`,
    '?q=%zz',
    '?q=%',
    '?q=%ff',
    '?q=%ED%A0%80',
    '?%ff=1',
  ];
  for (const query of table) {
    test(query, async () => {
      const { status, envelope } = await send('GET', `/books${query}`);
      assert.deepEqual(
        { status, envelope },
        {
          status: 400,
          envelope: { status: 400, message: 'Invalid query', data: null },
        },
      );
    });
  }

  test('before If-None-Match', async () => {
    assert.equal((await send('GET', '/books?x=1', { headers: { 'If-None-Match': '*' } })).status, 400);
  });

  test('after the token is checked', async () => {
    assert.equal((await service.request('GET', '/books?x=1')).status, 401);
  });

  test('only for /books: other paths ignore the query string', async () => {
    assert.equal((await send('GET', '/book/1?x=1')).status, 200);
  });
});

describe('paging', () => {
  async function walk(query: string): Promise<{ ids: number[]; pages: number }> {
    const ids: number[] = [];
    let path: string | undefined = `/books?${query}`;
    let pages = 0;
    while (path !== undefined) {
      const { envelope, headers } = await send('GET', path);
      ids.push(...idsOf(envelope?.data));
      pages++;
      path = nextOf(headers);
    }
    return { ids, pages };
  }
  const nextOf = ({ link }: IncomingHttpHeaders) =>
    /^<(books\?[!-;=?-~]+)>; rel="next"$/.exec(link as string)?.[1]?.replace(/^/, '/');

  const table: [query: string, ids: number[], pages: number][] = [
    ['limit=4', all, 3],
    ['limit=3', all, 3],
    ['limit=10', all, 1],
    ['limit=2&sort=-title', [7, 3, 2, 8, 4, 5, 1, 6, 9], 5],
    ['limit=1&sort=-year', [5, 4, 3, 2, 7, 6, 1, 9, 8], 9],
    ['limit=2&q=the&sort=-year&yearFrom=0', [4, 3, 2], 2],
    ['limit=5&q=nothing', [], 1],
  ];
  for (const [query, ids, pages] of table) {
    test(`${query}: ${pages} pages`, async () => {
      assert.deepEqual(await walk(query), { ids, pages });
    });
  }

  test('neither the last page nor a list without a limit has a Link', async () => {
    assert.equal((await send('GET', '/books?limit=9')).headers.link, undefined);
    assert.equal((await send('GET', '/books?sort=title')).headers.link, undefined);
  });

  test('a cursor is valid for its query only, however it is spelled, and for any limit', async () => {
    const after = /after=([^&>]+)/.exec(
      String((await send('GET', '/books?q=the&limit=1&sort=title')).headers.link),
    )?.[1];
    for (const [query, status] of [
      ['q=the&sort=title', 200],
      ['q=THE+the&sort=title&limit=2', 200],
      ['q=the&sort=title&count=true', 200],
      ['q=the&sort=-title', 400],
      ['q=the', 400],
      ['sort=title', 400],
      ['q=th&sort=title', 400],
      ['q=the&sort=title&year=1954', 400],
      ['q=the&sort=title&author=', 400],
    ] as const)
      assert.equal((await send('GET', `/books?${query}&after=${after}`)).status, status, query);
  });

  test('an altered cursor is refused', async () => {
    const { link } = (await send('GET', '/books?limit=1&sort=title')).headers;
    const after = /after=([^&>]+)/.exec(String(link))?.[1] ?? '';
    for (const altered of [
      after.slice(1),
      `${after}A`,
      `${after}=`,
      `A${after.slice(1)}`,
      after.toUpperCase(),
    ])
      assert.equal((await send('GET', `/books?sort=title&after=${altered}`)).status, 400, altered);
  });

  test('the Link is relative to the request', async (t) => {
    const mounted = await startService(t, { prefix: '/library' });
    const { token } = mounted;
    for (const body of catalogue.slice(0, 2)) await mounted.request('POST', '/library/book', { token, body });
    const { headers } = await mounted.request('GET', '/library/books?limit=1', { token });
    assert.match(String(headers.link), /^<books\?limit=1&after=[\w-]+>; rel="next"$/);
  });

  test('long titles that are cut between words, or have the same sort key', async (t) => {
    const long = await startService(t);
    const { token } = long;
    const titles = ['word '.repeat(201), 'word '.repeat(200), `${'word '.repeat(250)}x`, 'a'.repeat(1000)];
    titles.push('a'.repeat(1001), 'a'.repeat(1002));
    for (const title of titles) await long.request('POST', '/book', { token, body: { title } });
    const ids: number[] = [];
    for (let path: string | undefined = '/books?sort=title&limit=1'; path !== undefined;) {
      const { envelope, headers } = await long.request('GET', path, { token });
      assert.equal(envelope?.status, 200, path);
      ids.push(...idsOf(envelope.data));
      path = nextOf(headers);
    }
    assert.deepEqual(ids, [4, 5, 6, 1, 2, 3]);
    const { envelope } = await long.request('GET', `/books?title=${'a'.repeat(1001)}`, { token });
    assert.deepEqual(idsOf(envelope?.data), [5]);
  });

  test('the Link keeps the spelling of the query', async () => {
    const { headers } = await send('GET', '/books?&q=e!!(*)%20%7E&limit=1&%61fter=&');
    assert.equal(headers.link, undefined);
    const first = await send('GET', '/books?q=e!!(*)%20>&limit=1');
    const next = /^<books\?q=e!!\(\*\)%20%3E&limit=1&after=([\w-]+)>; rel="next"$/.exec(
      String(first.headers.link),
    );
    const second = await send('GET', `/books?%61fter=${next?.[1]}&limit=1&q=e!!(*)%20>`);
    assert.match(
      String(second.headers.link),
      /^<books\?limit=1&q=e!!\(\*\)%20%3E&after=[\w-]+>; rel="next"$/,
    );
  });

  test('X-Total-Count is the number of all matching books', async () => {
    for (const [query, total] of [
      ['count=true', '9'],
      ['count=true&limit=1', '9'],
      ['count=true&q=the&limit=2', '4'],
      ['count=true&q=nothing', '0'],
    ])
      assert.equal((await send('GET', `/books?${query}`)).headers['x-total-count'], total, query);
  });

  test('a list whose books the store cannot count in time has no X-Total-Count', async (t) => {
    const store = await openStore('memory:');
    const count = () => Promise.reject(new ShelflistError('unavailable'));
    const uncounted = await startService(t, { store: { ...store, count } });
    await store.create({ title: 'Emma' });
    for (const path of ['/books?count=true&limit=1', '/books?count=true&q=emma']) {
      const { envelope, headers } = await uncounted.request('GET', path, { token: uncounted.token });
      assert.deepEqual([envelope?.status, idsOf(envelope?.data)], [200, [1]]);
      assert.equal(headers['x-total-count'], undefined);
    }
    assert.deepEqual(uncounted.log, []);
  });

  test('HEAD has the same headers without a body', async () => {
    const path = '/books?q=the&limit=1&count=true';
    const [get, head] = [await send('GET', path), await send('HEAD', path)];
    for (const name of ['link', 'x-total-count', 'etag', 'content-length', 'content-type'])
      assert.equal(head.headers[name], get.headers[name], name);
    assert.equal(head.text, '');
  });
});
