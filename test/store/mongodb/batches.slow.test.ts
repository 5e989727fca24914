import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompleteStore } from '../../../src/index.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();
const dayMs = 86_400_000;

/** The batches on pages of a size. */
async function readPages(store: CompleteStore, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.batches({ limit, ...(after !== undefined && { after }) });
    found.push(...page.batches.map(({ batch }) => batch));
    after = page.next;
    if (after === undefined) return found;
  }
}

describe('the list of batches', { skip }, () => {
  test('is in the order of their first changes, however the clock jumped, on pages of every size', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    const now = Date.now();
    t.mock.timers.enable({ apis: ['Date'], now });
    for (const [batch, days] of [
      ['a-batch-1', 0],
      ['a-batch-2', 200],
      ['a-batch-3', 0],
      ['a-batch-4', -200],
    ] as const) {
      t.mock.timers.setTime(now + days * dayMs);
      await store.create({ title: batch }, { batch });
    }
    t.mock.timers.reset();
    const newestFirst = ['a-batch-4', 'a-batch-3', 'a-batch-2', 'a-batch-1'];
    for (const limit of [1, 2, 3, 4, 10]) {
      assert.deepEqual(await readPages(store, limit), newestFirst, `${limit} on a page`);
    }
  });

  test('has those of an earlier version, which have no number, after the others, by their times', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    for (let i = 1; i < 8; i++) await store.create({ title: 'x' }, { batch: `a-batch-${i}` });
    const batches = db.collection<{ _id: string }>('batches');
    for (const [_id, at] of Object.entries({
      'a-batch-1': 9000,
      'a-batch-2': 5000,
      'a-batch-3': 5000,
      'a-batch-4': 1,
    }))
      await batches.updateOne({ _id }, { $set: { at: new Date(at) }, $unset: { seq: 1 } });
    const expected = [7, 6, 5, 1, 2, 3, 4].map((i) => `a-batch-${i}`);
    for (const limit of [1, 2, 3, 5, 10]) {
      assert.deepEqual(await readPages(store, limit), expected, `${limit} on a page`);
    }
  });
});
