import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashText } from '../../src/lib/text-hash.ts';

test('hashes are unsigned integers of 32 bits that depend on each character and its place', () => {
  const hashes = ['', 'a', 'b', 'ab', 'ba', 'aab', 'aba'].map((text) => hashText(text));
  for (const hash of hashes) assert.ok(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32);
  assert.equal(new Set(hashes).size, hashes.length);
});
