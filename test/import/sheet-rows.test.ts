import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';
import type { ReadOptions } from '../../src/import/row.ts';
import { cellsOf, restate, workbook } from '../support/workbook.ts';

/** Reads a file. @param onRead Called when it has arrived. */
function read(file: Uint8Array, options: Partial<ReadOptions> = {}, onRead?: () => void) {
  async function* source() {
    yield await Promise.resolve(file);
    onRead?.();
  }
  return readBooks(source(), { onStart: () => undefined, ...options });
}

test('reading a sheet lets other work run, and ends with the signal: without a row, and between rows', async () => {
  for (const row of ['<row/>', cellsOf('a')]) {
    const abort = new AbortController();
    const file = workbook({ sheets: { Books: cellsOf('title') + row.repeat(50_000) } });
    const rows = read(file, { signal: abort.signal }, () => {
      setTimeout(() => {
        abort.abort();
      });
    });
    await assert.rejects(
      async () => {
        for await (const each of rows) assert.equal(each.unit, 'row');
      },
      { name: 'AbortError' },
    );
  }
});

test('a damaged sheet is refused before its first row', async () => {
  const file = workbook({ sheets: { Books: cellsOf('title') + cellsOf('Emma') } });
  const rows = read(restate(file, 'xl/worksheets/sheet1.xml', 'crc', 1));
  await assert.rejects(rows.next(), /the workbook is damaged \(xl\/worksheets\/sheet1\.xml\)/);
});

test('a cell far beside the table takes no memory in each row', async () => {
  const far = '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>';
  const rows = read(workbook({ sheets: { Books: cellsOf('title', 'year') + far.repeat(1000) } }));
  let count = 0;
  for await (const { original } of rows) {
    assert.deepEqual(original, ['1']);
    count++;
  }
  assert.equal(count, 1000);
});

test('a table is as wide as the row that names its columns, also below a title: a note beside it does not count', async () => {
  const sheet =
    cellsOf('Our books') + cellsOf('Title', 'Author') + cellsOf('Emma', 'Jane Austen', 'lent to Ann');
  const books: unknown[] = [];
  for await (const row of read(workbook({ sheets: { Books: sheet } })))
    books.push('fields' in row ? row.fields : row.problem);
  assert.deepEqual(books, [{ title: 'Emma', author: 'Jane Austen', year: 0 }]);
});

test('in a column of texts, a cell gives what it shows', async () => {
  const formats = ['h:mm', '0%', '000', 'yyyy\\-mm\\-dd', '@'];
  const shown = [
    [10 / 24 + 4 / 1440, '10:04'],
    [0.5, '50%'],
    [7, '007'],
    [30_000, '1982-02-18'],
    [1984, '1984'],
  ] as const;
  const cells = shown.map(([value], i) => `<row><c s="${i + 1}"><v>${value}</v></c></row>`).join('');
  const titles: unknown[] = [];
  for await (const row of read(workbook({ formats, sheets: { Books: cellsOf('title') + cells } })))
    titles.push('fields' in row ? row.fields.title : row.problem);
  assert.deepEqual(
    titles,
    shown.map(([, text]) => text),
  );
});

describe('a merged cell', () => {
  const cell = (address: string, text: string) =>
    `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
  /** Reads a sheet of cells and merged ranges: `row: title|author|year`, with its notes or its problem. */
  const rowsOf = async (cells: string, ...ranges: string[]) => {
    const xml = `<worksheet><sheetData>${cells}</sheetData><mergeCells>${ranges
      .map((range) => `<mergeCell ref="${range}"/>`)
      .join('')}</mergeCells></worksheet>`;
    const file = workbook({ sheets: { Books: '' }, parts: { 'xl/worksheets/sheet1.xml': xml } });
    const rows: string[] = [];
    for await (const row of read(file)) {
      const texts: string[] =
        'fields' in row
          ? [Object.values<string | number>(row.fields).join('|')]
          : [describeProblem(row.problem)];
      if ('fields' in row) texts.push(...(row.notes ?? []).map((note) => describeProblem(note)));
      rows.push(`${row.line}: ${texts.join('; ')}`);
    }
    return rows;
  };
  const header = `<row r="1">${cell('A1', 'author')}${cell('B1', 'title')}${cell('C1', 'year')}</row>`;
  const bookAt = (row: number, author = '', title = `Book ${row}`) =>
    `<row r="${row}">${author}${title && cell(`B${row}`, title)}</row>`;

  test('has its value in each of its rows, with a note; nothing beyond them', async () => {
    const books = bookAt(2, cell('A2', 'Eliot')) + bookAt(3) + bookAt(4, '<c r="A4"/>') + bookAt(5);
    const note = 'its author is that of a merged cell';
    assert.deepEqual(await rowsOf(header + books, 'C9:C10', 'A2:A4'), [
      '2: Book 2|Eliot|0',
      `3: Book 3|Eliot|0; ${note}`,
      `4: Book 4|Eliot|0; ${note}`,
      '5: Book 5||0',
    ]);
  });

  test('of the header names a column, and is no value', async () => {
    assert.deepEqual(await rowsOf(header + bookAt(2), 'A1:A2', 'C1:C3'), ['2: Book 2||0']);
  });

  test('whose rows have no other value gives no book', async () => {
    assert.deepEqual(await rowsOf(header + bookAt(2, cell('A2', 'Eliot')) + bookAt(3, '', ''), 'A2:A3'), [
      '2: Book 2|Eliot|0',
    ]);
  });

  test('without a value that is understood refuses each of its rows', async () => {
    const failed = '<c r="A2" t="e"><v>#REF!</v></c>';
    const problem = /its author is not understood/;
    for (const row of await rowsOf(header + bookAt(2, failed) + bookAt(3), 'A2:A3'))
      assert.match(row, problem);
  });

  test('may be one of many, in any order', async () => {
    const ranges = Array.from({ length: 1000 }, (_, i) => `A${2000 - 2 * i}:A${2001 - 2 * i}`);
    const books = Array.from({ length: 2000 }, (_, i) =>
      bookAt(i + 2, i % 2 === 0 ? cell(`A${i + 2}`, `Author ${i}`) : ''),
    );
    const rows = await rowsOf(header + books.join(''), ...ranges);
    assert.equal(rows.filter((row) => row.includes('merged')).length, 1000);
  });
});
