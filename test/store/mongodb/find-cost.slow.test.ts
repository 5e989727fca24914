import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Db, Document } from 'mongodb';
import type { BookQuery } from '../../../src/index.ts';
import type { CompleteStore, KeysetPosition } from '../../../src/store.ts';
import { endOf } from '../../../src/store/contract/page.ts';
import { findBooks } from '../../../src/store/mongodb/find.ts';
import { openReading, useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

/** The ids of all books that match, read as an export does. */
async function readAll(store: CompleteStore, query: BookQuery, onPage = (): unknown => undefined) {
  const found: number[] = [];
  for (let after: KeysetPosition | undefined; ;) {
    const page = await store.find(query, { limit: 1000, after });
    found.push(...page.books.map(({ id }) => id));
    after = endOf(query, page);
    if (page.isLast) return found;
    await onPage();
  }
}

/** What the server does for a call. */
async function profile(db: Db, call: () => Promise<unknown>) {
  await db.command({ profile: 2 });
  const since = new Date();
  await call();
  await db.command({ profile: 0 });
  const entries = await db
    .collection('system.profile')
    .find({ ns: `${db.databaseName}.books`, ts: { $gte: since }, 'command.getMore': { $exists: false } })
    .toArray();
  const sum = (of: (entry: Document) => unknown) =>
    entries.reduce((all, each) => all + Number(of(each) ?? 0), 0);
  return {
    queries: entries.length,
    sorts: sum(({ hasSortStage }) => hasSortStage),
    examined: sum(({ docsExamined }) => docsExamined),
  };
}

async function fill(store: CompleteStore, count: number) {
  for (let i = 0; i < count; i += 1000)
    await store.createMany(
      Array.from({ length: Math.min(1000, count - i) }, (_, k) => ({
        title: `Ten n${(7 * (i + k)) % count}`,
        author: i + k < count / 2 ? 'Ann Ten' : 'Bob',
        year: (i + k) % 100,
      })),
    );
}

describe('a reader of all books that match', { skip }, () => {
  const count = 4200;
  const queries: [query: BookQuery, found: number][] = [
    [{ q: 'ten', sort: 'id' }, count],
    [{ q: 'ten', sort: 'title' }, count],
    [{ q: 'ann ten', sort: '-year' }, count / 2],
    [{ author: 'Ann Ten', sort: 'title' }, count / 2],
    [{ titleWords: 'ten', sort: 'title' }, count],
  ];

  test('has them sorted once, and read twice at most', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await fill(store, count);
    for (const [query, found] of queries) {
      const cost = await profile(db, async () => {
        assert.equal(new Set(await readAll(store, query)).size, found);
      });
      const what = JSON.stringify({ query, found, ...cost });
      assert.equal(cost.sorts, 1, what);
      assert.ok(cost.examined <= 2 * found + 1100, what); // The first page shows whether there are more.
    }
  });

  test('reads them in the order of single pages', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    await fill(store, count);
    const { reading } = await openReading(t, url, { maxTimeMS: 60_000 });
    for (const [query] of queries) {
      const expected: number[] = [];
      for (let after: KeysetPosition | undefined; ;) {
        const page = await findBooks(reading, query, { limit: 700, after });
        expected.push(...page.books.map(({ id }) => id));
        after = page.end;
        if (page.isLast) break;
      }
      assert.deepEqual(await readAll(store, query), expected, JSON.stringify(query));
    }
  });

  test('finds what is written between two pages', async (t) => {
    const { url } = await database(t);
    const [store, writer] = [await opened(t, url), await opened(t, url)];
    await fill(store, 2500);
    let isWritten = false;
    const last = (await store.find({ q: 'ten', sort: '-title' }, { limit: 1 })).books[0]?.id ?? 0;
    const found = await readAll(store, { titleWords: 'ten', sort: 'title' }, async () => {
      if (isWritten) return;
      isWritten = true;
      await writer.create({ title: 'Ten zzz' });
      await writer.update(last, { title: 'Twenty' });
    });
    assert.equal(found.at(-1), 2501);
    assert.ok(!found.includes(last));
    assert.equal(new Set(found).size, 2500);
  });
});

test('a page that most candidates do not match has them sorted twice at most', { skip }, async (t) => {
  const { url, db } = await database(t);
  const store = await opened(t, url);
  const books = Array.from({ length: 900 }, (_, i) => ({
    title: i < 890 ? 'C++' : 'C',
    author: `Author ${i}`,
  }));
  await store.createMany(books);
  const query = { title: 'C', sort: '-year' } as const;
  const cost = await profile(db, async () => {
    assert.equal((await store.find(query, { limit: 5 })).books.length, 5);
    assert.equal((await store.find({ ...query, sort: 'year' }, { limit: 50 })).books.length, 10);
  });
  assert.ok(cost.sorts <= 4, JSON.stringify(cost));
  assert.ok(cost.examined <= 2 * 3 * books.length, JSON.stringify(cost));
});

test('a page behind all books of an author asks for none of that author', { skip }, async (t) => {
  const { url, db } = await database(t);
  const store = await opened(t, url);
  await fill(store, 200);
  for (const [sort, id] of [
    ['author', Number.MAX_SAFE_INTEGER],
    ['-author', 0],
  ] as const) {
    const query = { authorWords: 'bob', sort };
    const after = { key: sort === 'author' ? '' : 'zzz', id };
    const cost = await profile(db, async () => {
      assert.equal((await store.find(query, { limit: 5, after, byText: true })).books.length, 5);
    });
    assert.equal(cost.queries, 2, `${sort}: a count that chooses the index, and one page`);
  }
});
