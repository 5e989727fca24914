import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVerifiedTokenCache } from '../../src/auth/verified-token-cache.ts';

test('a token is valid as a whole and until its exp', () => {
  const cache = createVerifiedTokenCache();
  cache.add('abc', 100);
  assert.equal(cache.isValid('abc', 99), true);
  assert.equal(cache.isValid('abcd', 99), false);
  assert.equal(cache.isValid('ab', 99), false);
  assert.equal(cache.isValid('abc', 100), false);
  assert.equal(cache.isValid('abc', 99), false, 'an expired token does not return');
});

test('the cache is bounded: the oldest token is evicted, and a huge token is never added', () => {
  const cache = createVerifiedTokenCache(2);
  for (const token of ['a', 'b', 'c', 'x'.repeat(1025)]) cache.add(token, 100);
  assert.deepEqual(
    ['a', 'b', 'c', 'x'.repeat(1025)].map((token) => cache.isValid(token, 0)),
    [false, true, true, false],
  );
});
