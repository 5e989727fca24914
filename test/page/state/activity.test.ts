import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newImportId } from '../../../src/catalogue/batch.ts';
import type { BatchSummary } from '../../../src/catalogue/changes.ts';
import { interruptedUndo, joinNeighbours, sum } from '../../../src/page/state/activity.ts';

let count = 0;

/** A batch of some minutes after noon, which deleted one book, unless it is said otherwise. */
function batchOf(minutes: number, changes: Partial<BatchSummary> & { user?: string } = {}): BatchSummary {
  const { user, ...others } = changes;
  const book = { id: ++count, title: 'Emma', author: '', year: 0, ...(user !== undefined && { user }) };
  return {
    batch: `batch-${String(count).padStart(4, '0')}`,
    at: new Date(Date.UTC(2026, 0, 1, 12, minutes)),
    ...{ created: 0, updated: 0, deleted: 1, reverted: 0, undoable: true },
    books: [{ ...book, change: 'deleted' }],
    ...others,
  };
}

describe('neighbours in the activity', () => {
  test('that changed one book each in the same way are one entry', () => {
    const [c, b, a] = [batchOf(11), batchOf(9), batchOf(0)];
    assert.deepEqual(joinNeighbours([c, b, a]), [[c, b, a]]);
    const { deleted, created, books } = sum([c, b, a]);
    assert.deepEqual([deleted, created, books.length], [3, 0, 3]);
  });

  test('of one book count once, and show it as it was left last', () => {
    const [c, b, a] = [batchOf(2), batchOf(1), batchOf(0)];
    const again = { ...c, books: b.books ?? [] };
    const { deleted, books } = sum([again, b, a]);
    assert.deepEqual([deleted, books], [2, [...(b.books ?? []), ...(a.books ?? [])]]);
  });

  const none = { created: 0, updated: 0, deleted: 0, reverted: 0 };
  const others: Readonly<Record<string, Parameters<typeof batchOf>[1]>> = {
    'of another kind': { ...none, updated: 1 },
    'of several books': { deleted: 2 },
    'of another user': { user: 'ann' },
    'that are undos': { batch: 'undo-0123456789abcdef0123-01234567' },
    'that are imports': { batch: newImportId('books.csv') },
  };
  for (const [name, changes] of Object.entries(others))
    test(`${name} are entries of their own`, () => {
      const [b, a] = [batchOf(1, changes), batchOf(0)];
      assert.deepEqual(joinNeighbours([b, a]), [[b], [a]]);
    });

  test('that are more than ten minutes apart are entries of their own', () => {
    const [b, a] = [batchOf(11), batchOf(0)];
    assert.deepEqual(joinNeighbours([b, a]), [[b], [a]]);
  });
});

describe('an undo in the activity', () => {
  const undo = batchOf(1, { batch: 'undo-of-the-batch', deleted: 400 });
  const batch = batchOf(0, { created: 10_000, deleted: 0, undoneBy: undo.batch });

  test('that took back a part is interrupted, and can go on', () => {
    const expected = { as: undo.batch, done: 400, total: 10_000 };
    assert.deepEqual(interruptedUndo(batch, [undo, batch]), expected);
  });

  test('that took back all that it could is complete', () => {
    assert.equal(interruptedUndo({ ...batch, undoable: false }, [undo, batch]), undefined);
    assert.equal(interruptedUndo({ ...batch, created: 400 }, [undo, batch]), undefined);
  });

  test('of another batch says nothing', () => {
    const unrelated = batchOf(0, { created: 10_000, deleted: 0 });
    assert.equal(interruptedUndo(unrelated, [undo, unrelated]), undefined);
  });
});
