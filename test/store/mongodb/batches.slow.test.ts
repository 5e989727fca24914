import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { until } from '../../support/mongo-driver.ts';
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

describe('what is known of a batch', { skip }, () => {
  const batch = 'a-large-batch';

  async function filled(t: TestContext, count: number) {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    for (let i = 0; i < count; i += 1000)
      await store.createMany(
        Array.from({ length: Math.min(1000, count - i) }, () => emma),
        { batch },
      );
    return { url, db, store };
  }

  test('is read from its note, not from its books', async (t) => {
    const { db, store } = await filled(t, 3000);
    await db.command({ profile: 2 });
    const summary = await store.batch(batch);
    await db.command({ profile: 0 });
    assert.deepEqual(
      { ...summary, at: undefined },
      { batch, at: undefined, created: 3000, updated: 0, deleted: 0, reverted: 0, undoable: true },
    );
    const entries = await db
      .collection('system.profile')
      .find({ ns: `${db.databaseName}.books` })
      .toArray();
    const examined = entries.reduce((sum, { docsExamined = 0 }) => sum + Number(docsExamined), 0);
    assert.ok(entries.length > 0 && examined <= 200, `${examined} examined`);
  });

  test('is right although the process that created its books was killed before it noted their number', async (t) => {
    const { db, store } = await filled(t, 3);
    await db.collection<{ _id: string }>('batches').updateOne({ _id: batch }, { $set: { created: 0 } });
    assert.equal((await store.batch(batch))?.created, 3);
    assert.deepEqual(
      (await store.batches({ limit: 5 })).batches.map(({ created }) => created),
      [3],
    );
  });

  test('its list finds a page by index, whatever precedes it', async (t) => {
    const { db, store } = await filled(t, 1);
    const notes = Array.from({ length: 5000 }, (_, i) => ({
      _id: `note-${i}`,
      at: new Date(),
      created: 1,
      seq: i + 10,
    }));
    await db.collection<{ _id: string }>('batches').insertMany(notes);
    const { next } = await store.batches({ limit: 5 });
    await db.command({ profile: 2 });
    for (const after of [undefined, next, '2000', `${Date.now()}-0`])
      await store.batches({ limit: 5, ...(after !== undefined && { after }) });
    await db.command({ profile: 0 });
    const entries = await db
      .collection('system.profile')
      .find({ ns: `${db.databaseName}.batches` })
      .toArray();
    for (const { docsExamined, hasSortStage } of entries)
      assert.ok(docsExamined <= 8 && hasSortStage === undefined, `${docsExamined} ${hasSortStage}`);
    assert.equal(entries.length, 4);
  });

  test('is forgotten with the last of its changes', async (t) => {
    const { url, db, store } = await filled(t, 2);
    const batches = db.collection<{ _id: string }>('batches');
    const old = new Date(Date.now() - 200 * dayMs);
    const notes = Array.from({ length: 2500 }, (_, i) => ({ _id: `gone-${i}`, at: old, created: 1 }));
    await batches.insertMany(notes);
    await store.create(emma, { batch: 'a-batch-of-now' });
    await batches.insertOne({ _id: 'used-now', at: old, usedAt: new Date() } as { _id: string });
    await batches.updateOne({ _id: batch }, { $set: { at: old, usedAt: old } });
    await store.close();
    await opened(t, url); // A start forgets what is too old.
    await until(async () => (await batches.countDocuments({})) === 3, 'old notes are forgotten');
    const left = await batches.find({}).sort({ _id: 1 }).toArray();
    assert.deepEqual(
      left.map(({ _id }) => _id),
      ['a-batch-of-now', batch, 'used-now'],
    );
    const { usedAt } = left[1] as { usedAt?: Date };
    assert.ok(usedAt !== undefined && usedAt > old, 'it is not checked again for some time');
  });
});
