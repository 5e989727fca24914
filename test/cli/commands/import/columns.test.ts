import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findColumns } from '../../../../src/import/columns.ts';
import { requireColumns } from '../../../../src/cli/commands/import/report.ts';

describe('columns are found by their header', () => {
  const table: [header: string[], places: Record<string, number>, chosen?: Record<string, string>][] = [
    [['title', 'author', 'year'], { title: 0, author: 1, year: 2 }],
    [['year', 'x', 'author', 'title'], { title: 3, author: 2, year: 0 }],
    [['TITLE', ' Author(s) ', 'Year_Published'], { title: 0, author: 1, year: 2 }],
    [['Book-Title', 'Book-Author', 'Year-Of-Publication'], { title: 0, author: 1, year: 2 }],
    [
      ['book_id', 'authors', 'original_publication_year', 'original_title', 'title'],
      { title: 4, author: 1, year: 2 },
    ],
    [
      [
        'Book Id',
        'Title',
        'Author',
        'Author l-f',
        'My Rating',
        'Year Published',
        'Original Publication Year',
      ],
      { title: 1, author: 2, year: 6, instead: 5 },
    ],
    [
      ['Book Id', 'Title', 'Sort Character', 'Primary Author', 'Secondary Author', 'Publication', 'Date'],
      { title: 1, author: 3, year: 6 },
    ],
    [
      ['author_sort', 'authors', 'id', 'pubdate', 'publisher', 'timestamp', 'title', 'title_sort'],
      { title: 6, author: 1, year: 3 },
    ],
    [['title'], { title: 0 }],
    [['title', 'title'], { title: 0 }],
    [['Title', 'TITLE'], { title: 1 }, { title: 'TITLE' }],
    [['#', '?', 'title'], { title: 2, author: 1 }, { author: '?' }],
    [['Titel', 'Verfasser'], { title: 0, author: 1 }, { title: 'titel', author: 'Verfasser' }],
    [['title', 'original title'], { title: 1 }, { title: 'original_title' }],
  ];
  for (const [header, places, chosen = {}] of table) {
    test(`${header.join(', ')} ${JSON.stringify(chosen)}`, () => {
      const { instead, ...rest } = places;
      const expected = Object.entries(rest).map(([field, at]) => [
        field,
        { name: header[at], at, ...(field === 'year' && instead !== undefined && { instead }) },
      ]);
      assert.deepEqual(findColumns(header, chosen), Object.fromEntries(expected));
    });
  }
});

describe('a missing column is a usage error that names the existing ones', () => {
  const table: [header: string[], chosen: Record<string, string>, message: string][] = [
    [
      ['a', 'b"'],
      {},
      String.raw`no column looks like the title; name it with --map title=COLUMN. The first line must name the columns; it has: "a", "b\""`,
    ],
    [
      ['title'],
      { year: 'jahr' },
      'column "jahr" not found. The first line must name the columns; it has: "title"',
    ],
    [
      ['Íàçâàíèå'],
      {},
      'no column looks like the title; name it with --map title=COLUMN. The first line must name the columns; it has: "Íàçâàíèå". If they look garbled, name the encoding of the file with --encoding',
    ],
  ];
  for (const [header, chosen, message] of table) {
    test(message, () => {
      const start = { header, mapping: findColumns(header, chosen) };
      assert.throws(
        () => {
          requireColumns(start, chosen, false);
        },
        { code: 'usage', message },
      );
    });
  }
});
