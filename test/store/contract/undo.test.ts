import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isUndoOf, newUndoId, planUndo, undoPrefix } from '../../../src/store/contract/undo.ts';

test('the id of an undo tells which batch it undoes, and is itself the id of a batch', () => {
  const undo = newUndoId('batch-of-jane');
  assert.match(undo, /^undo-[0-9a-f]{20}-[0-9a-f]{8}$/);
  assert.notEqual(newUndoId('batch-of-jane'), undo);
  assert.ok(undo.startsWith(undoPrefix('batch-of-jane')));
  assert.deepEqual([isUndoOf(undo, 'batch-of-jane'), isUndoOf(undo, 'batch-of-emma')], [true, false]);
});

describe('the plan of an undo of the batch a, as u', () => {
  const [a, b, other] = ['batch-a-a', 'batch-b-b', undefined];
  const u = `${undoPrefix(a)}00000001`;
  const earlier = `${undoPrefix(a)}00000002`;
  const redo = `${undoPrefix(earlier)}00000003`;
  const undoB = `${undoPrefix(b)}00000004`;
  const table: [what: string, changes: (string | undefined)[], plan: ReturnType<typeof planUndo>][] = [
    ['its only change', [a], { first: 0 }],
    ['after a change of another batch', [b, a], { first: 1 }],
    ['two changes in a row', [b, a, a], { first: 1 }],
    ['others have changed the book since', [a, b], 'left'],
    ['others without a batch have changed the book since', [a, other], 'left'],
    ['the later change was undone', [a, b, undoB], { first: 0 }],
    ['this very undo has done it', [a, u], 'undone'],
    ['an earlier undo has done it', [a, earlier], 'unchanged'],
    ['the undo was undone', [a, earlier, redo], { first: 0 }],
    ['the batch did not change the book', [b], 'left'],
    ['there are no changes', [], 'left'],
    ['a change between two of the batch', [a, b, a], 'left'],
  ];
  for (const [what, changes, plan] of table)
    test(what, () => {
      assert.deepEqual(planUndo(changes, a, u), plan);
    });

  test('of an undo whose creation was not read takes back the undo', () => {
    assert.deepEqual(planUndo([earlier], earlier, redo), { first: 0 });
    assert.deepEqual(planUndo([earlier, b], earlier, redo), 'left');
  });
});
