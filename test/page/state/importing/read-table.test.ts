import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findColumns } from '../../../../src/import/columns.ts';
import { readTable } from '../../../../src/page/state/importing/reading/read-table.ts';
import { ReadError, type ReadProblem } from '../../../../src/page/state/importing/reading/table.ts';
import { changeMapping, readRow } from '../../../../src/page/state/importing/rows.ts';

function read(content: string | Uint8Array<ArrayBuffer>) {
  return readTable(new Blob([content]), {
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
}

/** The rows as books with their lines, or why they are not books. */
async function booksOf(content: string | Uint8Array<ArrayBuffer>): Promise<unknown[]> {
  const table = await read(content);
  const mapping = findColumns(table.columns, {});
  return table.rows.map((row) => {
    const result = readRow(row, mapping);
    if ('reason' in result) return [row.line, result.reason.kind];
    const { title, author, year } = result.fields;
    return [row.line, title, author, year];
  });
}

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('a file is read as rows with their lines', () => {
  const table: [what: string, content: string | Uint8Array<ArrayBuffer>, books: unknown[]][] = [
    ['CSV', 'title,author,year\nEmma,Jane Austen,1815\n', [[2, 'Emma', 'Jane Austen', 1815]]],
    ['CSV without a last line feed', 'title\nEmma', [[2, 'Emma', '', 0]]],
    ['semicolons', 'Titel;Autor;Jahr\r\nEmma;Austen;1815\r\n', [[2, 'Emma', 'Austen', 1815]]],
    ['TSV', 'year\ttitle\n1815\tEmma\n', [[2, 'Emma', '', 1815]]],
    ['carriage returns', 'title\rEmma\rOrlando', [[2, 'Emma', '', 0], [3, 'Orlando', '', 0]]],
    ['sep=;', 'sep=;\ntitle;year\nEmma, a novel;1815', [[3, 'Emma, a novel', '', 1815]]],
    ['a byte order mark', '\uFEFFtitle\nEmma', [[2, 'Emma', '', 0]]],
    [
      'quotes, and line breaks in a cell',
      'title,year\n"A ""b""\nc",1\n\n"D",2',
      [[2, 'A "b"\nc', '', 1], [5, 'D', '', 2]],
    ],
    ['line breaks in cells, as they are written', 'year,title\r\n1,"A\r\nB"\r\n2,"C\nD"\r\n3,"E\rF"\r\n4,G"\r\n5,H\r\n', [
      [2, 'A\r\nB', '', 1], [4, 'C\nD', '', 2], [6, 'E\rF', '', 3], [8, 'G"', '', 4], [9, 'H', '', 5],
    ]],
    ['line feeds in cells of lines that end with carriage returns', 'title,year\r"A\nB",1\r"C",2\r', [
      [2, 'A\nB', '', 1], [4, 'C', '', 2],
    ]],
    ['some lines that end with line feeds only', 'title\r\nA\nB\r\n', [[2, 'A', '', 0], [3, 'B', '', 0]]],
    ['a formula', 'title,isbn,year\nEmma,="0141439580",1815', [[2, 'Emma', '', 1815]]],
    ['faulty rows', 'title,year\n,1\nA,x\nB,1,2\n"C"c,3\nD,4', [
      [2, 'record'], [3, 'record'], [4, 'cells'], [5, 'quotes'],
    ]],
    ['an export with an empty title', 'id,title,author,year\r\n1,"",A,1\r\n', [[2, '', 'A', 1]]],
    ['Windows-1252', latin1('title\nStra\xdfe'), [[2, 'Straße', '', 0]]],
    ['UTF-16', new Uint8Array([0xff, 0xfe, ...new Uint8Array(new Uint16Array(Array.from('title\nß', (c) => c.charCodeAt(0))).buffer)]), [[2, 'ß', '', 0]]],
    ['JSON', '[{"title":"Emma","year":1815}, 5, {"name":"x"}]', [[1, 'Emma', '', 1815], [2, 'object'], [3, 'record']]],
    ['JSON with lists of authors', '[{"title":"A","authors":["B","C"]}]', [[1, 'A', 'B, C', 0]]],
    ['lines of JSON', '{"title":"Emma"}\n\nno\n{"title":"Orlando"}', [[1, 'Emma', '', 0], [3, 'json'], [4, 'Orlando', '', 0]]],
  ]; // prettier-ignore
  for (const [what, content, books] of table)
    test(what, async () => {
      const found = await booksOf(content);
      // The row after unmatched quotes may belong to them.
      assert.deepEqual(what === 'faulty rows' ? found.slice(0, 4) : found, books);
    });

  test('characters that slices cut, and many rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `"Bücher 書 ${i}",${i}\r\n`);
    const found = await booksOf(`title,year\r\n${rows.join('')}`);
    assert.equal(found.length, 20_000);
    assert.deepEqual(found.at(-1), [20_001, 'Bücher 書 19999', '', 19_999]);
  });
});

describe('a file that cannot be read is refused as a whole', () => {
  const table: [what: string, content: string | Uint8Array<ArrayBuffer>, problem: ReadProblem][] = [
    ['nothing', '', { code: 'empty' }],
    ['white space', ' \n\n', { code: 'empty' }],
    ['only a header', 'title,author\n', { code: 'noRows' }],
    ['an empty array', '[]', { code: 'noRows' }],
    ['a spreadsheet', 'PK\u0003\u0004…', { code: 'spreadsheet' }],
    ['UTF-8, then other bytes', latin1('title\n\xc3\xbc\n\xfc'), { code: 'encoding' }],
    ['binary data', 'GIF89a\0\0', { code: 'binary' }],
    ['damaged JSON', '[{"title":"A"},{"title":]', { code: 'json', line: 2 }],
    ['an array that is cut off', '[{"title":"A"},{"title":"B"', { code: 'json', line: 2 }],
    ['an object on several lines', '{\n"title": "A"\n}', { code: 'unreadable' }],
  ];
  for (const [what, content, problem] of table)
    test(what, async () => {
      await assert.rejects(read(content), (error) => {
        assert.ok(error instanceof ReadError);
        assert.deepEqual(error.problem, problem);
        return true;
      });
    });
});

test('another column is mapped by its place, or none', async () => {
  const { columns, rows } = await read('a,b\nOne,Two');
  assert.deepEqual(findColumns(columns, {}), {});
  const mapping = changeMapping({}, 'title', 1, columns);
  assert.deepEqual(mapping, { title: { name: 'b', at: 1 } });
  const [row] = rows;
  assert.ok(row);
  assert.deepEqual(readRow(row, mapping), { fields: { title: 'Two', author: '', year: 0 } });
  assert.deepEqual(changeMapping(mapping, 'title', undefined, columns), {});
});
