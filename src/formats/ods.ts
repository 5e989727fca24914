// OpenDocument spreadsheets, read: a ZIP archive with one XML document of all sheets (ISO/IEC 26300-3), parsed piece by piece.
import { MergedCells } from './merged-cells.ts';
import { FileError } from './problems.ts';
import { maxRecordLength } from './record.ts';
import { maxColumns, maxRows, type Sheets, type SheetRow } from './sheets.ts';
import { maxUnpackedBytes, type XmlEvent, type ZipArchive } from './zip.ts';

const part = 'content.xml';
/** No text has as many blanks in a row. */
const maxBlanks = 1000;

/** What a cell contains beside its text: comments, drawings, the pronunciation. */
const asides = ['annotation', 'shapes', 'frame', 'ruby-text'];
const signs: Readonly<Record<string, string>> = { s: ' ', tab: '\t', 'line-break': '\n' };
const numbers = ['float', 'percentage', 'currency'];

/** Of a cell. */
type Attributes = Extract<XmlEvent, { open: string }>['get'];

/** A row of the document, which may stand for several of the sheet. */
type RepeatedRow = Omit<SheetRow, 'merged'> & {
  readonly sheet: string;
  readonly repeats: number;
  /** In characters. */
  readonly length: number;
  /** The places of the cells that are merged with others below, and how many rows they span. */
  readonly spans: readonly { readonly at: number; readonly rows: number }[];
};

/** A spreadsheet of OpenDocument, whose visible sheets can be read row by row. */
export class OpenDocumentSheets implements Sheets {
  readonly #archive: ZipArchive;

  constructor(archive: ZipArchive) {
    this.#archive = archive;
  }

  async filled(): Promise<string[]> {
    const found = new Set<string>();
    for await (const { sheet } of this.#read()) found.add(sheet);
    return [...found];
  }

  async *rows(wanted: string): AsyncGenerator<SheetRow> {
    const ranges = new MergedCells();
    let isFound = false;
    let length = 0;
    for await (const { sheet, repeats, spans, ...row } of this.#read()) {
      if (sheet !== wanted && isFound) return;
      if (sheet !== wanted) continue;
      isFound = true;
      length += row.length * repeats;
      if (length > maxUnpackedBytes) throw new FileError({ code: 'workbookTooLarge' });
      for (let number = row.number; number < row.number + repeats; number++) {
        for (const { at, rows } of spans) ranges.add(at, number, number + rows - 1);
        yield { ...row, number, merged: ranges.take({ ...row, number }) };
      }
    }
  }

  /** Reads the rows of all visible sheets that have a value. @throws {FileError} The document is damaged. */
  async *#read(): AsyncGenerator<RepeatedRow> {
    const hidden = new Set<string>();
    let style = '';
    let depth = 0;
    let bodyDepth = Infinity;
    let asideDepth: number | undefined;
    let sheet: string | undefined;
    let number = 0;
    let repeats = 1;
    let row: { cells: string[]; shown: string[]; failed: number[]; spans: RepeatedRow['spans'][number][] } = {
      ...{ cells: [], shown: [], failed: [], spans: [] },
    };
    let at = 0;
    let length = 0;
    let cell: { get: Attributes; depth: number; isCovered: boolean; paragraphs: string[] } | undefined;
    let isInParagraph = false;
    const add = (text: string) => {
      length += text.length;
      if (cell !== undefined && isInParagraph) cell.paragraphs.push((cell.paragraphs.pop() ?? '') + text);
    };
    const endCell = ({ get, isCovered, paragraphs }: NonNullable<typeof cell>) => {
      const from = at;
      at += countOf(get('number-columns-repeated'));
      const text = paragraphs.length > 0 ? paragraphs.join('\n') : (get('string-value') ?? '');
      const value = valueOf(get) ?? text;
      if (isCovered || value.trim() === '') return;
      const hasFailed = get('calcext:value-type') === 'error';
      const rows = countOf(get('number-rows-spanned'));
      for (let i = from; i < Math.min(at, maxColumns); i++) {
        row.cells[i] = value;
        row.shown[i] = text.trim() === '' ? value : text;
        length += text.length;
        if (hasFailed) row.failed.push(i);
        if (rows > 1) row.spans.push({ at: i, rows });
      }
    };
    for await (const events of this.#archive.events(part, maxUnpackedBytes))
      for (const event of events) {
        if ('text' in event) {
          if (asideDepth === undefined) add(event.text.replace(/[ \t\r\n]+/g, ' '));
        } else if ('open' in event) {
          const { open, get } = event;
          depth++;
          if (asideDepth !== undefined) continue;
          if (cell !== undefined) {
            if (asides.includes(open)) asideDepth = depth;
            else if (open === 'p' && depth === cell.depth + 1) {
              isInParagraph = true;
              cell.paragraphs.push('');
            } else add((signs[open] ?? '').repeat(Math.min(countOf(get('c')), maxBlanks)));
          } else if (open === 'style') style = get('name') ?? '';
          else if (open === 'table-properties' && get('display') === 'false') hidden.add(style);
          else if (open === 'spreadsheet') bodyDepth = depth;
          else if (open === 'table' && depth === bodyDepth + 1) {
            sheet = hidden.has(get('style-name') ?? '') ? undefined : (get('name') ?? '');
            number = 0;
          } else if (asides.includes(open)) asideDepth = depth;
          else if (sheet !== undefined && open === 'table-row') {
            repeats = countOf(get('number-rows-repeated'));
            row = { cells: [], shown: [], failed: [], spans: [] };
            [at, length] = [0, 0];
          } else if (sheet !== undefined && (open === 'table-cell' || open === 'covered-table-cell'))
            cell = { get, depth, isCovered: open === 'covered-table-cell', paragraphs: [] };
        } else {
          const isAside = asideDepth !== undefined;
          if (depth === asideDepth) asideDepth = undefined;
          if (!isAside && depth === cell?.depth) {
            endCell(cell);
            cell = undefined;
          } else if (!isAside && event.close === 'p') isInParagraph = false;
          else if (depth === bodyDepth + 1) sheet = undefined;
          else if (!isAside && sheet !== undefined && event.close === 'table-row') {
            number += repeats;
            if (number > maxRows && row.cells.length > 0) throw new FileError({ code: 'workbook', part });
            const first = { number: number - repeats + 1, sheet, repeats, length };
            if (row.cells.length > 0) yield { ...first, ...row, cells: Array.from(row.cells) };
          }
          depth--;
        }
        if (length > maxRecordLength) throw new FileError({ code: 'workbookTooLarge' });
      }
    if (bodyDepth === Infinity) throw new FileError({ code: 'workbook', part });
  }
}

/** The value that a cell has beside its text: a number or a date; `undefined` if its text is its value. */
function valueOf(get: Attributes): string | undefined {
  const type = get('value-type') ?? '';
  if (type === 'date') return get('date-value')?.replace(/T00:00:00(?:\.0+)?Z?$/, '');
  const raw = numbers.includes(type) ? (get('value') ?? '') : '';
  if (raw.trim() === '' || !Number.isFinite(Number(raw))) return undefined;
  return /^-?\d+$/.test(raw) ? raw : String(Number(Number(raw).toPrecision(15)));
}

/** How often something is repeated: a natural number of at most the rows of a sheet. */
function countOf(value: string | undefined): number {
  const count = Math.floor(Number(value ?? 1));
  return count >= 1 ? Math.min(count, maxRows) : 1;
}
