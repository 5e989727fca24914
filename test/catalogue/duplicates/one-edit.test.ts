import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithinOneEdit } from '../../../src/catalogue/duplicates/one-edit.ts';

/** All texts over an alphabet that one edit makes of a text, and the text itself. */
function editsOf(text: string, alphabet: string): Set<string> {
  const edits = new Set([text]);
  for (let i = 0; i <= text.length; i++) {
    const [start, end] = [text.slice(0, i), text.slice(i)];
    edits.add(start + end.slice(1));
    edits.add(start + end.slice(1, 2) + end.slice(0, 1) + end.slice(2));
    for (const letter of alphabet) edits.add(start + letter + end).add(start + letter + end.slice(1));
  }
  return edits;
}

test('finds exactly the texts that one edit makes of a text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      assert.equal(isWithinOneEdit(one, other), editsOf(one, 'abc').has(other));
    }),
    { numRuns: 2000 },
  );
});
