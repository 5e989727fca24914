import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoginRateLimit } from '../../src/auth/login-rate-limit.ts';

test('an address gets 20 failed logins at once, then one every 3 seconds', () => {
  let now = 1_000_000;
  const attempts = createLoginRateLimit({ now: () => now });
  const waits = () => [attempts.wait('a'), attempts.fail('a')];
  for (let i = 0; i < 20; i++) assert.deepEqual(waits(), [undefined, undefined]);
  // What must wait does not count.
  for (let i = 0; i < 20; i++) assert.deepEqual(waits(), [3, 3]);
  now += 1500;
  assert.deepEqual(waits(), [2, 2]);
  now += 1500;
  assert.deepEqual(waits(), [undefined, undefined]);
  assert.deepEqual(waits(), [3, 3]);
  now += 60_000;
  for (let i = 0; i < 20; i++) assert.deepEqual(waits(), [undefined, undefined]);
  assert.deepEqual(waits(), [3, 3]);
});

test('the login rate limit is separate for each address', () => {
  const attempts = createLoginRateLimit({ burst: 1 });
  attempts.fail('a');
  assert.deepEqual([attempts.wait('a'), attempts.wait('b')], [3, undefined]);
});

test('the addresses of an IPv6 /64 share one login rate limit', () => {
  const table: [failed: string, tried: string, same: boolean][] = [
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8:0:0:5:6:7:8', true],
    ['::1', '::2', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '192.0.2.2', false],
  ];
  for (const [failed, tried, same] of table) {
    const attempts = createLoginRateLimit({ burst: 1 });
    attempts.fail(failed);
    assert.equal(attempts.wait(tried), same ? 3 : undefined);
  }
});

test('the login rate limit keeps the newest addresses, and forgets those twice as far back', () => {
  const attempts = createLoginRateLimit({ burst: 1, minAddresses: 100, now: () => 0 });
  const address = (i: number) => `2001:db8:0:${i.toString(16)}::1`;
  for (let i = 0; i < 300; i++) attempts.fail(address(i));
  const waits = [0, 99, 200, 299].map((i) => attempts.wait(address(i)));
  assert.deepEqual(waits, [undefined, undefined, 3, 3]);
});
