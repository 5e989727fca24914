import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { areDuplicates, normalizeForComparison } from '../../src/catalogue/duplicates.ts';
import { duplicateLevels, type DuplicateLevel } from '../../src/catalogue/duplicate-levels.ts';
import { openStore, type BookFields } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { findDuplicates, updateGroups } from '../../src/derived/find-duplicates.ts';
import { bookOf } from '../support/books.ts';
import { stubStore } from '../support/stub-store.ts';

const never = { signal: new AbortController().signal, onProgress: () => undefined };

/** The groups of duplicates, by comparing each book with each other. The ids are 1, 2, 3, … */
function model(books: readonly BookFields[], level: DuplicateLevel): number[][] {
  const spellings = books.map(normalizeForComparison);
  const seen = new Set<number>();
  return spellings.flatMap((_, start) => {
    if (seen.has(start)) return [];
    const group = [start];
    for (const one of group)
      for (const [other, spelling] of spellings.entries()) {
        const own = spellings[one];
        if (own && !group.includes(other) && areDuplicates(level, own, spelling)) group.push(other);
      }
    for (const each of group) seen.add(each);
    return group.length > 1 ? [group.sort((a, b) => a - b).map((at) => at + 1)] : [];
  });
}

async function storeOf(books: readonly BookFields[]): Promise<CompleteStore> {
  const store = await openStore('memory:');
  for (const book of books) await store.create(book);
  return store;
}

const word = fc.constantFrom(
  'Emma',
  'emma',
  'Ema',
  'Emmas',
  'Éma',
  'I',
  'II',
  'V',
  '1',
  '2',
  '12',
  'C#',
  '!',
  'Hobbit',
);
const similar = fc.record({
  title: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
  author: fc.constantFrom('', 'Jane Austen', 'jane austin', 'Jane Austen!', 'Tolkien', 'Tolkein'),
  year: fc.constantFrom(0, 1815, 1816),
});

for (const level of duplicateLevels) {
  describe(`the duplicates of the level ${level}`, () => {
    test('are those that comparing all pairs of books finds', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(similar, { maxLength: 20 }), async (records) => {
          const books = records.map(bookOf);
          const store = await storeOf(books);
          assert.deepEqual(await findDuplicates(store, level, never), model(books, level));
          await store.close();
        }),
      );
    });

    test('are the same after changes that were worked in one by one', async () => {
      const change = fc.record({ id: fc.integer({ min: 1, max: 25 }), to: fc.option(similar) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(similar, { minLength: 2, maxLength: 20 }),
          fc.array(change, { maxLength: 5 }),
          async (records, changes) => {
            const store = await storeOf(records.map(bookOf));
            const groups = await findDuplicates(store, level, never);
            const changed = new Set<number>();
            for (const { id, to } of changes) {
              if (to === null) await store.delete(id);
              else if ((await store.update(id, to)) === undefined) changed.add((await store.create(to)).id);
              changed.add(id);
            }
            const updated = await updateGroups(store, level, groups, changed, never.signal);
            const found = await findDuplicates(store, level, never);
            // A group may stay joined through a book that has left it: the reader compares its books again.
            for (const group of found)
              assert.ok(
                updated.some((each) => group.every((id) => each.includes(id))),
                group.join(),
              );
            await store.close();
          },
        ),
      );
    });
  });
}

test('a series of titles that differ in one place is not a typing error', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const store = await storeOf(Array.from(letters, (letter) => bookOf({ title: `The ${letter}at` })));
  assert.deepEqual(await findDuplicates(store, 'typo', never), []);
});

test('long texts are compared as a whole', async () => {
  const text = 'word '.repeat(100_000);
  const store = await storeOf([`${text}a`, `${text}A!`, `${text}b`].map((title) => bookOf({ title })));
  for (const level of duplicateLevels) assert.deepEqual(await findDuplicates(store, level, never), [[1, 2]]);
});

test('an aborted search stops reading the store', async () => {
  const controller = new AbortController();
  const reason = new Error('stopped');
  let parts = 0;
  const store = stubStore(new Error('unused'), {
    // eslint-disable-next-line @typescript-eslint/require-await -- it has its groups at once.
    async *duplicateCandidates() {
      for (;;) {
        if (++parts === 3) controller.abort(reason);
        yield { groups: [], done: 0 };
      }
    },
  });
  await assert.rejects(findDuplicates(store, 'same', { ...never, signal: controller.signal }), reason);
  assert.equal(parts, 3);
});
