import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { newBatchId } from '../../../src/catalogue/batch.ts';
import { newUndoId } from '../../../src/store/contract/undo.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

async function opened(t: TestContext) {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  const store = await openStore(url);
  t.after(() => store.close());
  const undo = (batch: string) => store.undo(batch, { as: newUndoId(batch), limit: 10 });
  /** On a busy machine, the time of a step ends before its books do. */
  const undoWhole = async (batch: string, as: string) => {
    const sum = { undone: 0, left: [] as number[], next: undefined as number | undefined };
    do {
      const step = await store.undo(batch, { as, limit: 1000, before: sum.next });
      assert.ok(step !== undefined);
      sum.undone += step.undone;
      sum.left.push(...step.left);
      sum.next = step.next;
    } while (sum.next !== undefined);
    return sum;
  };
  return { store, undo, undoWhole, db, books: db.collection<{ _id: number }>('books') };
}

describe('an undo leaves a book whose earlier state is not kept', { skip }, () => {
  test('because it was too large', async (t) => {
    const { store, undo } = await opened(t);
    const batch = newBatchId();
    const large = await store.create({ ...emma, title: 'x'.repeat(100_000) });
    await store.update(1, { title: 'short' }, { batch });
    assert.deepEqual(await undo(batch), { undone: 0, left: [1], next: undefined });
    assert.equal((await store.get(1))?.title, 'short');
    assert.deepEqual(await store.history(1), []);
    // A deleted book is kept whole.
    await store.update(1, { title: large.title });
    await store.delete(1, { batch: 'a-large-delete' });
    assert.deepEqual(await undo('a-large-delete'), { undone: 1, left: [], next: undefined });
    assert.deepEqual(await store.get(1), large);
  });

  test('because the book has changed too often since', async (t) => {
    const { store, undo } = await opened(t);
    const batch = newBatchId();
    await store.create(emma);
    for (let year = 0; year < 60; year++) await store.update(1, { year }, { batch });
    assert.deepEqual(await undo(batch), { undone: 0, left: [1], next: undefined });
    assert.equal((await store.get(1))?.year, 59);
  });

  test('because others changed a large book since', async (t) => {
    const { store, undo } = await opened(t);
    const batch = newBatchId();
    await store.create(emma);
    await store.update(1, { title: 'x'.repeat(100_000) }, { batch });
    await store.update(1, { year: 1 });
    assert.deepEqual(await undo(batch), { undone: 0, left: [1], next: undefined });
    assert.equal((await store.get(1))?.year, 1);
  });
});

test(
  'a revert without a version does not skip a last state that was too large to keep',
  { skip },
  async (t) => {
    const { store } = await opened(t);
    await store.create({ ...emma, year: 1 });
    await store.update(1, { title: 'x'.repeat(100_000) });
    await store.update(1, { title: 'short' });
    assert.equal(await store.revert(1), undefined);
    const [kept, ...others] = (await store.history(1)) ?? [];
    assert.deepEqual([kept?.title, others], [emma.title, []]);
    assert.equal((await store.get(1))?.title, 'short');
    assert.equal((await store.revert(1, { version: kept?.version }))?.title, emma.title);
    assert.equal((await store.revert(1))?.title, 'short');
  },
);

test('a log that another program has overwritten does no harm', { skip }, async (t) => {
  const { store, undo, books } = await opened(t);
  const batch = newBatchId();
  const logs: unknown[] = ['mine', 7, [null, 7, 'x', { batch }, { batch, change: 'updated' }], { batch }, []];
  for (const [i, history] of logs.entries()) {
    await store.create(emma, { batch });
    await books.updateOne({ _id: i + 1 }, { $set: { history } });
    assert.deepEqual(await store.history(i + 1), []);
    assert.equal(await store.revert(i + 1), undefined);
  }
  const { undone, left } = (await undo(batch)) ?? assert.fail('the batch is not kept');
  assert.equal(undone + left.length, logs.length);
  for (const id of left) assert.deepEqual(await store.get(id), { id, ...emma });
  assert.ok((await store.batch(batch)) !== undefined);
});

test(
  'an undo of many books reads and changes many at once, and leaves those that others changed',
  { skip },
  async (t) => {
    const { store, undoWhole, db } = await opened(t);
    const batch = newBatchId();
    await store.createMany(
      Array.from({ length: 1000 }, () => emma),
      { batch },
    );
    const others = [7, 500, 998];
    for (const id of others) await store.update(id, { year: 1 });
    await db.command({ profile: 2 });
    const as = newUndoId(batch);
    const undone = await undoWhole(batch, as);
    await db.command({ profile: 0 });
    assert.deepEqual(undone, { undone: 997, left: others.toReversed(), next: undefined });
    const reads = await db
      .collection('system.profile')
      .countDocuments({ ns: `${db.databaseName}.books`, op: 'query' });
    assert.ok(reads <= 10, `${reads} reads`);
    assert.equal(await store.count({}), 3);
    assert.deepEqual((await undoWhole(batch, as)).undone, 997, 'a step may be repeated');
    const again = newUndoId(as);
    assert.equal((await undoWhole(as, again)).undone, 997);
    assert.equal(await store.count({}), 1000);
    const [last] = (await store.history(999)) ?? [];
    assert.deepEqual([last?.change, last?.batch], ['deleted', as]);
  },
);
