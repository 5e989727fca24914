import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleBook, fieldsOf, type Book } from '../../../../src/catalogue/book.ts';
import { type BookFileOptions, formatBooks } from '../../../../src/formats/serializer.ts';
import { formatRevision } from '../../../../src/formats/revision.ts';
import { storedBook } from '../../../support/books.ts';

async function* give(books: readonly Book[]): AsyncGenerator<Book> {
  for (const book of books) yield await Promise.resolve(book);
}

/** As the export command sets them together. */
const traced = { withIds: true, withRevisions: true };
const csv: BookFileOptions = { format: 'csv', withIds: false, bom: false };

async function format(books: readonly Book[], options: Partial<BookFileOptions>) {
  const pieces: { text: string; count: number }[] = [];
  for await (const { content, count } of formatBooks(give(books), { ...csv, ...options }))
    pieces.push({ text: String(content), count });
  return { text: pieces.map((piece) => piece.text).join(''), counts: pieces.map((piece) => piece.count) };
}

const emma = storedBook(1, exampleBook);
const odd = storedBook(20, { title: ' "A", b\r', author: 'C\nD', year: -1750 });
const none = storedBook(300);
const formulas = storedBook(7, { title: '=1+1', author: '-A', year: -5 });

const revision = (book: Book, isEscaped = false) => formatRevision(book, isEscaped);

describe('books as text', () => {
  const table: { what: string; books: Book[]; options: Partial<BookFileOptions>; text: string }[] = [
    { what: 'CSV of none', books: [], options: {}, text: 'title,author,year\r\n' },
    {
      what: 'CSV of none, with ids',
      books: [],
      options: { ...traced },
      text: 'id,title,author,year,revision\r\n',
    },
    {
      what: 'CSV of one',
      books: [emma],
      options: {},
      text: 'title,author,year\r\nEmma,Jane Austen,1815\r\n',
    },
    {
      what: 'CSV of two, with ids',
      books: [emma, none],
      options: { ...traced },
      text: `id,title,author,year,revision\r\n1,Emma,Jane Austen,1815,${revision(emma)}\r\n300,"","","0",${revision(none)}\r\n`,
    },
    {
      what: 'CSV of three',
      books: [emma, odd, none],
      options: {},
      text: 'title,author,year\r\nEmma,Jane Austen,1815\r\n" ""A"", b\r","C\nD",-1750\r\n"","","0"\r\n',
    },
    {
      what: 'CSV with a byte order mark',
      books: [none],
      options: { bom: true },
      text: '\uFEFFtitle,author,year\r\n"","","0"\r\n',
    },
    {
      what: 'TSV',
      books: [emma],
      options: { format: 'tsv' },
      text: 'title\tauthor\tyear\r\nEmma\tJane Austen\t1815\r\n',
    },
    {
      what: 'CSV with semicolons',
      books: [storedBook(1, { title: 'A;B', author: 'C,D', year: 1 })],
      options: { delimiter: ';' },
      text: 'title;author;year\r\n"A;B";C,D;1\r\n',
    },
    {
      what: 'CSV with escaped texts',
      books: [formulas],
      options: { isEscaped: true, ...traced },
      text: `id,title,author,year,revision\r\n7,'=1+1,'-A,-5,${revision(formulas, true)}\r\n`,
    },
    { what: 'JSON of none', books: [], options: { format: 'json' }, text: '[\n]\n' },
    {
      what: 'JSON of one',
      books: [none],
      options: { format: 'json' },
      text: '[\n{"title":"","author":"","year":0}\n]\n',
    },
    {
      what: 'JSON of two, with ids; a byte order mark is for CSV alone',
      books: [emma, none],
      options: { format: 'json', ...traced, bom: true },
      text: `[\n{"id":1,"title":"Emma","author":"Jane Austen","year":1815,"revision":"${revision(emma)}"},\n{"id":300,"title":"","author":"","year":0,"revision":"${revision(none)}"}\n]\n`,
    },
    { what: 'NDJSON of none', books: [], options: { format: 'ndjson' }, text: '' },
    { what: 'NDJSON of none, with ids', books: [], options: { format: 'ndjson', ...traced }, text: '' },
    {
      what: 'NDJSON of one',
      books: [none],
      options: { format: 'ndjson', bom: true },
      text: '{"title":"","author":"","year":0}\n',
    },
    {
      what: 'NDJSON of three, with ids',
      books: [emma, odd, none],
      options: { format: 'ndjson', ...traced },
      text: [
        `{"id":1,"title":"Emma","author":"Jane Austen","year":1815,"revision":"${revision(emma)}"}`,
        String.raw`{"id":20,"title":" \"A\", b\r","author":"C\nD","year":-1750,"revision":"${revision(odd)}"}`,
        `{"id":300,"title":"","author":"","year":0,"revision":"${revision(none)}"}\n`,
      ].join('\n'),
    },
  ];
  for (const { what, books, options, text } of table) {
    test(what, async () => {
      assert.equal((await format(books, options)).text, text);
    });
  }
});

const emptyRow = '"","","0"';

describe('many books are formatted in short pieces', () => {
  for (const [count, counts] of [
    [500, [0, 500, 500]],
    [501, [0, 500, 501, 501]],
    [1_200, [0, 500, 1_000, 1_200, 1_200]],
  ] as const) {
    const books = Array.from({ length: count }, (_, i) => ({ ...none, id: i + 1 }));

    test(`${count} as CSV and NDJSON`, async () => {
      const asCsv = await format(books, {});
      assert.deepEqual(asCsv.text.split('\r\n').slice(1, -1), Array<string>(count).fill(emptyRow));
      assert.deepEqual(asCsv.counts, counts);
      const asNdjson = await format(books, { format: 'ndjson', ...traced });
      const revised = books.map((book) => ({ ...book, revision: revision(book) }));
      assert.deepEqual(
        asNdjson.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Book),
        revised,
      );
    });

    test(`${count} as JSON`, async () => {
      const { text } = await format(books, { format: 'json' });
      assert.deepEqual(JSON.parse(text), books.map(fieldsOf));
    });
  }
});

test('an error while books are read ends the text early', async () => {
  async function* broken() {
    yield await Promise.resolve(emma);
    throw new Error('the service');
  }
  for (const form of ['csv', 'json', 'ndjson'] as const) {
    let text = '';
    await assert.rejects(
      async () => {
        for await (const piece of formatBooks(broken(), { ...csv, format: form }))
          text += String(piece.content);
      },
      { message: 'the service' },
    );
    assert.doesNotMatch(text, /\]/);
  }
});
