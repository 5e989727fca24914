import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addWrite, changedBetween, toRecent, type Recent } from '../../src/store/recent.ts';

const after = (...writes: [version: string, ids: number[] | undefined][]) =>
  writes.reduce<Recent>((recent, [version, ids]) => addWrite(recent, version, ids), []);

describe('the last writes of a store', () => {
  const three = after(['a', [1]], ['b', [9, 2, 3, 3, 4]], ['c', [2]]);
  const cases: [recent: Recent, since: string, now: string, ids: [number, number][] | undefined][] = [
    [three, 'c', 'c', []],
    [three, 'b', 'c', [[2, 2]]],
    [three, 'a', 'c', [[2, 4], [9, 9], [2, 2]]], // prettier-ignore
    [three, 'x', 'c', undefined],
    // The last write has not said what it changed.
    [three, 'a', 'd', undefined],
    [[], 'a', 'a', []],
    [[], 'a', 'b', undefined],
    [after(['a', [1]], ['b', undefined], ['c', [1]]), 'a', 'c', undefined],
    [after(['a', [1]], ['b', undefined], ['c', [1]]), 'b', 'c', [[1, 1]]],
  ];
  for (const [recent, since, now, ids] of cases) {
    test(`${JSON.stringify(recent)} from ${since} to ${now}`, () => {
      const expected = ids?.map(([first, last]) => ({ first, last }));
      assert.deepEqual(changedBetween(recent, since, now), expected);
    });
  }

  test('are bounded', () => {
    let recent: Recent = [];
    for (let i = 0; i < 1000; i++)
      recent = addWrite(
        recent,
        String(i),
        Array.from({ length: 500 }, (_, id) => id * 2 + 1),
      );
    assert.ok(JSON.stringify(recent).length < 1000);
    assert.equal(changedBetween(recent, '998', '999'), undefined);
  });

  for (const value of [
    undefined,
    null,
    7,
    'a',
    {},
    [7],
    [['a']],
    [['a', [1]]],
    [['a', [[1]]]],
    [['a', [[1, 'x']]]],
    [[1, null]],
  ]) {
    test(`are none where there is ${JSON.stringify(value)}`, () => {
      assert.deepEqual(toRecent(value), []);
    });
  }

  test('come back as they were written', () => {
    assert.deepEqual(toRecent(JSON.parse(JSON.stringify(three))), three);
  });
});
