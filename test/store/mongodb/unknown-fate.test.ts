import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { openStore, type BookStore } from '../../../src/index.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const noMongod = 'skip' in mongod ? mongod.skip : false;
const isGiven = !('skip' in mongod) && mongod.crash === undefined;
const skip =
  noMongod || (isGiven && 'the server was given by its URL: these tests need one that takes test commands');
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

interface FailPoint {
  failCommands: string[];
  closeConnection?: true;
  blockConnection?: true;
  blockTimeMS?: number;
}

/** A store, and what has the next commands of its server fail. */
async function opened(
  t: TestContext,
): Promise<{ store: BookStore; fail: (times: number, data: FailPoint) => Promise<void> }> {
  const url = newDatabaseUrl(mongod);
  const store = await openStore(url);
  const client = await new MongoClient(url).connect();
  const configure = (mode: unknown, data = {}) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  t.after(async () => {
    await configure('off');
    await client.close();
    await store.close();
  });
  return {
    store,
    async fail(times, data) {
      await configure({ times }, { ...data, appName: 'shelflist' });
    },
  };
}

describe('a write of unknown fate', { skip }, () => {
  test('is not acknowledged when the connection broke both times that it was sent', async (t) => {
    const { store, fail } = await opened(t);
    await fail(2, { failCommands: ['insert'], closeConnection: true });
    await assert.rejects(store.create(emma), { code: 'unavailable' });
    assert.equal((await store.create(emma)).id, 2);
    assert.equal(await store.get(1), undefined);
  });

  test('does not take the place of a later one of the same book', async (t) => {
    const { store, fail } = await opened(t);
    const { id } = await store.create(emma);
    await fail(1, { failCommands: ['findAndModify'], blockConnection: true, blockTimeMS: 3500 });
    await assert.rejects(store.update(id, { year: 1 }), { code: 'unavailable' });
    await store.update(id, { year: 2 });
    await setTimeout(1500); // By then the first has come to its end in any case.
    assert.equal((await store.get(id))?.year, 2);
  });
});
