import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { historyOf, type BookLog, type LoggedBook } from '../../../src/store/contract/log.ts';

const batch = 'batch-of-the-change';
const at = new Date(0);
const logged: LoggedBook = {
  id: 1,
  book: { id: 1, title: 'Nana', author: 'Zola', year: 1880 },
  changes: [
    {
      version: '1',
      kind: 'updated',
      at,
      batch,
      before: { id: 1, title: 'Nana', author: 'Zola', year: 0 },
    },
  ],
};

/** A log whose book is never as it was read. */
function createBusyLog() {
  const calls = { apply: 0 };
  const log: BookLog = {
    idsOfBatch: (_, { before }) => (before > 1 ? [1] : []),
    changesOf: () => [logged],
    apply() {
      calls.apply++;
      return [1];
    },
    deleted: () => [],
    batch: () => undefined,
    batches: () => [],
  };
  return { calls, history: historyOf(log) };
}

describe('a log that never applies a change ends with unavailable, not in an endless loop', () => {
  const table = {
    revert: (history: ReturnType<typeof historyOf>) => history.revert(1),
    undo: (history: ReturnType<typeof historyOf>) => history.undo(batch, { as: 'undo-of-it', limit: 10 }),
  };
  for (const [name, run] of Object.entries(table))
    test(name, async () => {
      const { calls, history } = createBusyLog();
      await assert.rejects(run(history), { code: 'unavailable', message: /in 1000 attempts/ });
      assert.equal(calls.apply, 1000);
    });
});
