import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findNextCursor } from '../../src/client/answers.ts';

describe('the cursor in the Link header of a page', () => {
  const table: [header: string | null, cursor: string | undefined][] = [
    [null, undefined],
    ['', undefined],
    ['</books?limit=1&after=abc>; rel="next"', 'abc'],
    ['</books?after=abc>;rel=next', 'abc'],
    ['</books?after=abc> ; REL="Next"', 'abc'],
    ['</books?after=a>; rel="prev", </books?after=b>; rel="next"', 'b'],
    ['<a,b?after=a>; rel=prev,<?after=b>; rel=next', 'b'],
    ['<https://elsewhere.example/books?after=abc#x>; rel="next"', 'abc'],
    ['</books?after=%C3%A9%20+>; rel="next"', 'é  '],
    ['</books?after=abc>', undefined],
    ['</books?after=abc>; rel="prev"', undefined],
    ['</books?after=abc>; rel="nextest"', undefined],
    ['/books?after=abc; rel="next"', undefined],
    ['<<<<', undefined],
  ];
  for (const [header, cursor] of table) {
    test(`${header ?? 'none'}: ${cursor ?? 'none'}`, () => {
      assert.equal(findNextCursor(header), cursor);
    });
  }

  for (const header of [
    '</books>; rel="next"',
    '</books?after=>; rel="next"',
    '</books#?after=a>; rel="next"',
  ]) {
    test(`${header}: bad_response`, () => {
      assert.throws(() => findNextCursor(header), { code: 'bad_response' });
    });
  }
});
