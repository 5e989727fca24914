import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { newBatchId } from '../../../src/catalogue/batch.ts';
import { newUndoId } from '../../../src/store/contract/undo.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import { changeFile, faultsOf, insertSql, readFileRows } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

async function opened(t: Parameters<typeof temporaryFolder>[0], options: object = {}) {
  const folder = join(await temporaryFolder(t), 'data');
  const store = await openStore(`file:${folder}`, options);
  t.after(() => store.close());
  return { folder, store };
}

test('an undo leaves the books that another program changed, deleted or put back since', async (t) => {
  const { folder, store } = await opened(t);
  const batch = newBatchId();
  for (let i = 0; i < 3; i++) await store.create(emma);
  for (const id of [1, 2]) await store.update(id, { year: 1 }, { batch });
  await store.delete(3, { batch });
  changeFile(folder, 'UPDATE books SET year = 7 WHERE id = 1; DELETE FROM books WHERE id = 2');
  changeFile(folder, insertSql({ id: 3, ...emma, year: 9 }));
  const undone = await store.undo(batch, { as: newUndoId(batch), limit: 10 });
  assert.deepEqual(undone, { undone: 0, left: [3, 2, 1], next: undefined });
  assert.deepEqual(
    [await store.get(1), await store.get(2), (await store.get(3))?.year],
    [{ id: 1, ...emma, year: 7 }, undefined, 9],
  );
});

test('a record that another program spoiled is left by an undo, and can be reverted once it is deleted', async (t) => {
  const { folder, store } = await opened(t);
  const batch = newBatchId();
  await store.create(emma, { batch });
  changeFile(folder, 'PRAGMA ignore_check_constraints = ON; UPDATE books SET title = 5 WHERE id = 1');
  assert.deepEqual((await store.undo(batch, { as: newUndoId(batch), limit: 10 }))?.left, [1]);
  await assert.rejects(store.revert(1), { code: 'store_damaged' });
  await store.delete(1);
  const states = await store.history(1);
  assert.deepEqual(
    states?.map(({ change, title }) => [change, title]),
    [['updated', 'Emma']],
  );
  assert.deepEqual(await store.revert(1), { id: 1, ...emma });
});

test('changes of other programs have no batch, and the log counts batches', async (t) => {
  const { folder, store } = await opened(t);
  const batch = newBatchId();
  await Promise.all(Array.from({ length: 20 }, (_, i) => store.create(emma, i % 2 ? { batch } : {})));
  changeFile(folder, 'UPDATE books SET year = 7');
  await store.update(1, { year: 8 }, { batch });
  const rows = readFileRows(folder, 'SELECT kind, batch, count(*) AS n FROM changes GROUP BY kind, batch');
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { kind: 'created', batch: null, n: 10 },
      { kind: 'created', batch, n: 10 },
      { kind: 'updated', batch: null, n: 20 },
      { kind: 'updated', batch, n: 1 },
    ],
  );
  assert.deepEqual(faultsOf(folder), []);
});

test('what the log has dropped is no longer kept: history, trash, batch and undo', async (t) => {
  const { folder, store } = await opened(t, { historyMaxBytes: 2000 });
  const batch = newBatchId();
  await store.create(emma);
  await store.update(1, { year: 1 }, { batch });
  await store.create(emma);
  await store.delete(2);
  for (let year = 0; year < 200; year++) await store.create({ ...emma, year }, { batch: 'x'.repeat(64) });
  assert.deepEqual(await store.history(1), []);
  assert.equal(await store.history(2), undefined);
  assert.deepEqual(await store.trash({ limit: 10 }), { books: [], next: undefined });
  assert.equal(await store.batch(batch), undefined);
  assert.equal(await store.undo(batch, { as: newUndoId(batch), limit: 10 }), undefined);
  const [{ n } = { n: 0 }] = readFileRows(folder, 'SELECT count(*) AS n FROM changes');
  assert.ok(Number(n) < 20, `${String(n)} changes are kept`);
  assert.deepEqual(faultsOf(folder), []);
});

test('a history has a bounded length, and older states stay within reach by their version', async (t) => {
  const { store } = await opened(t);
  await store.create(emma);
  await store.update(1, { title: 'x'.repeat(1_000_000) });
  const [first] = (await store.history(1)) ?? [];
  for (let year = 0; year < 8; year++) await store.update(1, { year });
  const states = (await store.history(1)) ?? [];
  assert.ok(states.length >= 4 && states.length <= 6);
  assert.deepEqual(await store.revert(1, { version: first?.version }), { id: 1, ...emma });
});
