import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRandom } from '../support/random.ts';
import { findViolation, type Operation, type Specification } from './linearizability.ts';

/** A write of a value, or a read of one. */
type Access = { readonly write: number } | { readonly read: number };

const register: Specification<number, Access> = {
  initial: 0,
  apply: (state, access) => ('write' in access ? access.write : access.read === state ? state : undefined),
  keyOf: String,
  isRead: (access) => 'read' in access,
};
const violationIn = (operations: readonly Operation<Access>[]) => findViolation(register, operations);

const write = (value: number, begin: number, end = Infinity) => ({ detail: { write: value }, begin, end });
const read = (value: number, begin: number, end: number) => ({ detail: { read: value }, begin, end });

describe('a history of a register', () => {
  const linearizable: [why: string, operations: readonly Operation<Access>[]][] = [
    ['nothing happened', []],
    ['a read follows a write', [write(1, 0, 1), read(1, 2, 3)]],
    ['reads during a write see it or not', [write(1, 0, 9), read(0, 1, 2), read(1, 3, 4)]],
    ['of two writes at a time, either is the last', [write(1, 0, 9), write(2, 0, 9), read(1, 10, 11)]],
    ['a write of unknown outcome never happened', [write(1, 0, 1), write(2, 2), read(1, 9, 10)]],
    [
      'a write of unknown outcome happened much later',
      [write(1, 0), write(2, 2, 3), read(2, 4, 5), read(1, 6, 7)],
    ],
    ['a result at the moment of a call counts as during it', [write(1, 0, 1), read(0, 1, 2)]],
  ];
  for (const [why, operations] of linearizable)
    test(`is linearizable: ${why}`, () => {
      assert.equal(violationIn(operations), undefined);
    });

  const others: [why: string, operations: readonly Operation<Access>[], report: readonly Access[]][] = [
    [
      'a stale read',
      [write(1, 0, 1), read(1, 2, 3), read(0, 4, 5), read(1, 6, 7)],
      [{ write: 1 }, { read: 0 }],
    ],
    [
      'a lost write',
      [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)],
      [{ write: 1 }, { write: 2 }, { read: 1 }],
    ],
    ['a value of nowhere', [write(1, 0, 1), read(7, 2, 3)], [{ write: 1 }, { read: 7 }]],
    [
      'reads of two clients in opposite orders',
      [write(1, 0, 1), write(2, 2, 20), read(2, 3, 4), read(1, 5, 6)],
      [{ write: 1 }, { write: 2 }, { read: 2 }, { read: 1 }],
    ],
    [
      'a write of unknown outcome that happened twice',
      [write(1, 0), read(1, 1, 2), write(2, 3, 4), read(1, 5, 6)],
      [{ write: 1 }, { read: 1 }, { write: 2 }, { read: 1 }],
    ],
    ['an effect before its cause', [read(1, 0, 1), write(1, 2, 3)], [{ read: 1 }]],
  ];
  for (const [why, operations, report] of others)
    test(`is refused, and the report names the operations: ${why}`, () => {
      assert.deepEqual(
        violationIn(operations)?.operations.map(({ detail }) => detail),
        report,
      );
    });

  test('that ends in another state than it may is refused', () => {
    const ends = { ...register, isEnd: (state: number) => state === 2 };
    const found = (last: number) => findViolation(ends, [write(1, 0, 1), write(last, 2)]);
    assert.equal(found(2), undefined);
    assert.notEqual(found(3), undefined);
  });

  test('of 8,000 operations by 8 clients is explained, and one of 1,000 refused, within seconds', () => {
    const begun = performance.now();
    assert.equal(violationIn(runClients(8, 8000)), undefined);
    const operations = runClients(8, 1000);
    const middle = Math.max(...operations.map(({ begin }) => begin)) / 2;
    const found = violationIn([...operations, read(-1, middle, middle + 1)]);
    assert.ok(found?.operations.some(({ detail }) => 'read' in detail && detail.read === -1));
    const took = performance.now() - begun;
    assert.ok(took < 20_000, `it took ${took} ms`);
  });
});

/** What clients would see of a register, each with one operation at a time; one write in a hundred has no known outcome. */
function runClients(clients: number, count: number): Operation<Access>[] {
  const random = createRandom(1);
  const free = Array.from({ length: clients }, () => 0);
  const calls = Array.from({ length: count }, (_, i) => {
    const begin = free[i % clients] ?? 0;
    const effect = begin + random(50) + 1;
    const end = effect + random(50) + 1;
    free[i % clients] = end + random(20);
    return { begin, effect, end };
  });
  let value = 0;
  return calls
    .sort((a, b) => a.effect - b.effect)
    .map(({ begin, end }, i) => {
      if (random(3) > 0) return read(value, begin, end);
      value = i;
      return write(value, begin, random(100) === 0 ? Infinity : end);
    });
}
