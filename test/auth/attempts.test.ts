import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAttempts } from '../../src/auth/attempts.ts';
import type { ShelflistError } from '../../src/errors.ts';

const retryAfter = (seconds: string) => (error: ShelflistError) =>
  error.code === 'too_many_attempts' && error.headers['Retry-After'] === seconds;

test('20 failed logins at once, then one every 3 seconds', () => {
  let now = 1_000_000;
  const attempts = createAttempts({ now: () => now });
  const fail = () => {
    attempts.check('a');
    attempts.failed('a');
  };
  for (let i = 0; i < 20; i++) fail();
  assert.throws(fail, retryAfter('3'));
  now += 1500;
  assert.throws(fail, retryAfter('2'));
  now += 1500;
  fail();
  assert.throws(fail, retryAfter('3'));
  now += 60_000;
  for (let i = 0; i < 20; i++) fail();
  assert.throws(fail, retryAfter('3'));
});

test('one address does not hinder another', () => {
  const attempts = createAttempts({ burst: 1 });
  attempts.failed('a');
  assert.throws(() => {
    attempts.check('a');
  });
  attempts.check('b');
});

test('the memory is bounded: the longest unseen address is forgotten', () => {
  const attempts = createAttempts({ burst: 1, maxAddresses: 2 });
  for (const address of ['a', 'b', 'a', 'c']) attempts.failed(address);
  attempts.check('b');
  assert.throws(() => {
    attempts.check('a');
  });
});
