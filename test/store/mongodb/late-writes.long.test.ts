import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompleteStore } from '../../../src/store.ts';
import { failCommands, writesEnded } from '../../support/mongo-driver.ts';
import { startMongodToFail } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { mongod, skip, openedTwice: opened } = await useMongod(startMongodToFail);
const isGiven = !('skip' in mongod) && mongod.crash === undefined;
const noFailPoints =
  isGiven && 'the server was given by its URL: this test needs one that takes test commands';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

describe('a write that arrives after its deadline', { skip: skip || noFailPoints }, () => {
  const createBook = (store: CompleteStore) => store.create(emma);
  const createTombstone = async (store: CompleteStore) => {
    await store.create(emma);
    await store.delete(1);
  };
  const setYear = (year: number) => (store: CompleteStore) => store.update(1, { year });
  const table: {
    what: string;
    prepare: (store: CompleteStore) => Promise<unknown>;
    late: (store: CompleteStore) => Promise<unknown>;
    later: (store: CompleteStore) => Promise<unknown>;
    year: number | undefined;
  }[] = [
    { what: 'an update, after an update', prepare: createBook, late: setYear(1), later: setYear(2), year: 2 },
    {
      what: 'a delete, after an update',
      prepare: createBook,
      late: (store) => store.delete(1),
      later: setYear(2),
      year: 2,
    },
    {
      what: 'an update, after one that changes nothing',
      prepare: createBook,
      late: setYear(1),
      later: setYear(emma.year),
      year: emma.year,
    },
    {
      what: 'a delete, after an update that changes nothing',
      prepare: createBook,
      late: (store) => store.delete(1),
      later: setYear(emma.year),
      year: emma.year,
    },
    {
      what: 'an update, after a revert that changes nothing',
      prepare: async (store) => {
        await createBook(store);
        await setYear(7)(store);
        await setYear(emma.year)(store);
      },
      late: setYear(1),
      later: async (store) => store.revert(1, { version: (await store.history(1))?.at(-1)?.version }),
      year: emma.year,
    },
    {
      what: 'a revert, after a delete of the tombstone',
      prepare: createTombstone,
      late: (store) => store.revert(1),
      later: (store) => store.delete(1),
      year: undefined,
    },
  ];
  for (const { what, prepare, late, later, year } of table) {
    test(`does not undo a later one of another service: ${what}`, async (t) => {
      const { store, other, db } = await opened(t);
      await prepare(store);
      await failCommands(db, 1, {
        failCommands: ['update', 'findAndModify', 'delete'],
        blockConnection: true,
        blockTimeMS: 3500,
      });
      await assert.rejects(late(store), { code: 'unavailable' });
      await later(other);
      await writesEnded(db);
      assert.deepEqual(await other.get(1), year === undefined ? undefined : { id: 1, ...emma, year });
      assert.equal(await other.count({ q: 'emma' }), year === undefined ? 0 : 1);
      assert.equal(await other.count({ year: year ?? emma.year }), year === undefined ? 0 : 1);
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
