import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { bookOf } from '../../support/books.ts';
import { findByRank } from '../../../src/store/sqlite/best.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { books, compareBestPages } from '../best-pages.ts';

test('SQLite lists books by rank as a simple store does, with all matches ranked and with those that are named', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  await store.createMany(books);
  await store.close();
  const db = connect(join(folder, 'shelflist.db'), { isNew: true });
  t.after(() => {
    db.close();
  });
  const reader = new Reader(db, () => false);
  await compareBestPages((...asked) => reader.answer(() => findByRank(reader, ...asked)));
});

test('the order by rank follows a title that another process changes, between two searches', async (t) => {
  const url = `file:${await temporaryFolder(t)}`;
  const [store, other] = [await openStore(url), await openStore(url)];
  t.after(() => Promise.all([store.close(), other.close()]));
  await store.createMany(['Calm Sea', 'Sea'].map((title) => bookOf({ title })));
  const found = async () => (await store.find({ q: 'sea' }, { limit: 9 })).books.map(({ title }) => title);
  assert.deepEqual(await found(), ['Sea', 'Calm Sea']);
  await other.update(1, { title: 'The Sea' });
  await other.update(2, { title: 'Seas' });
  assert.deepEqual(await found(), ['The Sea', 'Seas']);
  await other.delete(1);
  await other.create(bookOf({ title: 'A Sea' }));
  assert.deepEqual(await found(), ['A Sea', 'Seas']);
});

test('books with bytes, and with long texts, are found and ranked like others', async (t) => {
  const store = await openStore(`file:${await temporaryFolder(t)}`);
  t.after(() => store.close());
  const titles = ['Sea\0 Breeze', `Sea ${'long '.repeat(2000)}`, 'Sea', 'The Sea\0'];
  await store.createMany(titles.map((title) => bookOf({ title, author: title })));
  for (const [sort, ids] of [
    ['best', [3, 4, 1, 2]],
    ['id', [1, 2, 3, 4]],
    ['-title', [4, 2, 1, 3]],
  ] as const) {
    const { books: listed } = await store.find({ q: 'sea', sort }, { limit: 9 });
    assert.deepEqual(
      listed.map(({ id }) => id),
      ids,
    );
    for (const book of listed) assert.equal(book.author, titles[book.id - 1]);
  }
});
