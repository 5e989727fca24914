import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BibtexParser } from '../../src/formats/bibtex.ts';
import { createSerializer } from '../../src/formats/serializer.ts';
import { storedBook } from '../support/books.ts';
import { parsePieces } from '../support/chunks.ts';
import { placesOf, sized } from '../support/size.ts';

/** As Zotero, JabRef and people write books. */
const file = String.raw`% Encoding: UTF-8
@string{aw = "Addison-Wesley"}
@String (mlk = {King, Jr., Martin Luther})
@preamble{ "\newcommand{\noop}[1]{}" }

@book{hunt_pragmatic_1999,
	address = {Reading, Mass},
	title = {The pragmatic programmer: from journeyman to master},
	isbn = {978-0-201-61622-4},
	publisher = aw,
	author = {Hunt, Andrew and Thomas, David},
	year = {1999},
	note = {Mail to author@example.org, or @home},
}

@Book{goedel,
  Author    = "Kurt G{\"o}del and {Free Software Foundation} and others",
  TITLE     = "{\"U}ber formal unentscheidbare {S}{\"a}tze der \emph{Principia} " # "{M}athematica",
  Year      = 1931, month = jan
}
@book{why, title = {Why We Can't Wait}, subtitle = {Letters \& Speeches}, author = mlk, date = {1963-07} }
@inbook{chapter, title = {A Chapter}, crossref = {Parent} }
@book{parent, title = {The {Whole} Book}, editor = {van der Berg, {\O}yvind and de Saint-Exup\'ery, Antoine}, year = {2001}}
@comment{jabref-meta: databaseType:bibtex;}
`;
const books = [
  {
    title: 'The pragmatic programmer: from journeyman to master',
    author: 'Andrew Hunt, David Thomas',
    year: 1999,
  },
  {
    title: 'Über formal unentscheidbare Sätze der Principia Mathematica',
    author: 'Kurt Gödel, Free Software Foundation',
    year: 1931,
  },
  { title: "Why We Can't Wait: Letters & Speeches", author: 'Martin Luther King Jr.', year: 1963 },
  { title: 'The Whole Book', author: 'Øyvind van der Berg, Antoine de Saint-Exupéry', year: 2001 },
  // Read last: it waited for its parent.
  { title: 'A Chapter', author: 'Øyvind van der Berg, Antoine de Saint-Exupéry', year: 2001 },
];
const parse = (...pieces: string[]) => parsePieces(new BibtexParser(), pieces);

describe('a file of BibTeX', () => {
  test('is read, wherever it is split', () => {
    const complete = { books, cut: undefined, failure: undefined };
    assert.deepEqual(parse(...Array.from(file)), complete);
    for (let at = 0; at <= file.length; at++)
      assert.deepEqual(parse(file.slice(0, at), file.slice(at)), complete, String(at));
  });

  test('may have entries in parentheses, with parentheses in their texts', () => {
    const text =
      '@article(re, title = "A (re)consideration :)", year = 2001)\n@book(b, title = {B (2)}, year = "2002")';
    const expected = [
      { title: 'A (re)consideration :)', author: '', year: 2001 },
      { title: 'B (2)', author: '', year: 2002 },
    ];
    for (const at of placesOf(text.length))
      assert.deepEqual(parse(text.slice(0, at), text.slice(at)).books, expected, String(at));
  });

  test('may be cut off anywhere: the books before are right, and a cut within an entry is told', () => {
    const whole = new Set(books.map((book) => JSON.stringify(book)));
    // A chapter without its parent has no author and no year.
    whole.add(JSON.stringify('its crossref names parent, which the file does not have'));
    for (const at of placesOf(file.length - 1)) {
      const { books: read, cut, failure } = parse(file.slice(0, at));
      for (const book of read) assert.ok(whole.has(JSON.stringify(book)), `${at}: ${JSON.stringify(book)}`);
      assert.equal(failure, undefined);
      const open = file.slice(0, at).lastIndexOf('\n@');
      if (open > 0 && /^\n@book\{[a-z]+[^]*[^}\s]$/.test(file.slice(open, at))) assert.ok(cut, String(at));
    }
  });

  test('has entries that are left out, and the others are read', () => {
    const text = [
      '@book{a, title = {A}}, author = {B}}',
      '@book{b, title = {B, author = {C}, year = 1}',
      '@book{c, author = {C}}',
      '@book{d, title = unknown}',
      '@book{e, title {E}}',
      '@book(f, title = "F", publisher = unknown),',
      'mail me@example.org @book{h, title = {H} year = 8 }',
      '@book{g, title = {G}, year = {n.d.}}',
    ].join('\n');
    const { books: read, cut } = parse(text);
    assert.deepEqual(
      read.map((book) => (typeof book === 'string' ? book.replace(/ at .*/, '') : book)),
      [
        'its braces do not match',
        'its braces do not match',
        'it has no title',
        'its title names unknown, which no @string defines',
        'its fields cannot be read',
        { title: 'F', author: '', year: 0 },
        { title: 'H', author: '', year: 8 },
        { title: 'G', author: '', year: 0 },
      ],
    );
    assert.equal(cut, undefined);
  });

  test('finds the entry of a crossref before it, and far after it', () => {
    const others = Array.from(
      { length: 3000 },
      (_, at) => `@book{k${at}, title = {${at}}, crossref = {k${at}}}`,
    );
    const parent = '@book{p, title = {P}, author = {A, B}, year = 1}';
    const child = '@inbook{c, title = {C}, crossref = {P}}';
    const expected = { title: 'C', author: 'B A', year: 1 };
    assert.deepEqual(parse([parent, child].join('\n')).books.at(-1), expected);
    const { books: read } = parse([child, ...others, parent].join('\n'));
    assert.deepEqual(read.at(-1), expected);
    assert.equal(read.length, 3002);
  });

  test('may have macros that double each other: what is too long is left out', () => {
    const doubled = Array.from({ length: 40 }, (_, at) => `@string{a${at + 1} = a${at} # a${at}}`);
    const macros = [`@string{a0 = "${'x'.repeat(1000)}"}`, ...doubled];
    const tooLong = 'its macros are longer than 16 KiB';
    const entries = ['title = a4', 'title = a5', 'title = a40', 'title = {T}, note = a4, abstract = a4'];
    const { books: read, failure } = parse(
      [...macros, ...entries.map((fields) => `@book{k, ${fields}}`)].join('\n'),
    );
    assert.equal(failure, undefined);
    const undefinedMacro = (name: string) => `its title names ${name}, which no @string defines`;
    assert.deepEqual(
      read.filter((book) => book !== undefinedMacro('a5')),
      [
        tooLong, // The @string of a5.
        { title: 'x'.repeat(16_000), author: '', year: 0 },
        undefinedMacro('a40'),
        tooLong,
      ],
    );
  });

  test('with an unterminated field, or deep nesting, is refused', () => {
    function* pieces(piece: string) {
      yield '@book{a, title = {';
      for (let i = 0; i < sized({ short: 257, long: 16_384 }); i++) yield piece;
    }
    const { failure } = parsePieces(new BibtexParser(), pieces('x'.repeat(65_536)));
    assert.match(failure ?? '', /longer than 16 MiB/);
    const deep = `@book{a, title = ${'{'.repeat(100_000)}x${'}'.repeat(100_000)}}`;
    assert.deepEqual(parse(deep).books, [{ title: 'x', author: '', year: 0 }]);
  });
});

test('books are written as BibTeX, and read back where their authors have names of two parts', async () => {
  const some = [
    storedBook(1, { title: 'The pragmatic programmer', author: 'Andrew Hunt, David Thomas', year: 1999 }),
    storedBook(2, { title: 'Iliad {1} & 100%', author: 'Homer', year: -750 }),
    storedBook(3, { title: 'Letters', author: 'Martin Luther King Jr., Smith and Sons', year: 0 }),
  ];
  const { head, part, foot } = await createSerializer('bibtex', { withIds: false });
  const text = head + part(some) + foot(false);
  assert.deepEqual(
    parse(text).books,
    some.map(({ id: _, ...fields }) => fields),
  );
  assert.ok(
    text.startsWith(
      '@book{book1,\n  title = {The pragmatic programmer},\n  author = {Hunt, Andrew and Thomas, David},\n  year = {1999},\n}\n',
    ),
  );
});
