import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { findByFitness } from '../../../src/store/sqlite/best.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { books, compareBestPages } from '../best-pages.ts';

test('SQLite lists books by fitness as a simple store does, with all matches ranked and with those that are named', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  await store.createMany(books);
  await store.close();
  const db = connect(join(folder, 'shelflist.db'), { isNew: true });
  t.after(() => {
    db.close();
  });
  const reader = new Reader(db, () => false);
  await compareBestPages((...asked) => reader.answer(() => findByFitness(reader, ...asked)));
});
