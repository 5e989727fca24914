import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Workbook } from '../../src/formats/xlsx.ts';
import { ZipArchive } from '../../src/formats/zip.ts';
import { readBooks } from '../../src/import/read-books.ts';
import { bomb, cellsOf, workbook } from '../support/workbook.ts';

describe('a workbook that is much larger than its file is refused', () => {
  const tooLarge =
    /the workbook is larger than 128 MiB, or than 1 GiB unpacked, or has a row larger than 16 MiB/;
  const row = cellsOf('title');
  const table: [what: string, file: () => Uint8Array, error: RegExp][] = [
    ['white space of 17 MB', () => bomb('xl/worksheets/sheet1.xml', 17), tooLarge],
    [
      'a row of 17 million characters that cells share',
      () =>
        workbook({
          sheets: { Books: `<row>${'<c t="s"><v>0</v></c>'.repeat(17)}</row>` },
          shared: `<si><t>${'a'.repeat(1_000_000)}</t></si>`,
        }),
      tooLarge,
    ],
    [
      'more rows than Excel has',
      () => workbook({ sheets: { Books: row + '<row/>'.repeat(1_048_577) } }),
      /the workbook is damaged/,
    ],
    ['shared texts of 100 MB', () => bomb('xl/sharedStrings.xml', 100), tooLarge],
  ];
  for (const [what, file, error] of table)
    test(what, async () => {
      await assert.rejects(async () => {
        for await (const { number } of (await Workbook.open(new ZipArchive(file()))).rows('Books'))
          assert.ok(number > 0);
      }, error);
    });
});

test('white space after a JSON array is not held in memory', async () => {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  async function* source() {
    yield await Promise.resolve(Buffer.from('[]'));
    for (let i = 0; i < 520; i++) yield await Promise.resolve(piece); // Longer than the maximum length of a string.
  }
  const rows = readBooks(source(), { chosen: {}, onStart: () => undefined });
  assert.deepEqual(await rows.next(), { done: true, value: undefined });
});

describe('a file of text without an end is read in the memory of a row', () => {
  const many = (text: string, length = 17 * 1024 * 1024) => ({
    text,
    times: Math.ceil(length / text.length),
  });
  const million = (text: string) => ({ text, times: 1_000_000 });
  const tooLong = /longer than 16 MiB/;
  const notJson = /not valid JSON/;
  const tooDeep = /nested too deeply/;
  const dump = '/type/edition\t/books/OL1M\t1\t2020-01-01T00:00:00\t{"title":"';
  type Repeated = ReturnType<typeof many>;
  const table: [what: string, start: string, repeated: Repeated, end: string, result: RegExp | number][] = [
    ['EndNote: a line', '%0 Book\n%T ', many('a'), '', tooLong],
    ['EndNote: empty lines of a record', '%0 Book\n%T E\n', million('%A\n'), '', tooLong],
    ['EndNote: empty records', '', many('%0 Book\n', 160_000), '', 20_000],
    ['EndNote XML: a text', '<xml><records><record><a>', many('a'), '', tooLong],
    ['EndNote XML: empty elements', '<xml><records><record>', million('<a/>'), '', tooLong],
    ['MODS: a text', '<mods><titleInfo><title>', many('a'), '', tooLong],
    ['MODS: empty elements', '<mods>', million('<a/>'), '', tooLong],
    ['MODS: elements in elements', '<mods>', million('<a>'), '', tooDeep],
    ['MarcEdit: a line', '=LDR  00000nam\n=245  10$a', many('a'), '', tooLong],
    ['MarcEdit: empty fields', '=LDR  00000nam\n', million('=\n'), '', tooLong],
    ['MARC-in-JSON: a text', '[{"leader":"","fields":[{"245":"', many('a'), '', tooLong],
    ['MARC-in-JSON: arrays in arrays', '[{"leader":"","fields":', million('['), '', notJson],
    ['MARC-in-JSON: empty fields', '[{"leader":"","fields":[', million('{},'), '{}]}]', 1],
    ['HTML: a cell', '<table><tr><td>title<tr><td>', many('a'), '', tooLong],
    ['HTML: empty cells', '<table><tr><td>title<tr>', million('<td>'), '</table>', 0],
    ['HTML: empty rows', '<table><tr><td>title', million('<tr>'), '</table>', 0],
    ['HTML: tables in tables', '', million('<table>'), '', /cut off|incomplete|ends/],
    [
      'HTML: blanks in a tag',
      '<table>',
      many(`<td colspan=${' '.repeat(8000)}>`, 1_000_000),
      '</table>',
      /empty/,
    ],
    ['Open Library: a line', dump, many('a'), '', tooLong],
    ['Open Library: empty objects', dump, { text: `"}\n${dump}`, times: 10_000 }, '"}\n', 10_001],
    ['ISBNs: a line', '9780141439587\n', many('1'), '', tooLong],
    ['ISBNs: empty lines', '9780141439587\n', many('\n', 100_000), '', 1],
    [
      'a list in an object: a text',
      '{"books":[{"title":"E","author":"A"},{"title":"',
      many('a'),
      '',
      tooLong,
    ],
    [
      'a list in an object: empty objects',
      '{"books":[{"title":"E","author":"A"}',
      many(',{}', 60_000),
      ']}',
      20_001,
    ],
    ['a list in an object: its arrays', '{"books":[{"title":"E","author":"A"},', million('['), '', notJson],
    ['a name of a member', '{"books":{"a":{"title":"E","author":"A"},"', many('b', 10_000_000), '":{}}}', 2],
  ];
  for (const [what, start, { text, times }, end, result] of table)
    test(what, async () => {
      const perPiece = Math.ceil((64 * 1024) / text.length);
      async function* source() {
        yield await Promise.resolve(Buffer.from(start));
        const piece = Buffer.from(text.repeat(perPiece));
        for (let left = times; left > 0; left -= perPiece)
          yield await Promise.resolve(piece.subarray(0, text.length * Math.min(left, perPiece)));
        yield await Promise.resolve(Buffer.from(end));
      }
      let rows = 0;
      const read = async () => {
        const lookUp = () => Promise.resolve({ title: 'Emma', author: '', year: 0 });
        for await (const row of readBooks(source(), { lookUp, onStart: () => undefined }))
          rows += row.line > 0 ? 1 : 0;
      };
      if (typeof result === 'number') await read();
      else await assert.rejects(read, result);
      if (typeof result === 'number') assert.equal(rows, result);
    });
});
