import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import type { ChangeKind } from '../../src/catalogue/changes.ts';
import { bookSpecification, type BookOperation } from './book-specification.ts';
import { isLinearizable, type Operation } from './linearizability.ts';
import { buildPorcupine, compareOpinions, type BookHistory } from './porcupine.ts';

const porcupine = await buildPorcupine({ after });
const skip = 'skip' in porcupine && porcupine.skip;

/** An operation whose outcome somebody was told, unless it has no end. */
function told(begin: number, end: number, detail: BookOperation): Operation<BookOperation> {
  return { begin, end, detail };
}

const unanswered = Infinity;
const create = (year: number) => ({ call: 'create', year, hasKey: false, result: 'created' }) as const;
const once = (year: number, result?: 'created' | 'replayed') =>
  ({ call: 'create', year, hasKey: true, ...(result && { result }) }) as const;
const update = (year: number, others: { if?: number; batch?: string } = {}) =>
  ({ call: 'update', year, result: 'done', ...others }) as const;
const read = (result: number | undefined, call: 'get' | 'list' | 'search' = 'get') =>
  ({ call, result }) as const;
const undo = (result: 'left' | 'none' | 'other') => ({ call: 'undo', batch: 'b', result }) as const;
const remove = { call: 'delete', result: 'done' } as const;

type Row = [what: string, feed: readonly ChangeKind[], ...operations: Operation<BookOperation>[]];

const right: Row[] = [
  ['nothing', []],
  [
    'reads before, during and after a create',
    ['created'],
    told(1, 2, read(undefined)),
    told(3, 9, create(1)),
    told(4, 5, read(undefined)),
    told(6, 7, read(1)),
    told(10, 11, read(1, 'list')),
  ],
  [
    'a create that is repeated with its key',
    ['created', 'deleted'],
    told(1, unanswered, once(1)),
    told(2, 3, once(1, 'replayed')),
    told(4, 5, remove),
    told(6, 7, once(1, 'replayed')),
  ],
  [
    'a delete of a book that is gone',
    ['created', 'deleted'],
    told(1, 2, create(1)),
    told(3, 4, remove),
    told(5, 6, remove),
  ],
  [
    'an update without an answer that never happens',
    ['created'],
    told(1, 2, create(1)),
    told(3, unanswered, { call: 'update', year: 2 }),
    told(5, 6, read(1)),
  ],
  [
    'an update without an answer that happens much later',
    ['created', 'updated', 'updated'],
    told(1, 2, create(1)),
    told(3, unanswered, { call: 'update', year: 2 }),
    told(5, 6, update(3)),
    told(7, 8, read(3)),
    told(9, 10, read(2)),
  ],
  [
    'conditional updates of which one comes first',
    ['created', 'updated'],
    told(1, 2, create(1)),
    told(3, 9, update(2, { if: 1 })),
    told(3, 9, { call: 'update', year: 3, if: 1, result: 'differs' }),
  ],
  [
    'a revert of a delete, and one of a book that has no earlier state',
    ['created', 'deleted', 'reverted'],
    told(1, 2, create(1)),
    told(3, 4, { call: 'revert', result: 'missing' }),
    told(5, 6, remove),
    told(7, 8, { call: 'revert', result: 1 }),
    told(9, 10, { call: 'revert', result: 1 }),
  ],
  [
    'an undo, and again',
    ['created', 'updated', 'updated', 'reverted'],
    told(1, 2, create(1)),
    told(3, 4, update(2, { batch: 'b' })),
    told(5, 6, update(3, { batch: 'b' })),
    told(7, 8, undo('other')),
    told(9, 10, read(1)),
    told(11, 12, undo('other')),
  ],
  [
    'an undo of a batch that another change follows',
    ['created', 'updated', 'updated'],
    told(1, 2, create(1)),
    told(3, 4, update(2, { batch: 'b' })),
    told(5, 6, update(3)),
    told(7, 8, undo('left')),
    told(9, 10, read(3)),
  ],
  [
    'an undo of a create',
    ['created', 'deleted'],
    told(1, 2, { ...create(1), batch: 'b' }),
    told(3, 4, undo('other')),
    told(5, 6, read(undefined)),
    told(7, 8, undo('other')),
  ],
];

const wrong: Row[] = [
  ['a stale read', ['created', 'updated'], told(1, 2, create(1)), told(3, 4, update(2)), told(5, 6, read(1))],
  [
    'reads in opposite orders',
    ['created', 'updated'],
    told(1, 2, create(1)),
    told(3, 20, update(2)),
    told(4, 5, read(2)),
    told(6, 7, read(1)),
  ],
  [
    'a list that is read too early',
    ['created', 'updated'],
    told(1, 2, create(1)),
    told(3, 4, update(2)),
    told(5, 6, read(1, 'list')),
    told(7, 8, read(2)),
  ],
  [
    'a search from before the book',
    ['created'],
    told(1, 2, create(1)),
    told(3, 4, read(undefined, 'search')),
  ],
  ['a lost update', ['created'], told(1, 2, create(1)), told(3, 4, update(2)), told(5, 6, read(1))],
  [
    'a conditional update that overwrites another',
    ['created', 'updated', 'updated'],
    told(1, 2, create(1)),
    told(3, 4, update(2, { if: 1 })),
    told(5, 6, update(3, { if: 1 })),
  ],
  [
    'a repeated create that makes two',
    ['created'],
    told(1, 2, once(1, 'created')),
    told(3, 4, once(1, 'created')),
  ],
  ['a replay of a create that nobody has sent before', ['created'], told(1, 2, once(1, 'replayed'))],
  [
    'an update without an answer that happens twice',
    ['created', 'updated', 'updated'],
    told(1, 2, create(1)),
    told(3, unanswered, { call: 'update', year: 2 }),
    told(5, 6, read(2)),
    told(7, 8, update(3)),
    told(9, 10, read(2)),
  ],
  [
    'a delete that is not stored',
    ['created', 'deleted'],
    told(1, 2, create(1)),
    told(3, 4, remove),
    told(5, 6, read(1)),
  ],
  [
    'a revert to a state that never was',
    ['created', 'deleted', 'reverted'],
    told(1, 2, create(1)),
    told(3, 4, remove),
    told(5, 6, { call: 'revert', result: 2 }),
  ],
  [
    'an undo that takes back the change of another',
    ['created', 'updated', 'updated', 'reverted'],
    told(1, 2, create(1)),
    told(3, 4, update(2, { batch: 'b' })),
    told(5, 6, update(3)),
    told(7, 8, undo('other')),
    told(9, 10, read(1)),
  ],
  [
    'an event that is missing',
    ['created'],
    told(1, 2, create(1)),
    told(3, 4, update(2)),
    told(5, 6, read(2)),
  ],
  ['an event of nothing', ['created', 'updated'], told(1, 2, create(1)), told(3, 4, read(1))],
  ['events in another order', ['updated', 'created'], told(1, 2, create(1)), told(3, 4, update(2))],
];

function toHistory([name, feed, ...operations]: Row): BookHistory {
  return { name, feed, operations };
}

describe('Porcupine', { skip }, () => {
  const ask = 'skip' in porcupine ? () => Promise.resolve([]) : porcupine;

  test('accepts what a catalogue may answer, and refuses what it must not, as our checker does', async () => {
    const rows = [...right, ...wrong].map(toHistory);
    const expected = rows.map((_, i) => i < right.length);
    const byName = (verdicts: readonly boolean[]) =>
      rows.map(({ name }, i) => `${name}: ${verdicts[i] ? 'right' : 'wrong'}`);
    assert.deepEqual(byName(await ask(rows)), byName(expected));
    const ours = rows.map(({ feed, operations }) => isLinearizable(bookSpecification(feed), operations));
    assert.deepEqual(byName(ours), byName(expected));
  });

  test('that differs from our checker makes the test fail, which names the history and keeps it', async () => {
    const [history] = wrong.map(toHistory);
    assert.ok(history);
    await compareOpinions(ask, [{ ...history, isLinearizable: false }]);
    await assert.rejects(
      compareOpinions(ask, [{ ...history, isLinearizable: true }]),
      ({ message }: Error) => {
        const [, file = ''] =
          /^a stale read is linearizable by our checker, and is not by Porcupine; (.*) has all 1 such histories$/.exec(
            message,
          ) ?? [];
        const lines = readFileSync(file, 'utf8').split('\n');
        rmSync(file);
        return (
          lines.length === 2 &&
          (JSON.parse(lines[0] ?? '') as unknown[]).length === history.operations.length + 1
        );
      },
    );
  });
});
