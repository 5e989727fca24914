import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ShelflistError, type Book } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { isMongodbSelected, newDatabaseUrl, startSelectedMongod } from '../support/mongod.ts';
import { embeddedStore, startService, type TestService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';
import type { AnyConfig } from '../../src/server/config.ts';

const mongod = await startSelectedMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const catalogue = [
  bookOf({ title: 'Emma', author: 'Jane Austen', year: 1815 }), // 1
  bookOf({ title: 'The Hobbit', author: 'J.R.R. Tolkien', year: 1937 }),
  bookOf({ title: 'ÉMMA!', author: 'jane austen', year: 1815 }),
  bookOf({ title: 'The Hobit', author: 'J.R.R. Tolkien', year: 1937 }),
  bookOf({ title: 'Emma', author: 'Jane Austen', year: 1996 }), // 5
  bookOf({ title: 'The Hobbit', author: 'J.R.R. Tolkien', year: 0 }),
  bookOf({ title: 'The Hobbit, Part I', author: 'J.R.R. Tolkien', year: 1937 }),
  bookOf({ title: 'The Hobbit, Part II', author: 'J.R.R. Tolkien', year: 1937 }),
];

const idsOf = (data: unknown) => (data as Book[][]).map((group) => group.map(({ id }) => id));

const allStores: [name: string, config: () => Promise<Partial<AnyConfig>>, skip: string | false][] = [
  ['SQLite', () => embeddedStore({ after }), false],
  [
    'MongoDB',
    () => Promise.resolve({ databaseUrl: newDatabaseUrl(mongod) }),
    'skip' in mongod && mongod.skip,
  ],
  ['memory', () => Promise.resolve({ databaseUrl: 'memory:' }), false],
];
const stores = allStores.filter(([name]) => (name === 'MongoDB') === isMongodbSelected);

for (const [name, config, skip] of stores) {
  describe(`GET /duplicates on ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const service = await startService({ after }, await config());
    const get = (query: string) => service.request('GET', `/duplicates${query}`, { token: service.token });
    const write = (...[method, path, options]: Parameters<TestService['request']>) =>
      service.request(method, path, { token: service.token, ...options });
    for (const body of catalogue) await write('POST', '/book', { body });

    const table: [query: string, groups: number[][]][] = [
      ['', [[1, 3]]],
      ['?level=same', [[1, 3]]],
      [
        '?level=year',
        [
          [1, 3, 5],
          [2, 6],
        ],
      ],
      [
        '?level=typo',
        [
          [1, 3],
          [2, 4, 6],
        ],
      ],
      ['?level=typo&limit=1000', [[1, 3], [2, 4, 6]]], // prettier-ignore
    ];
    for (const [query, groups] of table) {
      test(`${query}: ${JSON.stringify(groups)}`, async () => {
        const { status, envelope, headers } = await get(query);
        assert.equal(status, 200);
        assert.equal(envelope?.message, 'Duplicates retrieved successfully');
        assert.deepEqual(idsOf(envelope.data), groups);
        assert.equal(headers.link, undefined);
      });
    }

    test('the groups contain whole books', async () => {
      const { envelope } = await get('');
      assert.deepEqual(envelope?.data, [[{ id: 1, ...catalogue[0] }, { id: 3, ...catalogue[2] }]]); // prettier-ignore
    });

    test('pages, by their links', async () => {
      const first = await get('?level=typo&limit=1');
      assert.deepEqual(idsOf(first.envelope?.data), [[1, 3]]);
      const [, path = ''] = /^<(duplicates\?level=typo&limit=1&after=[\w-]+)>; rel="next"$/.exec(String(first.headers.link)) ?? []; // prettier-ignore
      const second = await write('GET', `/${path}`);
      assert.deepEqual(idsOf(second.envelope?.data), [[2, 4, 6]]);
      assert.equal(second.headers.link, undefined);
      const cursor = new URLSearchParams(path.split('?')[1]).get('after') ?? '';
      assert.equal((await get(`?level=year&after=${cursor}`)).envelope?.message, 'Invalid query');
      assert.deepEqual(idsOf((await get(`?level=typo&after=${cursor}`)).envelope?.data), [[2, 4, 6]]);
    });

    test('follow writes at once: a new duplicate, a changed one, a deleted one', async () => {
      const { envelope } = await write('POST', '/book', { body: catalogue[1] });
      const { id } = envelope?.data as Book;
      assert.deepEqual(idsOf((await get('')).envelope?.data), [
        [1, 3],
        [2, id],
      ]);
      await write('PUT', `/book/${id}`, { body: { title: 'Persuasion' } });
      assert.deepEqual(idsOf((await get('')).envelope?.data), [[1, 3]]);
      await write('PUT', `/book/${id}`, { body: { title: 'The Hobbit' } });
      await write('DELETE', `/book/${id}`);
      assert.deepEqual(idsOf((await get('')).envelope?.data), [[1, 3]]);
    });
  });
}

const service = await startService({ after }, { databaseUrl: 'memory:' });

describe('GET /duplicates without a valid query or token', () => {
  for (const query of [
    '?level=',
    '?level=all',
    '?level=same&level=same',
    '?limit=0',
    '?limit=1001',
    '?after=x',
    '?after=WyJ5ZWFyIiwxXQ',
    '?after=WyJzYW1lIiwwXQ',
    '?q=emma',
  ]) {
    test(`${query}: 400`, async () => {
      const { envelope } = await service.request('GET', `/duplicates${query}`, { token: service.token });
      assert.deepEqual(envelope, { status: 400, message: 'Invalid query', data: null });
    });
  }

  test('no token: 401, before the query is read', async () => {
    const { envelope } = await service.request('GET', '/duplicates?level=all');
    assert.equal(envelope?.message, 'Authorization token required');
  });
});

test('an empty catalogue has no duplicates', async () => {
  for (const query of ['', '?level=typo', '?limit=1']) {
    const { envelope } = await service.request('GET', `/duplicates${query}`, { token: service.token });
    assert.deepEqual(envelope?.data, []);
  }
});

test('an unavailable store: 503', async (t) => {
  const broken = await startService(t, { store: stubStore(new ShelflistError('unavailable')) });
  const answer = await broken.request('GET', '/duplicates', { token: broken.token });
  assert.equal(answer.envelope?.message, 'Service unavailable');
  assert.equal(answer.headers['retry-after'], '5');
  assert.equal(answer.headers['x-progress'], undefined);
});
