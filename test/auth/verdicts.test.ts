import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVerdicts } from '../../src/auth/verdicts.ts';

test('a verdict is for the whole token and until its exp', () => {
  const verdicts = createVerdicts();
  verdicts.add('abc', 100);
  assert.equal(verdicts.isValid('abc', 99), true);
  assert.equal(verdicts.isValid('abcd', 99), false);
  assert.equal(verdicts.isValid('ab', 99), false);
  assert.equal(verdicts.isValid('abc', 100), false);
  assert.equal(verdicts.isValid('abc', 99), false, 'what has ended does not come back');
});

test('the memory is bounded: the oldest is forgotten, a huge token never kept', () => {
  const verdicts = createVerdicts(2);
  for (const token of ['a', 'b', 'c', 'x'.repeat(1025)]) verdicts.add(token, 100);
  assert.deepEqual(
    ['a', 'b', 'c', 'x'.repeat(1025)].map((token) => verdicts.isValid(token, 0)),
    [false, true, true, false],
  );
});
