import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VersionSteps } from '../../../src/store/mongodb/version.ts';

test('the changes between two versions are all those after the first', () => {
  const steps = new VersionSteps();
  steps.add('a', undefined);
  steps.add('b', [1, 2]);
  steps.add('b', []);
  steps.add('c', [3]);
  assert.deepEqual(steps.between('a', 'c'), [1, 2, 3]);
  assert.deepEqual(steps.between('a', 'b'), [1, 2]);
  assert.deepEqual(steps.between('c', 'c'), []);
  assert.equal(steps.between('c', 'b'), undefined);
  assert.equal(steps.between('x', 'c'), undefined);
});

test('changes before a step that may have changed any book are unknown', () => {
  const steps = new VersionSteps();
  steps.add('a', [1]);
  steps.add('b', undefined);
  steps.add('c', [2]);
  assert.equal(steps.between('a', 'c'), undefined);
  assert.deepEqual(steps.between('b', 'c'), [2]);
});

test('the number of remembered ids is bounded', () => {
  const steps = new VersionSteps();
  for (let i = 0; i < 1000; i++)
    steps.add(
      `v${i}`,
      Array.from({ length: 1000 }, (_, j) => j + 1),
    );
  assert.equal(steps.between('v0', 'v999'), undefined);
  const known = Array.from({ length: 1000 }, (_, i) => steps.between(`v${i}`, 'v999')).filter(Boolean);
  assert.ok(known.length > 20 && known.length <= 101);
});
