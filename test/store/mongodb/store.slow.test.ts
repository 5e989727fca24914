import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from 'mongodb';
import { version as release } from '../../../package.json';
import { newestFormat } from '../../../src/store/mongodb/migrations.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { defaultRules, formatRules } from '../../../src/catalogue/sort-keys.ts';
import { indexVersion } from '../../../src/store/mongodb/order.ts';
import { duplicateHash } from '../../../src/store/questions/duplicates.ts';
import { indexedIntegers, indexedTexts, mapFields, searchedFields } from '../../../src/catalogue/fields.ts';

const { mongod, skip, database, opened } = await useMongod();

describe('the database', { skip }, () => {
  test('holds books under their integer _id with their index entry, and the last id, the format and the clock in counters', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await store.create(emma);
    const [book, ...others] = await db.collection('books').find().toArray();
    const { rev, ...rest }: Document = book ?? {};
    const folded = mapFields(searchedFields, (name) => emma[name].toLowerCase());
    const index = {
      words: [
        ...searchedFields.flatMap((name) => folded[name].split(/[^a-z0-9]/).map((word) => `${name}:${word}`)),
        `:${emma.year}`,
      ],
      same: duplicateHash(emma),
      ...mapFields(indexedTexts, (name) => folded[name]),
      titleOrder: 'emma',
      authorOrder: 'austen jane',
      ...mapFields(indexedIntegers, (name) => emma[name]),
      rules: indexVersion(defaultRules),
    };
    assert.deepEqual([rest, others], [{ _id: 1, ...emma, index }, []]);
    assert.match(String(rev), /^[\w-]{12}$/);
    const seq = Number.MAX_SAFE_INTEGER;
    const counters = await db.collection('counters').find().sort({ _id: 1 }).toArray();
    const time = Number(counters.find(({ _id }) => String(_id) === 'history_clock')?.seq);
    assert.ok(Math.abs(Date.now() - time) < 600_000);
    assert.deepEqual(counters, [
      { _id: 'books', seq: 1 },
      { _id: 'books.folding', rules: formatRules(defaultRules), seq, version: indexVersion(defaultRules) },
      { _id: 'format', seq: newestFormat, release },
      { _id: 'history_clock', seq: time },
    ]);
  });

  test('is prepared by many services at once', async (t) => {
    const { url } = await database(t);
    const stores = await Promise.all(Array.from({ length: 8 }, () => opened(t, url)));
    const books = await Promise.all(stores.map((store) => store.create(emma)));
    assert.equal(new Set(books.map((book) => book.id)).size, 8);
  });

  test('is "shelflist" when the address names none', async (t) => {
    const store = await opened(t, newDatabaseUrl(mongod).replace(/shelflist_\w+/, ''));
    assert.match(store.description, /\/shelflist$/);
  });

  test('a counter that is lost is made again, past every book', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await store.create(emma);
    await store.create(emma);
    await db.collection('counters').deleteMany({});
    const books = await Promise.all(Array.from({ length: 20 }, () => store.create(emma)));
    assert.equal(new Set(books.map((book) => book.id)).size, 20);
    assert.ok(books.every((book) => book.id > 2));
  });

  test('refuses a book that is too large for it, and its neighbours in the same call are stored', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    const huge = { ...emma, title: 'x'.repeat(16 * 1024 * 1024) };
    const results = await Promise.allSettled([emma, emma, huge, emma].map((fields) => store.create(fields)));
    assert.deepEqual(
      results.map((result) =>
        result.status === 'rejected' ? (result.reason as { code: string }).code : 'stored',
      ),
      ['stored', 'stored', 'invalid_input', 'stored'],
    );
    await assert.rejects(store.update(1, { title: huge.title }), { code: 'invalid_input' });
  });

  test('writes ask for the majority and the journal, whatever the address says', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, `${url}&w=0&journal=false&readPreference=secondary&retryWrites=false`);
    const { id } = await store.create(emma); // With w=0 an insert of the same id twice would pass unseen.
    assert.deepEqual(await store.get(id), { id, ...emma });
  });
});
