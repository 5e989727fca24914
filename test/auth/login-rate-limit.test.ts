import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

test('the login rate limit keeps the last 100,000 of 300,000 addresses in bounded memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const attempts = createLoginRateLimit({ burst: 1, now: () => 0 });
  const address = (i: number) => `2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::1`;
  const count = 300_000;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < count; i++) attempts.fail(address(i));
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  const waits = [0, count - 200_001, count - 100_000, count - 1].map((i) => attempts.wait(address(i)));
  assert.deepEqual(waits, [undefined, undefined, 3, 3]);
  assert.ok(grown < 32 * 2 ** 20, `it has grown by ${grown} bytes`);
});
