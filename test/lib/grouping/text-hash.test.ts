import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashText, visitDeletions } from '../../../src/lib/grouping/text-hash.ts';

test('visits the hash of each text without one character', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.nat(), (text, seed) => {
      const visited = new Map<number, number>();
      visitDeletions(text, seed, (hash, at) => visited.set(at, hash));
      for (const [at, hash] of visited)
        assert.equal(hash, hashText(text.slice(0, at) + text.slice(at + 1), seed));
      const shorter = Array.from({ length: text.length }, (_, at) => text.slice(0, at) + text.slice(at + 1));
      assert.equal(visited.size, new Set(shorter).size);
    }),
  );
});

test('hashes are unsigned integers of 32 bits that depend on text and seed', () => {
  const hashes = ['', 'a', 'b', 'ab', 'ba'].flatMap((text) =>
    [0, 1, 2 ** 32 - 1].map((seed) => hashText(text, seed)),
  );
  for (const hash of hashes) assert.ok(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32);
  // The empty text without a seed is 0.
  assert.ok(new Set(hashes).size >= hashes.length - 1);
});
