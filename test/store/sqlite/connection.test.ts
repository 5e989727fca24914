import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatIfDamaged } from '../../../src/store/sqlite/connection.ts';

/** The result codes of SQLite, as its errors carry them. */
const [damaged, full] = [11, 13];

const cases: [what: string, codes: readonly number[], outcome: 'done' | number, calls: number][] = [
  ['that succeeds runs once', [], 'done', 1],
  ['that finds damage once, which the disk may report in passing, runs again', [damaged], 'done', 2],
  ['that finds damage twice fails', [damaged, damaged], damaged, 2],
  ['that finds the disk full fails at once', [full], full, 1],
  ['that finds the disk full after damage fails with that', [damaged, full], full, 2],
];

for (const [what, codes, outcome, calls] of cases)
  test(`an action ${what}`, () => {
    let [count, forgotten] = [0, 0];
    const run = () =>
      repeatIfDamaged(
        () => {
          const errcode = codes[count++];
          if (errcode !== undefined) throw Object.assign(new Error(), { errcode });
          return 'done';
        },
        () => forgotten++,
      );
    if (outcome === 'done') assert.equal(run(), outcome);
    else assert.throws(run, { errcode: outcome });
    assert.equal(count, calls);
    assert.equal(forgotten, calls - 1);
  });
