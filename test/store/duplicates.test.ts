import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookOf } from '../../src/store-suite/helpers.ts';
import { duplicateKey, normalizeForComparison } from '../../src/catalogue/duplicates.ts';
import { duplicateHash } from '../../src/store/questions/duplicates.ts';

test('books with the same spelling have the same hash, whichever character their titles contain', () => {
  const hashes = new Map<string, number>();
  for (let code = 0; code < 0x10000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const book = bookOf({ title: `a${String.fromCharCode(code)}b` });
    const [key, hash] = [duplicateKey(normalizeForComparison(book)), duplicateHash(book)];
    assert.equal(hashes.get(key) ?? hash, hash, `U+${code.toString(16)}`);
    hashes.set(key, hash);
  }
});

test('the hash of a long text does not depend on its spaces, and covers its end', () => {
  const words = Array.from({ length: 9000 }, (_, i) => `word${i}`);
  const hash = duplicateHash(bookOf({ title: words.join(' ') }));
  assert.equal(duplicateHash(bookOf({ title: words.join(' - ') })), hash);
  assert.notEqual(duplicateHash(bookOf({ title: words.with(-1, 'end').join(' ') })), hash);
});
