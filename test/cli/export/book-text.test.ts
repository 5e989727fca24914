import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Book } from '../../../src/book.ts';
import { formatBooks, type BookTextOptions } from '../../../src/cli/export/book-text.ts';

async function* give(books: readonly Book[]): AsyncGenerator<Book> {
  for (const book of books) yield await Promise.resolve(book);
}

const csv: BookTextOptions = { format: 'csv', withIds: false, bom: false };

async function format(books: readonly Book[], options: Partial<BookTextOptions>) {
  const pieces: { text: string; count: number }[] = [];
  for await (const piece of formatBooks(give(books), { ...csv, ...options })) pieces.push(piece);
  return { text: pieces.map((piece) => piece.text).join(''), counts: pieces.map((piece) => piece.count) };
}

const emma: Book = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
const odd: Book = { id: 20, title: ' "A", b\r', author: 'C\nD', year: -1750 };
const none: Book = { id: 300, title: '', author: '', year: 0 };

describe('books as text', () => {
  const table: [what: string, books: Book[], options: Partial<BookTextOptions>, text: string][] = [
    ['CSV of none', [], {}, 'title,author,year,shelflist-export\n,,,whole\n'],
    ['CSV of none, with ids', [], { withIds: true }, 'id,title,author,year,shelflist-export\n,,,,whole\n'],
    ['CSV of one', [emma], {}, 'title,author,year,shelflist-export\nEmma,Jane Austen,1815,whole\n'],
    [
      'CSV of two, with ids',
      [emma, none],
      { withIds: true },
      'id,title,author,year,shelflist-export\n1,Emma,Jane Austen,1815,begin\n300,,,0,end\n',
    ],
    [
      'CSV of three',
      [emma, odd, none],
      {},
      'title,author,year,shelflist-export\nEmma,Jane Austen,1815,begin\n" ""A"", b\r","C\nD",-1750,\n,,0,end\n',
    ],
    [
      'CSV with a byte order mark',
      [none],
      { bom: true },
      '\uFEFFtitle,author,year,shelflist-export\n,,0,whole\n',
    ],
    ['JSON of none', [], { format: 'json' }, '[\n]\n'],
    ['JSON of one', [none], { format: 'json' }, '[\n{"title":"","author":"","year":0}\n]\n'],
    [
      'JSON of two, with ids; a byte order mark is for CSV alone',
      [emma, none],
      { format: 'json', withIds: true, bom: true },
      '[\n{"id":1,"title":"Emma","author":"Jane Austen","year":1815},\n{"id":300,"title":"","author":"","year":0}\n]\n',
    ],
    ['NDJSON of none', [], { format: 'ndjson' }, '{"shelflist-export":"whole"}\n'],
    ['NDJSON of none, with ids', [], { format: 'ndjson', withIds: true }, '{"shelflist-export":"whole"}\n'],
    [
      'NDJSON of one',
      [none],
      { format: 'ndjson', bom: true },
      '{"title":"","author":"","year":0,"shelflist-export":"whole"}\n',
    ],
    [
      'NDJSON of three, with ids',
      [emma, odd, none],
      { format: 'ndjson', withIds: true },
      [
        '{"id":1,"title":"Emma","author":"Jane Austen","year":1815,"shelflist-export":"begin"}',
        String.raw`{"id":20,"title":" \"A\", b\r","author":"C\nD","year":-1750}`,
        '{"id":300,"title":"","author":"","year":0,"shelflist-export":"end"}\n',
      ].join('\n'),
    ],
  ];
  for (const [what, books, options, text] of table) {
    test(what, async () => {
      assert.equal((await format(books, options)).text, text);
    });
  }
});

describe('many books come in pieces, of which none is long', () => {
  for (const [count, counts] of [
    [500, [0, 500, 500]],
    [501, [0, 500, 501, 501]],
    [1_200, [0, 500, 1_000, 1_200, 1_200]],
  ] as const) {
    const books = Array.from({ length: count }, (_, i) => ({ ...none, id: i + 1 }));

    test(`${count} as CSV and NDJSON: the first and the last have a mark`, async () => {
      const asCsv = await format(books, {});
      const marks = asCsv.text.trimEnd().split('\n').slice(1);
      assert.deepEqual(marks, [',,0,begin', ...Array<string>(count - 2).fill(',,0,'), ',,0,end']);
      assert.deepEqual(asCsv.counts, counts);
      const asNdjson = await format(books, { format: 'ndjson' });
      const lines = asNdjson.text.trimEnd().split('\n');
      const seen = lines.map(
        (line) => (JSON.parse(line) as { 'shelflist-export'?: string })['shelflist-export'],
      );
      assert.deepEqual(seen, ['begin', ...Array<undefined>(count - 2).fill(undefined), 'end']);
    });

    test(`${count} as JSON`, async () => {
      const { text } = await format(books, { format: 'json', withIds: true });
      assert.deepEqual(JSON.parse(text), books);
    });
  }
});

test('books that end with an error: so does the text, without its end', async () => {
  async function* broken() {
    yield await Promise.resolve(emma);
    throw new Error('the service');
  }
  for (const form of ['csv', 'json', 'ndjson'] as const) {
    let text = '';
    await assert.rejects(
      async () => {
        for await (const piece of formatBooks(broken(), { ...csv, format: form })) text += piece.text;
      },
      { message: 'the service' },
    );
    assert.doesNotMatch(text, /end|whole|\]/);
  }
});
