import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MrkParser } from '../../src/formats/mrk.ts';
import { parsePieces } from '../support/chunks.ts';

const parse = (...fields: readonly string[]) =>
  parsePieces(new MrkParser(), [`=LDR  00000nam  2200000 a 4500\n${fields.join('\n')}\n`]).books;

test('names of characters in the text of MarcEdit are read: marks precede their letters', () => {
  const books = parse(
    '=100  1\\$a{caron}Capek, Karel.',
    '=245  10$aB{acute}il{acute}a {lstrok}{macr}e{uml} {llig}i{rlig}u {dollar}5 {mllhring}A {unknown} /',
  );
  assert.deepEqual(books, [
    { title: 'Bílá łē\u0308 i\u0361u $5 ʻA {unknown}', author: 'Karel Čapek', year: 0 },
  ]);
});
