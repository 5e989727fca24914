import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Db } from 'mongodb';
import { openStore } from '../../../src/index.ts';
import { repeatIndexes } from '../../../src/store/mongodb/indexes.ts';
import { failCommands, indexed, insertRaw, openDriver, until } from '../../support/mongo-driver.ts';
import { memberThatIs, newDatabaseUrl, startMongods } from '../../support/mongod.ts';

const set = await startMongods({ count: 3 });
const skip = 'skip' in set ? set.skip : false;
after(() => ('skip' in set ? undefined : set.stop()));

const books = Array.from({ length: 12_000 }, (_, i) => ({
  _id: i + 1,
  title: `Volume ${i}`,
  author: 'Jane Austen',
  year: i % 500,
}));

async function indexCommands(db: Db): Promise<number> {
  const { metrics } = await db.admin().serverStatus();
  const { commands } = metrics as { commands: { createIndexes: { total: number | bigint } } };
  return Number(commands.createIndexes.total);
}

describe('the indexes of a large collection', { skip }, () => {
  test('are built once, in the background, even if that takes longer than the deadline of an answer', async (t) => {
    const url = newDatabaseUrl(set);
    const db = await openDriver(t, url);
    await insertRaw(db, books);
    await db.collection('repeat_keys').createIndexes([...repeatIndexes]); // Only indexes of books are counted.
    const before = await indexCommands(db);
    await failCommands(db, 1, { failCommands: ['createIndexes'], blockConnection: true, blockTimeMS: 7000 });
    const store = await openStore(url);
    t.after(() => store.close());
    assert.deepEqual((await store.find({}, { limit: 1 })).books.length, 1);
    await indexed(db);
    assert.equal((await indexCommands(db)) - before, 1);
    assert.equal(await store.count({ q: 'austen' }), books.length);
  });

  test('are not built after the store was closed', async (t) => {
    const url = newDatabaseUrl(set);
    const db = await openDriver(t, url);
    await insertRaw(db, books);
    const before = await indexCommands(db);
    // The second listIndexes, which looks for missing indexes in the background, ends while close waits for the insert.
    const block = { blockConnection: true, blockTimeMS: 2500 } as const;
    await failCommands(db, 3, { failCommands: ['listIndexes', 'insert'], ...block });
    const store = await openStore(url);
    const creating = store.create({ title: 'Emma' });
    await Promise.all([store.close(), creating]);
    await failCommands(db, 0);
    const indexes = await db.collection('books').indexes();
    assert.deepEqual([indexes.length, (await indexCommands(db)) - before], [1, 0]);
  });

  test('are built while a member is down, followed by the entries', async (t) => {
    const url = newDatabaseUrl(set);
    const db = await openDriver(t, url);
    await insertRaw(db, books);
    const secondary = await memberThatIs('secondary', 'skip' in set ? [] : set.members);
    await secondary.crash();
    t.after(() => secondary.restart());
    const store = await openStore(url);
    t.after(() => store.close());
    await indexed(db);
    assert.equal(await store.count({ q: 'austen' }), books.length);
    const names = (await db.collection('books').indexes()).map(({ name }) => name);
    await until(() => names.includes('shelflist_words'), 'the index is there');
  });
});
