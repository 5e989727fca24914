import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import type { Db } from 'mongodb';
import { openStore, type BookStore } from '../../../../src/index.ts';
import { failCommands, openDriver, writesEnded } from '../../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongodToFail } from '../../../support/mongod.ts';

const mongod = await startMongodToFail();
const skip = 'skip' in mongod ? mongod.skip : false;
const isGiven = !('skip' in mongod) && mongod.crash === undefined;
const noFailPoints =
  isGiven && 'the server was given by its URL: this test needs one that takes test commands';
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** A store, another service's store of the same books, and the driver. */
async function opened(t: TestContext): Promise<{ store: BookStore; other: BookStore; db: Db }> {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  const [store, other] = await Promise.all([openStore(url), openStore(url)]);
  t.after(() => Promise.all([store.close(), other.close()]));
  return { store, other, db };
}

describe('a write that arrives after its deadline', { skip: skip || noFailPoints }, () => {
  const late: [what: string, write: (store: BookStore) => Promise<unknown>][] = [
    ['an update', (store) => store.update(1, { year: 1 })],
    ['a delete', (store) => store.delete(1)],
  ];
  for (const [what, write] of late) {
    test(`does not undo a later one of another service: ${what}`, async (t) => {
      const { store, other, db } = await opened(t);
      await store.create(emma);
      await failCommands(db, 1, {
        failCommands: ['update', 'findAndModify', 'delete'],
        blockConnection: true,
        blockTimeMS: 3500,
      });
      await assert.rejects(write(store), { code: 'unavailable' });
      await other.update(1, { year: 2 });
      await writesEnded(db);
      assert.deepEqual(await other.get(1), { id: 1, ...emma, year: 2 });
      assert.deepEqual((await other.find({ year: 2 }, { limit: 5 })).books.length, 1);
    });
  }

  test('is not acknowledged when the connection broke both times that it was sent', async (t) => {
    const { store, db } = await opened(t);
    await failCommands(db, 2, { failCommands: ['insert'], closeConnection: true });
    await assert.rejects(store.create(emma), { code: 'unavailable' });
    assert.equal((await store.create(emma)).id, 2);
    assert.equal(await store.get(1), undefined);
  });
});
