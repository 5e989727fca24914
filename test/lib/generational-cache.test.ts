import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GenerationalCache } from '../../src/lib/generational-cache.ts';

test('GenerationalCache keeps between one and two generations of a million entries', () => {
  const latest = new GenerationalCache<string, number>(1000);
  const count = 1_000_000;
  for (let i = 0; i < count; i++) latest.set(`${i}`, i);
  const known = Array.from({ length: count }, (_, i) => i).filter((i) => latest.get(`${i}`) === i);
  assert.ok(known.length >= 1000 && known.length <= 2000);
  assert.equal(known[0], count - known.length, 'they are the last ones');
});

test('GenerationalCache renews an entry that is set again', () => {
  const latest = new GenerationalCache<string, number>(2);
  for (const key of ['a', 'b', 'c']) latest.set(key, 1);
  latest.set('a', 2);
  latest.set('a', 3);
  latest.set('d', 1);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => latest.get(key)),
    [3, undefined, 1, 1],
  );
});

test('GenerationalCache deletes from both generations', () => {
  const latest = new GenerationalCache<string, number>(1);
  latest.set('a', 1);
  latest.set('b', 1);
  latest.set('a', 2);
  latest.delete('a');
  latest.delete('b');
  assert.deepEqual([latest.get('a'), latest.get('b')], [undefined, undefined]);
});
