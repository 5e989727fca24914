import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VerifiedTokenCache } from '../../src/auth/tokens.ts';

const verified = { exp: 100, user: { name: 'jane', claims: {} } };

test('a token is valid as a whole and until its exp', () => {
  const cache = new VerifiedTokenCache();
  cache.add('abc', verified);
  assert.equal(cache.get('abc', 99), verified);
  assert.equal(cache.get('abcd', 99), undefined);
  assert.equal(cache.get('ab', 99), undefined);
  assert.equal(cache.get('abc', 100), undefined);
  assert.equal(cache.get('abc', 99), undefined, 'an expired token does not return');
});

test('the cache is bounded: the oldest token is evicted, and a huge token is never added', () => {
  const cache = new VerifiedTokenCache(2);
  for (const token of ['a', 'b', 'c', 'x'.repeat(1025)]) cache.add(token, verified);
  const long = 'x'.repeat(1024);
  const own = new VerifiedTokenCache(2);
  own.add(long, verified);
  assert.equal(own.get(long, 0), verified);
  assert.deepEqual(
    ['a', 'b', 'c', 'x'.repeat(1025)].map((token) => cache.get(token, 0)),
    [undefined, verified, verified, undefined],
  );
});
