// Bytes to rows: the sheets of workbooks.
import { OpenDocumentSheets } from '../formats/ods.ts';
import { FileError } from '../formats/problems.ts';
import { Workbook } from '../formats/xlsx.ts';
import { maxArchiveBytes, ZipArchive } from '../formats/zip.ts';
import { concat } from '../lib/byte-arrays.ts';
import { formatOfArchive } from './find-format.ts';
import { shown } from './read-fields.ts';
import type { BookRow, ReadOptions } from './row.ts';
import { createTableReader, type FoundHeader, HeaderSearch, type TableRow } from './table-rows.ts';

/** Reads a sheet of a workbook. The table is as wide as the row that names its columns; cells beside it do not count. */
export async function* readSheetRows(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const archive = new ZipArchive(await readAll(bytes), options.signal);
  const format = await formatOfArchive(archive);
  const workbook = format === 'ods' ? new OpenDocumentSheets(archive) : await Workbook.open(archive);
  const sheets = await workbook.filled();
  const [only] = sheets;
  if (only === undefined) throw new FileError({ code: 'empty' });
  const sheet = options.sheet ?? (sheets.length === 1 ? only : await options.askSheet?.(sheets));
  if (sheet === undefined) throw new FileError({ code: 'sheets', names: sheets });
  if (!sheets.includes(sheet)) throw new FileError({ code: 'noSheet', name: sheet, names: sheets });
  const search = new HeaderSearch<SheetTableRow>(options);
  let read: ((row: SheetTableRow) => BookRow) | undefined;
  const begun = ({ first, rows, isBelow }: FoundHeader<SheetTableRow>): BookRow[] => {
    const headerLine = isBelow ? first.line : undefined;
    const readRow = createTableReader(first.cells, 'row', options, { sheet, sheets, headerLine });
    const width = first.cells.length;
    const namesLine = options.isHeadless === true ? undefined : first.line;
    read = (row) => readRow(withMerged(row, width, namesLine));
    return rows.map(read);
  };
  for await (const { number, cells, shown: display, failed, merged } of workbook.rows(sheet)) {
    const texts = cells.map((cell = '') => cell);
    const hasFailed = (at: number) =>
      failed.includes(at) || merged.some((cell) => cell.at === at && cell.hasFailed);
    const row: SheetTableRow = {
      line: number,
      cells: texts,
      display: texts.map((text, at) => display[at] ?? text),
      problemOf: (field, at) =>
        hasFailed(at) ? { code: 'notUnderstood', field, shown: shown(texts[at]) } : undefined,
      isTitleMeant: (at) => cells[at] !== undefined,
      merged,
    };
    const found = read === undefined ? search.push(row) : undefined;
    if (found !== undefined) yield* begun(found);
    else if (read !== undefined) yield read(row);
  }
  const found = read === undefined ? search.end() : undefined;
  if (found !== undefined) yield* begun(found);
}

type SheetTableRow = TableRow & Required<Pick<TableRow, 'display' | 'merged'>>;

/** A row of the table with the values of the merged cells above. Names of columns may be merged, too: no book has them. */
function withMerged(row: SheetTableRow, width: number, header: number | undefined): TableRow {
  const merged = row.merged.filter(({ at, from }) => at < width && from !== header);
  const [cells, display] = [row.cells.slice(0, width), row.display.slice(0, width)];
  for (const { at, text, shown: shownText = text } of merged) {
    while (cells.length < at) display[cells.push('') - 1] = '';
    cells[at] = text;
    display[at] = shownText;
  }
  return { ...row, cells, display, merged };
}

/** @throws {FileError} It is too large. */
async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > maxArchiveBytes) throw new FileError({ code: 'workbookTooLarge' });
    parts.push(part);
  }
  return concat(parts);
}
