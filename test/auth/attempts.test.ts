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

test('the addresses of one IPv6 network of 64 bits are one', () => {
  const table: [failed: string, tried: string, same: boolean][] = [
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8:0:0:5:6:7:8', true],
    ['::1', '::2', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '192.0.2.2', false],
  ];
  for (const [failed, tried, same] of table) {
    const attempts = createAttempts({ burst: 1 });
    attempts.failed(failed);
    const check = () => {
      attempts.check(tried);
    };
    if (same) assert.throws(check);
    else check();
  }
});

test('the memory is bounded: the longest unseen address is forgotten', () => {
  const attempts = createAttempts({ burst: 1, maxAddresses: 2 });
  for (const address of ['a', 'b', 'a', 'c']) attempts.failed(address);
  attempts.check('b');
  assert.throws(() => {
    attempts.check('a');
  });
});
