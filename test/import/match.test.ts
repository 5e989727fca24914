import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compare } from '../../src/import/match.ts';
import { bookOf, storedBook } from '../support/books.ts';

describe('a text in which question marks replace letters is refused', () => {
  const table: [text: string, isLetter: boolean][] = [
    ['é', true],
    ['书', true],
    ['e', false],
    ['~', false],
  ];
  for (const [character, isLost] of table)
    test(`${character}: ${isLost ? 'yes' : 'no, every encoding has it'}`, () => {
      const now = storedBook(1, { title: `Caf${character}` });
      const fields = bookOf({ ...now, title: 'Caf?' });
      const result = compare({ id: 1, digest: undefined, given: ['title'], fields }, now);
      assert.deepEqual(
        result,
        isLost ? { problem: { code: 'lostCharacters', field: 'title' } } : { patch: { title: 'Caf?' } },
      );
    });
});
