import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findNextCursor } from '../../src/client/links.ts';

describe('the cursor in a Link header (RFC 8288)', () => {
  const table: [header: string | undefined, cursor: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['</books?limit=1&after=abc>; rel="next"', 'abc'],
    ['</books?after=abc>;rel=next', 'abc'],
    ['</books?after=abc> ; REL = "Next"', 'abc'],
    ['</books?after=abc>; rel="last next"', 'abc'],
    ['</books?after=abc>; title="a, \\"b\\"; rel=x"; rel="next"', 'abc'],
    ['</books?after=abc>; hidden; rel=next', 'abc'],
    ['</books?after=a>; rel="prev", </books?after=b>; rel="next"', 'b'],
    ['<a,b?after=a>; rel=prev,<?after=b>; rel=next', 'b'],
    ['<https://elsewhere.example/books?after=abc#x>; rel="next"', 'abc'],
    ['</books?after=%C3%A9%20+>; rel="next"', 'é  '],
    ['</books?after=abc>', undefined],
    ['</books?after=abc>; rel="prev"', undefined],
    ['</books?after=abc>; rel="nextest"', undefined],
    ['</books?after=abc>; rel="prev"; rel="next"', undefined],
    ['</books?after=abc>; title="; rel=next"', undefined],
    ['</books?after=abc>; rel="next"; anchor="#other"', undefined],
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
