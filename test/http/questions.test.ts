import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createClient, ShelflistError, type BookQuery } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { startService } from '../support/service.ts';
import { startStranger } from '../support/session.ts';

const service = await startService({ after });
const { token, url } = service;
const client = createClient({ url, token });
after(() => {
  client.close();
});
const catalogue = [
  bookOf({ title: 'Emma', author: 'Jane Austen', year: 1815 }), // 1
  bookOf({ title: 'Persuasion', author: 'Jane Austen', year: 1817 }),
  bookOf({ title: 'The Hobbit', author: 'J.R.R. Tolkien', year: 1937 }),
  bookOf({ title: 'Jane Eyre', author: 'Charlotte Brontë', year: 1847 }),
  bookOf({ title: 'The Epic of Gilgamesh', author: '', year: -1750 }), // 5
  bookOf({ title: 'Tolkien: a biography', author: 'H. Carpenter', year: 0 }),
];
await client.createMany(catalogue);

const get = async (path: string) => {
  const { status, envelope } = await service.request('GET', path, { token });
  assert.equal(status, 200, path);
  return envelope;
};

describe('GET /books with words of one field', () => {
  const table: [query: string, ids: number[]][] = [
    ['titleWords=tolk&authorWords=carp', [6]],
    ['authorWords=TOLKIEN%20j', [3]],
    ['titleWords=the&sort=-year&limit=1', [3]],
  ];
  for (const [query, ids] of table) {
    test(`${query}: ${ids.join(' ')}`, async () => {
      const data = (await get(`/books?${query}`))?.data as { id: number }[];
      assert.deepEqual(
        data.map(({ id }) => id),
        ids,
      );
    });
  }
});

describe('GET /stats', () => {
  test('summarizes all books', async () => {
    assert.deepEqual(await get('/stats'), {
      status: 200,
      message: 'Statistics retrieved successfully',
      data: {
        count: 6,
        years: { first: -1750, last: 1937, without: 1 },
        decades: [
          { from: -1750, count: 1 },
          { from: 1810, count: 2 },
          { from: 1840, count: 1 },
          { from: 1930, count: 1 },
        ],
        authors: [
          { author: 'Jane Austen', count: 2 },
          { author: 'Charlotte Brontë', count: 1 },
          { author: 'H. Carpenter', count: 1 },
          { author: 'J.R.R. Tolkien', count: 1 },
        ],
        estimated: false,
      },
    });
  });

  test('takes the parameters of GET /books; order and paging have no effect', async () => {
    const expected = (await get('/stats?q=jane&yearTo=1820'))?.data;
    assert.deepEqual(expected, {
      count: 2,
      years: { first: 1815, last: 1817, without: 0 },
      decades: [{ from: 1810, count: 2 }],
      authors: [{ author: 'Jane Austen', count: 2 }],
      estimated: false,
    });
    const same = await get('/stats?sort=-title&limit=1&after=x&count=true&q=jane&yearTo=1820');
    assert.deepEqual(same?.data, expected);
  });
});

describe('GET /suggest', () => {
  const table: [query: string, data: string][] = [
    ['field=author&q=jan', 'Jane Austen 2'],
    ['q=J&field=author', 'Jane Austen 2, J.R.R. Tolkien 1'],
    ['field=title&q=tolkien', 'Tolkien: a biography 1'],
    ['field=author&q=nobody', ''],
    ['field=author', 'Jane Austen 2, Charlotte Brontë 1, H. Carpenter 1, J.R.R. Tolkien 1'],
  ];
  for (const [query, expected] of table) {
    test(`${query}: ${expected}`, async () => {
      const envelope = await get(`/suggest?${query}`);
      assert.equal(envelope?.message, 'Suggestions retrieved successfully');
      const found = envelope.data as { value: string; count: number }[];
      assert.equal(found.map(({ value, count }) => `${value} ${count}`).join(', '), expected);
    });
  }
});

describe('words that contain those of a query', () => {
  test('are found if no word begins so: X-Match says it, on each page, in each format, and for the client', async () => {
    const send = (path: string, method = 'GET', headers = {}) =>
      service.request(method, path, { token, headers });
    const all = await send('/books?q=ERSUA&count=true');
    assert.deepEqual([all.headers['x-match'], all.headers['x-total-count']], ['parts', '1']);
    assert.deepEqual(all.envelope?.data, [{ id: 2, ...catalogue[1] }]);
    const first = await send('/books?titleWords=olki&limit=1');
    assert.deepEqual([first.headers['x-match'], first.headers.link], ['parts', undefined]);
    const csv = await send('/books?q=ersua', 'HEAD', { accept: 'text/csv' });
    assert.equal(csv.headers['x-match'], 'parts');
    for (const path of ['/books?q=pers', '/books?q=xyzzy', '/books?titleWords=uste', '/books'])
      assert.equal((await send(path)).headers['x-match'], undefined, path);
    const { items: books, next, match } = await client.page({ q: 'usten', limit: 1 });
    assert.deepEqual([match, books[0]?.id], ['parts', 1]);
    const second = await client.page({ q: 'usten', limit: 1, after: next });
    assert.deepEqual([second.match, second.items[0]?.id, second.next], ['parts', 2, undefined]);
    assert.equal((await client.stats({ q: 'usten' })).count, 2);
    assert.deepEqual(await client.corrections({ q: 'usten' }), []);
  });

  test('name no author in a list of authors', async () => {
    assert.deepEqual((await get('/authors?q=usten'))?.data, []);
  });
});

describe('GET /corrections', () => {
  const table: [query: string, data: object[]][] = [
    ['q=tolkein+hobit', [{ q: 'tolkien hobbit' }]],
    ['authorWords=asten&q=emma', [{ q: 'emma', authorWords: 'austen' }]],
    ['q=hobbit', []],
    ['', []],
  ];
  for (const [query, data] of table) {
    test(`${query}: ${JSON.stringify(data)}`, async () => {
      assert.deepEqual(await get(`/corrections?${query}`), {
        status: 200,
        message: 'Corrections retrieved successfully',
        data,
      });
    });
  }
});

describe('questions that are not valid: 400', () => {
  const table = [
    '/stats?x=1',
    '/stats?year=x',
    '/suggest',
    '/suggest?q=jan',
    '/suggest?field=year',
    '/suggest?field=',
    '/suggest?field=author&field=title',
    '/suggest?field=author&limit=3',
    '/suggest?field=author&q=%ff',
    '/corrections?q=%',
    '/corrections?limit=0',
    '/books?titlewords=a',
    '/books?yearWords=a',
  ];
  for (const path of table) {
    test(path, async () => {
      const { envelope } = await service.request('GET', path, { token });
      assert.deepEqual(envelope, { status: 400, message: 'Invalid query', data: null });
    });
  }
});

test('questions need a token, which is checked first', async () => {
  for (const path of ['/stats?x=1', '/suggest', '/corrections?x=1']) {
    assert.equal((await service.request('GET', path)).status, 401, path);
    assert.equal((await service.request('POST', path)).status, 405, path);
    const head = await service.request('HEAD', path.replace(/\?.*/, ''), { token });
    assert.deepEqual([head.status, head.text], [path === '/suggest' ? 400 : 200, '']);
  }
});

describe('the client', () => {
  test('asks the questions', async () => {
    const query: BookQuery = { q: 'tolkein' };
    const [correction] = await client.corrections(query);
    assert.deepEqual(correction, { q: 'tolkien' });
    assert.equal((await client.stats({ ...query, ...correction })).count, 2);
    assert.equal((await client.stats()).count, 6);
    assert.deepEqual(await client.suggest('author', 'jan'), [{ value: 'Jane Austen', count: 2 }]);
    assert.equal((await client.suggest('author')).length, 4);
    assert.deepEqual(await client.list({ authorWords: 'carp' }), [{ id: 6, ...catalogue[5] }]);
  });

  test('sends no question with arguments of the wrong type', async () => {
    for (const wrong of [
      () => client.suggest('year' as 'author'),
      () => client.suggest('author', 5 as unknown as string),
      () => client.suggest('author', '\ud800'),
      () => client.stats({ publisher: 'x' } as BookQuery),
      () => client.corrections({ q: 5 } as unknown as BookQuery),
    ])
      await assert.rejects(wrong, TypeError);
  });

  test('refuses answers of another program', async (t) => {
    let data: unknown;
    const server = await startStranger(t, (_, response) => {
      response.end(JSON.stringify({ status: 200, message: 'x', data }));
    });
    const stranger = createClient({ url: server.url, token });
    t.after(() => {
      stranger.close();
    });
    const years = { first: null, last: null, without: 0 };
    const good = { count: 0, years, decades: [], authors: [], estimated: true };
    for (data of [
      null,
      {},
      [],
      { ...good, estimated: 1 },
      { ...good, count: -1 },
      { ...good, decades: [{}] },
      { ...good, years: null },
    ])
      await assert.rejects(stranger.stats(), ShelflistError);
    for (data of [null, {}, [null], [{ value: 'x' }], [{ value: 1, count: 1 }]])
      await assert.rejects(stranger.suggest('author'), ShelflistError);
    for (data of [null, {}, [{ q: 5 }]]) await assert.rejects(stranger.corrections({}), ShelflistError);
    data = good;
    assert.deepEqual(await stranger.stats(), good);
  });
});
