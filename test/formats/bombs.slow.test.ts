import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Workbook } from '../../src/formats/xlsx.ts';
import { readBooks } from '../../src/import/read-books.ts';
import { bomb, cellsOf, workbook } from '../support/workbook.ts';

describe('a workbook that is much larger than its file is refused', () => {
  const tooLarge =
    /the Excel file is larger than 128 MiB, or than 1 GiB unpacked, or has a row larger than 16 MiB/;
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
      /the Excel file is damaged/,
    ],
    ['shared texts of 100 MB', () => bomb('xl/sharedStrings.xml', 100), tooLarge],
  ];
  for (const [what, file, error] of table)
    test(what, async () => {
      await assert.rejects(async () => {
        for await (const { number } of (await Workbook.open(file())).rows('Books')) assert.ok(number > 0);
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
