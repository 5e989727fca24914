import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RisParser } from '../../src/formats/ris.ts';
import { parsePieces } from '../support/chunks.ts';

/** As Zotero 6 exports books. */
const zotero = `TY  - BOOK
TI  - The pragmatic programmer: from journeyman to master
AU  - Hunt, Andrew
AU  - Thomas, David
CY  - Reading, Mass
DA  - 2000///
PY  - 1999
SN  - 978-0-201-61622-4
AB  - A first line
and a second one, without a tag.
PB  - Addison-Wesley
KW  - Computer programming
ER  - 

TY  - BOOK
TI  - Ilias
AU  - Homer
A4  - Schadewaldt, Wolfgang
PY  - 1975
ER  - 

TY  - CHAP
T1  - Why we
 can't wait
A1  - King, Martin Luther, Jr.
Y1  - 1963/07//
T2  - Speeches
ER  - 
`;
const books = [
  {
    title: 'The pragmatic programmer: from journeyman to master',
    author: 'Andrew Hunt, David Thomas',
    year: 1999,
  },
  { title: 'Ilias', author: 'Homer', year: 1975 },
  { title: "Why we can't wait", author: 'Martin Luther King Jr.', year: 1963 },
];
const parse = (...pieces: string[]) => parsePieces(new RisParser(), pieces);

describe('a file of RIS', () => {
  for (const [name, text] of [
    ['with line feeds', zotero],
    ['with CRLF', zotero.replaceAll('\n', '\r\n')],
    ['with CR', zotero.replaceAll('\n', '\r')],
    [
      'with one space after a tag, after a header',
      `Provider: X\nDatabase: Y\n\n${zotero.replaceAll('  - ', ' - ')}`,
    ],
  ] as const)
    test(`${name} is read, wherever it is split`, () => {
      const complete = { books, cut: undefined, failure: undefined };
      assert.deepEqual(parse(...Array.from(text)), complete);
      for (let at = 0; at <= text.length; at++)
        assert.deepEqual(parse(text.slice(0, at), text.slice(at)), complete, String(at));
    });

  test('may be cut off anywhere: the records before are right, and the file is said to be cut off', () => {
    const ends = [...zotero.matchAll(/ER {2}-/g)].map(({ index }) => index + 5);
    for (let at = 6; at < zotero.length; at++) {
      const { books: read, cut, failure } = parse(zotero.slice(0, at));
      const count = ends.filter((end) => end <= at).length;
      assert.equal(failure, undefined);
      // The first lines of a file, from the title on, are a record without ER.
      if (count === 0 && /\nTI[^]*\n$/.test(zotero.slice(0, at))) {
        assert.deepEqual([read.length, cut], [1, undefined], String(at));
        continue;
      }
      assert.deepEqual(read, books.slice(0, count), String(at));
      const isBetween = !/TY[^]*$/.test(zotero.slice(ends[count - 1] ?? 0, at).replace(/TY {0,2}$/, ''));
      assert.equal(cut, isBetween ? undefined : `record ${count + 1} has no ER line`, String(at));
    }
  });

  test('has records that are left out, and the others are read', () => {
    const text =
      'TY  - BOOK\nAU  - Nobody\nER  - \nTY  - BOOK\nTI  - Cut\nTY  - BOOK\nTI  - Emma\nED  - Lee, Ann\nPY  - n.d.\nER  -';
    assert.deepEqual(parse(text).books, [
      'it has no title',
      { title: 'Cut', author: '', year: 0 },
      { title: 'Emma', author: 'Ann Lee', year: 0 },
    ]);
  });

  test('has the editors of a book in ED or A3, and those of other records in A2', () => {
    const record = (type: string, tag: string) => `TY  - ${type}\nTI  - A\n${tag}  - Lee, Ann\nER  - \n`;
    const pairs = [
      ['BOOK', 'ED', 'Ann Lee'],
      ['BOOK', 'A3', 'Ann Lee'],
      ['BOOK', 'A2', ''],
      ['CHAP', 'A2', 'Ann Lee'],
    ] as const;
    for (const [type, tag, author] of pairs)
      assert.deepEqual(parse(record(type, tag)).books, [{ title: 'A', author, year: 0 }], `${type} ${tag}`);
  });

  test('without ER: the next TY, or the end, ends a record', () => {
    const [emma, iliad] = ['Emma', 'Iliad'].map((title) => `TY - BOOK\nTI - ${title}\n`);
    const bookOf = (title: string) => ({ title, author: '', year: 0 });
    for (const text of [`${emma}${iliad}`, `${emma}\n${iliad}`.trim()])
      for (const end of ['\n', '\r', '\r\n'])
        assert.deepEqual(parse(text.replaceAll('\n', end)), {
          books: [bookOf('Emma'), bookOf('Iliad')],
          cut: undefined,
          failure: undefined,
        });
    assert.deepEqual(parse(emma ?? '').books, [bookOf('Emma')]);
    // Elsewhere the file has ER.
    assert.equal(parse(`${emma}ER  - \n${iliad}`).cut, 'record 2 has no ER line');
  });

  test('of another format is refused', () => {
    assert.match(parse('title,author\nEmma,Jane\n').failure ?? '', /not RIS/);
  });

  test('with 1 GiB in a field is refused', () => {
    function* pieces() {
      yield 'TY  - BOOK\nTI  - ';
      for (let i = 0; i < 16_384; i++) yield 'x'.repeat(65_536);
    }
    assert.match(parsePieces(new RisParser(), pieces()).failure ?? '', /record 1 is longer than 16 MiB/);
  });
});

describe('the tagged format of EndNote', () => {
  const books = [
    { title: 'Emma: a novel', author: 'Jane Austen', year: 1815 },
    { title: 'Essays', author: 'Ann Lee', year: 0 },
  ];
  const tables: [what: string, text: string][] = [
    [
      'with types',
      '%0 Book\n%T Emma:\n a novel\n%A Austen, Jane\n%D 1815\n%I X\n\n%0 Edited Book\n%T Essays\n%E Lee, Ann\n',
    ],
    ['without types', '%A Austen, Jane\n%T Emma: a novel\n%8 12/25/1815\n\n%T Essays\n%E Lee, Ann'],
  ];
  for (const [what, text] of tables)
    test(`${what} is read, wherever it is split`, () => {
      for (const file of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')])
        for (let at = 0; at <= file.length; at++) {
          const parsed = parsePieces(new RisParser('endnote'), [file.slice(0, at), file.slice(at)]);
          assert.deepEqual(parsed, { books, cut: undefined, failure: undefined }, String(at));
        }
    });
});
