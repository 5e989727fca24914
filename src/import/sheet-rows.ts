// Bytes to rows: the sheets of Excel workbooks.
import { FileError } from '../formats/problems.ts';
import { maxWorkbookBytes, Workbook } from '../formats/xlsx.ts';
import { concat } from '../lib/byte-arrays.ts';
import { shown } from './read-fields.ts';
import type { BookRow, ReadOptions } from './row.ts';
import { createTableReader } from './table-rows.ts';

/** Reads a sheet of an Excel workbook. The first row with a value names the columns. */
export async function* readSheetRows(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const workbook = await Workbook.open(await readAll(bytes), options.signal);
  const sheets: string[] = [];
  for (const name of workbook.sheets) if ((await workbook.rows(name).next()).done !== true) sheets.push(name);
  const [only] = sheets;
  if (only === undefined) throw new FileError({ code: 'empty' });
  const sheet = options.sheet ?? (sheets.length === 1 ? only : await options.askSheet?.(sheets));
  if (sheet === undefined) throw new FileError({ code: 'sheets', names: sheets });
  if (!sheets.includes(sheet)) throw new FileError({ code: 'noSheet', name: sheet, names: sheets });
  await workbook.check(sheet); // Before its first row is imported.
  let read: ReturnType<typeof createTableReader> | undefined;
  for await (const { number, cells, failed } of workbook.rows(sheet)) {
    const texts = cells.map((cell = '') => cell);
    if (read === undefined) {
      read = createTableReader(texts, 'row', options, { sheet, sheets });
      if (options.isHeadless !== true) continue;
    }
    yield read({
      line: number,
      cells: texts,
      problemOf: (field, at) =>
        failed.includes(at) ? { code: 'notUnderstood', field, shown: shown(texts[at]) } : undefined,
      isTitleMeant: (at) => cells[at] !== undefined,
    });
  }
}

/** @throws {FileError} It is too large. */
async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > maxWorkbookBytes) throw new FileError({ code: 'workbookTooLarge' });
    parts.push(part);
  }
  return concat(parts);
}
