import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isbnDigits, parseIsbn } from '../../src/catalogue/isbn.ts';

describe('parseIsbn', () => {
  const table: [text: string, isbn: string | undefined][] = [
    ['9780141439587', '9780141439587'],
    ['0141439580', '9780141439587'],
    ['080442957X', '9780804429573'],
    ['080442957x', '9780804429573'],
    ['978-0-14-143958-7', '9780141439587'],
    [' 978 0 14 143958 7\t', '9780141439587'],
    ['978‑0‑14–143958—7', '9780141439587'],
    ['９７８０１４１４３９５８７', '9780141439587'],
    ['979-10-90636-07-1', '9791090636071'],
    ['ISBN 978-0-14-143958-7', '9780141439587'],
    ['ISBN-13: 9780141439587', '9780141439587'],
    ['ISBN-10 0-14-143958-0', '9780141439587'],
    ['isbn:1034567898', undefined],
    ['9780141439588', undefined],
    ['0141439581', undefined],
    ['9770028983002', undefined], // An ISSN.
    ['978014143958', undefined],
    ['97801414395870', undefined],
    ['X141439580', undefined],
    ['9780141439587 Emma', undefined],
    ['', undefined],
    ['9'.repeat(1000), undefined],
  ];
  for (const [text, isbn] of table)
    test(JSON.stringify(text.slice(0, 40)), () => {
      assert.equal(parseIsbn(text), isbn);
    });

  test('every single wrong digit, and every swap of two neighbours of an ISBN-10, is found', () => {
    for (const isbn of ['9780141439587', '080442957X'])
      for (let at = 0; at < isbn.length - 1; at++)
        for (const digit of '0123456789')
          if (digit !== isbn[at])
            assert.equal(parseIsbn(isbn.slice(0, at) + digit + isbn.slice(at + 1)), undefined);
    const digits = '0141439580';
    for (let at = 0; at < 9; at++) {
      const [a = '', b = ''] = digits.slice(at);
      if (a !== b) assert.equal(parseIsbn(digits.slice(0, at) + b + a + digits.slice(at + 2)), undefined);
    }
  });
});

test('isbnDigits accepts a wrong check digit, which is then reported as one', () => {
  assert.equal(isbnDigits('978-0-14-143958-8'), '9780141439588');
  assert.equal(isbnDigits('title'), undefined);
});

test('a longer text than 60 characters, or one with more letters, is not an ISBN', () => {
  const digits = '9780141439587';
  assert.equal(isbnDigits(digits.padStart(60)), digits);
  for (const text of [
    digits.padStart(61),
    `x${digits}`,
    `${digits}x`,
    `ISBN-12: ${digits}`,
    `EISBN ${digits}`,
  ])
    assert.equal(isbnDigits(text), undefined, text);
});
