import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysSince, isBackupDue } from '../../../src/page/state/backup-age.ts';

const day = (n: number) => new Date(n * 24 * 3_600_000);

test('a copy is old after 30 days, if books have changed since', () => {
  const now = day(100).getTime();
  const table: [at: Date | null, changedAt: Date | null, isDue: boolean][] = [
    [day(70), day(71), true],
    [day(71), day(72), false],
    [day(60), day(60), false],
    [day(60), day(59), false],
    [null, day(50), false],
    [day(60), null, false],
  ];
  for (const [at, changedAt, isDue] of table) assert.equal(isBackupDue({ at, changedAt }, now), isDue);
});

test('the days since a time are whole, and never negative', () => {
  const now = day(10).getTime();
  assert.deepEqual(
    [day(10), day(9.5), day(8.9), day(11)].map((at) => daysSince(at, now)),
    [0, 0, 1, 0],
  );
});
