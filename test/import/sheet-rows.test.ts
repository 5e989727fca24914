import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  await assert.rejects(rows.next(), /the Excel file is damaged \(xl\/worksheets\/sheet1\.xml\)/);
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
