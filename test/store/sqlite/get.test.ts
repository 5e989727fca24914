import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openStore, type Book, type StoreOptions } from '../../../src/index.ts';
import { changeFile } from '../../support/sqlite-file.ts';
import { sized, withinTime } from '../../support/size.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

/** Two open stores on one folder. */
async function twoStores(t: TestContext, options: StoreOptions = {}) {
  const folder = await temporaryFolder(t);
  const open = () => openStore(`file:${folder}`, options);
  const [store, other] = [await open(), await open()];
  t.after(async () => {
    await store.close();
    await other.close();
  });
  return { folder, store, other };
}

test('an unchanged book is read once, and its readers cannot change it', async (t) => {
  const { store } = await twoStores(t);
  await store.create(emma);
  const book = await store.get(1);
  assert.equal(await store.get(1), book);
  assert.ok(Object.isFrozen(book));
});

const limits: [what: string, options: StoreOptions][] = [
  ['the default limits of the change log', {}],
  ['a change log limited to no bytes', { historyMaxBytes: 0 }],
  ['a change log limited to no days', { historyDays: 0 }],
];
describe('a change by another open store is seen as soon as it is acknowledged', () => {
  for (const [what, options] of limits) {
    test(`with ${what}`, async (t) => {
      const { store, other } = await twoStores(t, options);
      await store.create(emma);
      const versions = new Set<string>();
      for (let year = 1; year <= 30; year++) {
        const before = await store.version();
        await other.update(1, { year });
        assert.equal((await store.get(1))?.year, year);
        versions.add(await store.version());
        const { events } = await store.events({ since: before });
        assert.ok(events === undefined || events.some(({ id }) => id === 1));
      }
      assert.equal(versions.size, 30, 'each has a different version');
      await other.delete(1);
      assert.equal(await store.get(1), undefined);
    });
  }
});

test('every read is correct while several stores and other programs write', async (t) => {
  const { folder, store, other } = await twoStores(t);
  const id = fc.integer({ min: 1, max: 12 });
  const year = fc.integer({ min: -5, max: 5 });
  const who = fc.constantFrom(0, 1);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('update' as const), who, id, year }),
    fc.record({ kind: fc.constant('delete' as const), who, id, year }),
    fc.record({ kind: fc.constant('create' as const), who, id, year }),
    // By another program: one book, all of them at once (more than are named one by one), and the log itself.
    fc.record({
      kind: fc.constantFrom('foreign' as const, 'many' as const, 'forget' as const),
      who,
      id,
      year,
    }),
    fc.record({ kind: fc.constant('read' as const), who, id, year }),
  );
  const model = new Map<number, Book>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      withinTime(sized({ short: 1000, long: 4000 }), async (steps) => {
        for (const each of steps) {
          const writer = each.who === 0 ? store : other;
          const known = [...model.keys()];
          const target = known[each.id % known.length] ?? 1;
          const book = model.get(target);
          if (each.kind === 'create' || book === undefined) {
            const created = await writer.create({ ...emma, year: each.year });
            model.set(created.id, created);
          } else if (each.kind === 'update') {
            await writer.update(target, { year: each.year });
            model.set(target, { ...book, year: each.year });
          } else if (each.kind === 'delete') {
            await writer.delete(target);
            model.delete(target);
          } else if (each.kind === 'foreign') {
            changeFile(folder, `UPDATE books SET year = ${each.year} WHERE id = ${target}`);
            model.set(target, { ...book, year: each.year });
          } else if (each.kind === 'many') {
            const times = Array.from(
              { length: 1100 },
              (_, i) => `UPDATE books SET year = ${i + 10} WHERE id = ${target}`,
            );
            changeFile(folder, `BEGIN; ${times.join('; ')}; COMMIT`);
            model.set(target, { ...book, year: 1109 });
          } else if (each.kind === 'forget') {
            changeFile(
              folder,
              'DELETE FROM changes WHERE seq <= (SELECT max(seq) - abs(random() % 5) FROM changes)',
            );
          }
          const reader = each.who === 0 ? other : store;
          for (const [bookId, expected] of model)
            assert.deepEqual({ ...(await reader.get(bookId)) }, expected);
          if (!model.has(target)) assert.equal(await reader.get(target), undefined);
        }
      }),
    ),
    { numRuns: 60 },
  );
});

test('reads that wait when the store is closed are answered', async (t) => {
  const { store } = await twoStores(t);
  await store.create(emma);
  const reads = Promise.all([store.get(1), store.get(2), store.version()]);
  const closed = store.close();
  assert.equal((await reads)[0]?.title, 'Emma');
  await closed;
});

test('a book that cannot be read fails alone', async (t) => {
  const { folder, store } = await twoStores(t);
  for (let i = 0; i < 3; i++) await store.create(emma);
  changeFile(
    folder,
    'PRAGMA ignore_check_constraints = ON; UPDATE books SET year = 9007199254740993 WHERE id = 2',
  );
  const outcomes = await Promise.allSettled([store.get(1), store.get(2), store.get(3)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
