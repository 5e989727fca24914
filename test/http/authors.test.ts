import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openStore, ShelflistError, type BookStore } from '../../src/index.ts';
import type { AuthorCount } from '../../src/store.ts';
import { bookOf } from '../support/books.ts';
import { connect } from '../support/client.ts';
import { gatedStore } from '../support/gated-store.ts';
import { embeddedStore, startService } from '../support/service.ts';

const scope = { after };
const catalogue: [author: string, count: number][] = [
  ['', 3],
  ['???', 1],
  ['Åsa Larsson', 2],
  ['Charlotte Brontë', 1],
  ["Flann O'Brien", 1],
  ['JANE AUSTEN', 1],
  ['Jane Austen', 30],
  ['Austen, Jane', 2],
  ['J.R.R. Tolkien', 2],
  ['J. R. R. Tolkien', 3],
  ['J.R.R. Tolkein', 1],
  ['Zadie Smith', 2],
];
const books = catalogue.flatMap(([author, count]) => Array.from({ length: count }, () => ({ author })));
const byName = [
  'Åsa Larsson 2',
  'Austen, Jane 2',
  'Charlotte Brontë 1',
  "Flann O'Brien 1",
  'J.R.R. Tolkein 1',
  'J. R. R. Tolkien 5',
  'Jane Austen 31',
  'Zadie Smith 2',
];
const format = (authors: readonly AuthorCount[]) => authors.map(({ author, count }) => `${author} ${count}`);
const formatGroups = (groups: readonly AuthorCount[][]) => groups.map((group) => format(group).join(' | '));

const memory = await openStore('memory:');
/** A search for authors takes too long where very many books have one. */
const slowStore: BookStore = {
  ...memory,
  find: async (query, page) => {
    if (query.authorWords) throw new ShelflistError('unavailable', { message: 'the query takes too long' });
    return memory.find(query, page);
  },
};

for (const [kind, place] of [
  ['memory:', { databaseUrl: 'memory:' }],
  ['searched among the counted authors', { store: slowStore }],
  ['file:', await embeddedStore(scope)],
] as const)
  describe(`GET /authors, ${kind}`, async () => {
    const service = await startService(scope, { ...place, publicRead: true });
    const client = connect(scope, service.url, { token: service.token });
    await client.createMany(books);

    test('lists every author with the number of books, by name', async () => {
      const { items: authors, next } = await client.authors();
      assert.deepEqual(format(authors), byName);
      assert.equal(next, undefined);
      assert.deepEqual(format((await client.authors({ sort: '-author' })).items), byName.toReversed());
    });

    test('lists them by number, and those with as many by name', async () => {
      const { items: authors } = await client.authors({ sort: '-count' });
      assert.deepEqual(format(authors), [
        'Jane Austen 31',
        'J. R. R. Tolkien 5',
        'Åsa Larsson 2',
        'Austen, Jane 2',
        'Zadie Smith 2',
        'Charlotte Brontë 1',
        "Flann O'Brien 1",
        'J.R.R. Tolkein 1',
      ]);
      const some = await client.authors({ sort: 'count', limit: 4 });
      assert.deepEqual(
        some.items.map(({ count }) => count),
        [1, 1, 1, 2],
      );
    });

    test('in pages of any size, each author is there once', async () => {
      for (const sort of ['author', '-author', 'count', '-count'] as const)
        for (const q of ['', 'j']) {
          const whole = (await client.authors({ sort, q })).items;
          for (const limit of [1, 2, 3, 7]) {
            const found: AuthorCount[] = [];
            for (let after: string | undefined; ;) {
              const page = await client.authors({ sort, q, limit, ...(after !== undefined && { after }) });
              assert.ok(page.items.length <= limit);
              found.push(...page.items);
              after = page.next;
              if (after === undefined) break;
            }
            assert.deepEqual(found, whole, `${sort} ${q} ${limit}`);
          }
        }
    });

    const searches: [q: string, found: string[]][] = [
      ['jane', ['Austen, Jane 2', 'Jane Austen 31']],
      ['AUST j', ['Austen, Jane 2', 'Jane Austen 31']],
      ['brien', ["Flann O'Brien 1"]],
      ['tolkien', ['J. R. R. Tolkien 5']],
      ['larss', ['Åsa Larsson 2']],
      ['emma', []],
      [' ', byName],
      ['?', []],
    ];
    for (const [q, found] of searches)
      test(`finds the names with these words: ${q}`, async () => {
        for (const sort of ['author', 'count'] as const) {
          const { items: authors } = await client.authors({ q, sort });
          assert.deepEqual(format(authors).sort(), [...found].sort(), sort);
        }
      });

    test('groups the spellings of one name', async () => {
      const { items: groups } = await client.authorVariants();
      assert.deepEqual(formatGroups(groups), [
        'J. R. R. Tolkien 3 | J.R.R. Tolkien 2 | J.R.R. Tolkein 1',
        'Jane Austen 30 | Austen, Jane 2 | JANE AUSTEN 1',
      ]);
      const first = await client.authorVariants({ limit: 1 });
      assert.deepEqual(first.items, groups.slice(0, 1));
      const second = await client.authorVariants({ limit: 1, after: first.next ?? '' });
      assert.deepEqual([second.items, second.next], [groups.slice(1), undefined]);
      assert.deepEqual((await client.authorVariants({ q: 'austen' })).items, groups.slice(1));
    });

    test('refuses what is no parameter, and the cursor of another query', async () => {
      const { next = '' } = await client.authors({ limit: 1 });
      for (const query of [
        'sort=title',
        'variants=yes',
        'limit=0',
        'year=1',
        `limit=1&after=${next}x`,
        `limit=1&q=j&after=${next}`,
        `limit=1&sort=count&after=${next}`,
        `limit=1&variants=true&after=${next}`,
      ]) {
        const { status, envelope } = await service.request('GET', `/authors?${query}`);
        assert.deepEqual([status, envelope?.message], [400, 'Invalid query'], query);
      }
      assert.equal((await service.request('GET', `/authors?limit=1&after=${next}`)).status, 200);
    });

    test('links to the next page, and needs no token if reading is public', async () => {
      const { headers } = await service.request('GET', '/authors?q=j&limit=2');
      assert.match(String(headers.link), /^<authors\?q=j&limit=2&after=[\w-]+>; rel="next"$/);
    });

    test('sees every acknowledged write', async () => {
      const { id } = await client.create({ author: 'New' });
      for (const sort of ['author', 'count'] as const)
        assert.deepEqual(format((await client.authors({ q: 'new', sort })).items), ['New 1'], sort);
      const other = await client.create({ author: 'NEW' });
      assert.deepEqual(formatGroups((await client.authorVariants({ q: 'new' })).items), ['NEW 1 | New 1']);
      await client.delete(id);
      await client.delete(other.id);
      for (const sort of ['author', 'count'] as const)
        assert.deepEqual((await client.authors({ q: 'new', sort })).items, [], sort);
      assert.deepEqual((await client.authorVariants({ q: 'new' })).items, []);
    });
  });

test('names that are cut in an index are counted as one author', async () => {
  const service = await startService(scope);
  const client = connect(scope, service.url, { token: service.token });
  const long = 'x'.repeat(1500);
  await client.createMany([`${long}a`, 'A', `${long}b`, `${long}a`].map((author) => ({ author })));
  const counts = (await client.authors({ limit: 5 })).items.map(({ count }) => count);
  assert.deepEqual(counts, [1, 3]);
  assert.deepEqual(
    (await client.authors({ sort: '-count' })).items.map(({ count }) => count),
    [3, 1],
  );
});

test('an author whose books have other signs is counted as one, whatever the page', async () => {
  const service = await startService(scope);
  const client = connect(scope, service.url, { token: service.token });
  const names = [...Array.from({ length: 40 }, () => 'C'), ...Array.from({ length: 30 }, () => 'C++'), 'D'];
  await client.createMany(names.map((author) => ({ author })));
  for (const sort of ['author', '-author'] as const)
    for (const limit of [1, 2, 100]) {
      const { items: authors } = await client.authors({ sort, limit, q: 'c' });
      assert.deepEqual(format(authors), ['C 70'], `${sort}, ${limit}`);
      const page = await client.authors({ sort, limit });
      const [first] = sort === 'author' ? page.items : page.items.slice(1);
      if (first !== undefined) assert.equal(first.count, 70);
    }
});

test('GET /authors needs a token unless reading is public', async () => {
  const service = await startService(scope);
  assert.equal((await service.request('GET', '/authors')).status, 401);
});

test('while the authors are counted for the first time, an order by number is 503 with Retry-After, which is no error, and a search is answered', async () => {
  const names = ['Jane Austen', 'Zadie Smith', 'Jane Eyre', 'JANE EYRE', 'Jane Zola'];
  const { store, open } = await gatedStore(
    scope,
    names.map((author) => bookOf({ author })),
  );
  const many = Array.from({ length: 5000 }, (_, i) => ({ ...bookOf({ author: 'Jane Austen' }), id: i + 1 }));
  const service = await startService(scope, {
    store: {
      ...store,
      // Read all at once, the matches of a search have no end.
      find: async (query, page) =>
        query.authorWords !== undefined && page.limit === many.length
          ? { books: many, isLast: false, end: { key: 'jane austen', id: many.length } }
          : store.find(query, page),
    },
  });
  const ask = (query: string) => service.request('GET', `/authors?${query}`, { token: service.token });
  const [{ status, headers }, first] = await Promise.all([ask('sort=count'), ask('q=jane&limit=2')]);
  assert.equal(status, 503);
  assert.match(headers['retry-after'] ?? '', /^[1-9][0-9]*$/);
  assert.match(String(headers['x-progress']), /^[0-9]{1,2}$/);
  assert.deepEqual(first.envelope?.data, [
    { author: 'Jane Austen', count: 1 },
    { author: 'Jane Eyre', count: 2 },
  ]);
  const next = /<authors\?([^>]*)>/.exec(String(first.headers.link))?.[1] ?? assert.fail();
  assert.deepEqual(service.log, []);
  assert.ok(service.requests.some((line) => line.startsWith('the books of all authors are being counted')));
  open();
  assert.equal((await ask('sort=count')).status, 200);
  assert.deepEqual((await ask(next)).envelope?.data, [{ author: 'Jane Zola', count: 1 }]);
});

test('a search that would read very many books is answered from the counted authors', async (t) => {
  const own = { after: t.after.bind(t) };
  const memory = await openStore('memory:');
  let reads = 0;
  const many = Array.from({ length: 5000 }, (_, i) => ({ ...bookOf({ author: 'Jane Austen' }), id: i + 1 }));
  const store: BookStore = {
    ...memory,
    find: async (query, page) => {
      if (!query.authorWords) return memory.find(query, page);
      reads++;
      return { books: many, isLast: false, end: { key: 'jane austen', id: 5000 } };
    },
  };
  const service = await startService(own, { store });
  const client = connect(own, service.url, { token: service.token });
  await client.createMany(['Jane Austen', 'Zadie Smith', 'Jane Eyre'].map((author) => ({ author })));
  const { items: authors } = await client.authors({ q: 'jane' });
  assert.deepEqual(format(authors), ['Jane Austen 1', 'Jane Eyre 1']);
  assert.equal(reads, 3);
});
