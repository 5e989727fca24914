import assert from 'node:assert/strict';
import { defaultRules } from '../../../src/catalogue/sort-keys.ts';
import { describe, test } from 'node:test';
import type { BookQuery } from '../../../src/index.ts';
import type { CompleteStore, PageRequest } from '../../../src/store.ts';
import { indexed, insertRaw, until } from '../../support/mongo-driver.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { sized } from '../../support/size.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const { skip, database, opened } = await useMongod();
const rounds = sized({ short: 15, long: 60 });

async function idsOf(
  store: CompleteStore,
  query: BookQuery,
  part: PageRequest = { limit: 1000 },
): Promise<number[]> {
  return (await store.find(query, part)).books.map(({ id }) => id);
}

describe('a catalogue of 20,000 books', { skip }, () => {
  test('is searched by index: a query examines few more documents than it returns', async (t) => {
    const { url, db } = await database(t);
    const titles = (i: number) =>
      `Volume ${i % 2 ? 'odd' : 'even'} n${i} ${i % 1000 === 7 ? 'rare' : 'usual'}`;
    const documents = Array.from({ length: 20_000 }, (_, i) => ({
      _id: i + 1,
      title: titles(i),
      author: `Author a${i % 2000}`,
      year: i % 500,
    }));
    await insertRaw(db, documents);
    const store = await opened(t, url);
    await indexed(db);
    const folded = { _id: 'books.folding', seq: Number.MAX_SAFE_INTEGER };
    const counters = db.collection<{ _id: string; seq: number }>('counters');
    await until(async () => (await counters.findOne(folded)) !== null, 'no entry is made again');
    await db.command({ profile: 2 });
    const table: [query: BookQuery, part: PageRequest, most: number][] = [
      [{}, { limit: 50 }, 60],
      [{}, { limit: 50, after: { key: 10_000, id: 10_000 } }, 60],
      [{ sort: '-id' }, { limit: 50, after: { key: 10_000, id: 10_000 } }, 60],
      [{ sort: 'title' }, { limit: 50 }, 60],
      [{ sort: '-title' }, { limit: 50 }, 60],
      [{ sort: 'title' }, { limit: 50, after: { key: 'volume odd', id: 1, order: defaultRules.name } }, 60],
      [{ sort: '-title' }, { limit: 50, after: { key: 'volume odd', id: 1, order: defaultRules.name } }, 60],
      [{ sort: 'author' }, { limit: 50 }, 60],
      [{ sort: '-author' }, { limit: 50 }, 60],
      [{ sort: '-year' }, { limit: 50, after: { key: 250, id: 10_000 } }, 80],
      [{ q: 'rare', sort: 'id' }, { limit: 50 }, 50],
      [{ q: 'rare' }, { limit: 50 }, 120], // Counted, ranked and read.
      [{ q: 'rare', sort: '-title' }, { limit: 5 }, 100],
      [{ q: 'volume usual rare', sort: 'id' }, { limit: 50, isStrict: true }, 400],
      [{ q: 'n1234' }, { limit: 50 }, 40],
      [{ q: 'volume', sort: 'id' }, { limit: 50 }, 400],
      [{ author: 'author a7' }, { limit: 50 }, 40],
      [{ author: 'author a7', sort: 'title' }, { limit: 50 }, 40],
      [{ title: 'volume odd n7 rare' }, { limit: 50 }, 10],
      [{ year: 77 }, { limit: 50 }, 100],
      [{ q: 'nothing' }, { limit: 50, isStrict: true }, 10],
      [
        { q: `n77 ${Array.from({ length: 3000 }, (_, i) => `x${i}`).join(' ')}` },
        { limit: 50, isStrict: true },
        10,
      ],
    ];
    for (const [query, part, most] of table) {
      const since = new Date();
      const { books } = await store.find(query, part);
      const entries = await db
        .collection('system.profile')
        .find({ ns: `${db.databaseName}.books`, ts: { $gte: since } })
        .toArray();
      const examined = entries.reduce(
        (sum, each) => sum + Math.max(Number(each.keysExamined ?? 0), Number(each.docsExamined ?? 0)),
        0,
      );
      const what = JSON.stringify({ query, part, examined, found: books.length });
      assert.ok(entries.length > 0 && examined <= most, what);
    }
    await db.command({ profile: 0 });
  });
});

describe('books that are changed during a search', { skip }, () => {
  for (const sort of ['title', '-title', 'author', 'year'] as const) {
    test(`are in every page that has room for them: by ${sort}`, async (t) => {
      const { url } = await database(t);
      const [store, writer] = [await opened(t, url), await opened(t, url)];
      await Promise.all(Array.from({ length: 100 }, () => store.create(emma)));
      const end = new AbortController();
      const changes = (async () => {
        for (let i = 0; !end.signal.aborted; i++) {
          const place = i % 200 < 100 ? 'b' : 'a';
          await writer.update(1 + (i % 100), { title: place, author: `Jane ${place}`, year: (i * 7) % 200 });
        }
      })();
      try {
        for (let round = 0; round < rounds; round++) {
          const found = await idsOf(store, { q: 'jane', sort });
          assert.equal(found.length, 100);
          assert.equal(new Set(found).size, 100);
        }
      } finally {
        end.abort();
        await changes;
      }
    });
  }
});

describe('a search with more words than are sent to the server', { skip }, () => {
  test('finds and counts the books that have all of them', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    const words = Array.from({ length: 40 }, (_, i) => `word${i}x`);
    await store.create({ ...emma, title: words.join(' ') });
    await store.create({ ...emma, title: words.slice(1).join(' ') });
    assert.deepEqual(await idsOf(store, { q: words.join(' ') }), [1]);
    assert.equal(await store.count({ q: words.join(' ') }), 1);
    assert.equal(await store.count({ q: words.slice(1).join(' ') }), 2);
  });
});

describe('a search whose signal is aborted', { skip }, () => {
  test('does not start, or stops', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    await Promise.all(Array.from({ length: 300 }, () => store.create(emma)));
    const signal = AbortSignal.abort();
    await assert.rejects(store.find({ q: 'emma' }, { limit: 5, signal }), { code: 'unavailable' });
    const unsure = { q: 'x'.repeat(100) };
    await store.create({ ...emma, title: 'x'.repeat(100) });
    await assert.rejects(store.count(unsure, { signal }), { code: 'unavailable' });
    assert.equal(await store.count(unsure), 1);
  });
});
