import { fieldNames } from '../catalogue/fields.ts';

/** The column of an export with a digest of each book. */
export const revisionColumn = 'revision';

/** The columns of a CSV file of books. */
export function exportColumns(withIds: boolean, withRevisions = withIds): string[] {
  return [...(withIds ? ['id'] : []), ...fieldNames, ...(withRevisions ? [revisionColumn] : [])];
}

interface CsvOptions {
  /** Default: a comma. */
  delimiter?: string;
  /** What ends a row. Default: a line feed, which suits pipes; RFC 4180 wants CRLF. */
  lineEnd?: '\n' | '\r\n';
}

/**
 * Formats rows as CSV (RFC 4180). Every cell survives a round trip: a lone carriage return is quoted too, since some readers
 * end a row there.
 */
export function formatCsv(
  rows: readonly (readonly string[])[],
  { delimiter = ',', lineEnd = '\n' }: CsvOptions = {},
): string {
  const format = (cell: string) => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? quoted(cell) : cell);
  return rows.map((row) => row.map(format).join(delimiter) + lineEnd).join('');
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/**
 * Formats a row of an export, without its line end. Blank cells are quoted, and beside a blank title the year is too. No
 * other program writes that, so an import knows from it that the title is meant to be blank.
 *
 * @param titleAt The place of the title, which the author and the year follow.
 */
export function formatExportRow(cells: readonly string[], titleAt: number, delimiter: string): string {
  const isUntitled = cells[titleAt]?.trim() === '';
  return cells
    .map((cell, at) =>
      /["\r\n]|^\s*$/.test(cell) || cell.includes(delimiter) || (isUntitled && at === titleAt + 2)
        ? quoted(cell)
        : cell,
    )
    .join(delimiter);
}

/** What a spreadsheet program takes for a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
/** What it shows as a number or a date, and then saves in another form: `007`, `1/2`, `1e5`, `TRUE`. */
const plainInteger = /^(?:[1-9]\d{0,14}|0)$/;
const altered = /^(?:(?![1-9]\d{0,14}$|0$)\d[\d\s.,:/e%-]*|true|false)$/i;

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const gap = '[-\\s./,]*';
/** The same for dates with a month, times, sums of money and negative numbers: `Mar-5`, `12:00 PM`, `$5`, `(5)`, `.5`. */
const alteredToo = new RegExp(
  [
    `${month}${gap}\\d{1,4}(?:${gap}\\d{1,4})?`,
    `\\d{1,4}${gap}${month}(?:${gap}\\d{1,4})?`,
    '\\d{1,2}(?::\\d\\d){0,2}\\s*[ap]m?',
    '\\(?\\s*[$€£¥]?\\s*\\.?\\d[\\d.,]*\\s*[$€£¥%]?\\s*\\)?',
  ]
    .map((each) => `^${each}$`)
    .join('|'),
  'i',
);

/** Makes a text harmless for a spreadsheet program, which takes a cell that starts with an apostrophe for a text. */
export function escapeCell(text: string): string {
  return needsPrefix(text) ? `'${text}` : text;
}

/** Removes the prefix of {@link escapeCell}, and no other apostrophe. */
export function unescapeCell(text: string): string {
  return text.startsWith("'") && needsPrefix(text) ? text.slice(1) : text;
}

/** Texts that look like an escaped one are escaped too: otherwise they would lose their own apostrophe. */
function needsPrefix(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  return formula.test(bare) || altered.test(bare) || (alteredToo.test(bare) && !plainInteger.test(bare));
}

/** Whether the cells of a row are escaped. Its revision says so, because no program changes that cell. */
export function isEscaped(revision: unknown): boolean {
  return typeof revision === 'string' && /^x[0-9a-f]{12}$/.test(revision.trim());
}

/** The possible delimiters. The first wins a draw. */
const delimiters = [',', ';', '\t', '|'] as const;

/** Exceeds any header. Without a limit, an unclosed quote would take the whole file into memory. */
const maxHeaderLength = 64 * 1024;

/** The header may stand below a title: it is looked for in these lines. */
export const maxLinesToHeader = 20;

/** What the start of CSV tells. */
interface CsvStart {
  readonly delimiter: string;
  /** Whether the sheet was saved twice: each line is a cell, whose text is the line. */
  readonly isNested: boolean;
  /** The length of a line `sep=;` for Excel, which is not a row. */
  readonly skipped: number;
}

/**
 * Finds the delimiter of CSV: of comma, semicolon, tab and bar the one that occurs most often in the header, outside quotes. The
 * header is the first row, or the first one that names columns. A quote above it may be stray, so a line within quotes is
 * one, too, if it names several.
 * `delimiter_auto` of csv-parse 7.0 counts letters too, and fails on letters outside ASCII (lib/utils/delimiter_discover.js).
 */
export class DelimiterSearch {
  readonly #isHeader: (cells: readonly string[]) => boolean;
  readonly #columns: number;
  #isQuoted = false;
  #row = '';
  #line = '';
  #lines = 0; // That are not empty.
  #found: { readonly delimiter: string; readonly isNested: boolean } | undefined;
  #start = '';

  /**
   * @param isHeader Whether the cells of a line, as far as they are known here, name columns.
   * @param columns How many columns the first row has at least, if none names columns.
   */
  constructor(isHeader: (cells: readonly string[]) => boolean, columns = 1) {
    this.#isHeader = isHeader;
    this.#columns = columns;
  }

  /** Takes the next piece of text; returns whether the header is complete, or there is none in so much text. */
  push(piece: string): boolean {
    this.#start += piece;
    for (const character of piece) {
      if (character === '"') this.#isQuoted = !this.#isQuoted;
      if (/[\r\n]/.test(character)) {
        if (this.#line !== '' && this.#endLine()) return true;
        if (this.#isQuoted) this.#row += character;
      } else if (character !== '\uFEFF') this.#line += character;
    }
    return this.#start.length >= maxHeaderLength;
  }

  /** Returns whether no other line is needed. */
  #endLine(): boolean {
    const line = this.#line;
    const row = this.#row + line;
    const isLast = ++this.#lines >= maxLinesToHeader;
    this.#line = '';
    this.#row = this.#isQuoted ? row : '';
    if (!this.#isQuoted && this.#takeHeader(row, 1)) return true;
    if (row !== line && this.#lines <= maxLinesToHeader && this.#takeHeader(line, 2)) return true;
    if (this.#isQuoted) return false;
    this.#found ??= { delimiter: mostFrequentDelimiter(row), isNested: this.#isNestedRow(row) };
    return isLast;
  }

  /** Takes a text as the header if it names columns, and has so many; returns whether it does. */
  #takeHeader(text: string, least: number): boolean {
    if (!hasPairs(text, '"')) return false;
    const line = textOfQuotedLine(text);
    const isNested = line !== undefined && !this.#isHeader([line]) && this.#namesColumns(line, least);
    if (!isNested && !this.#namesColumns(text, least)) return false;
    this.#found = { delimiter: mostFrequentDelimiter(text), isNested };
    return true;
  }

  #namesColumns(line: string, least: number): boolean {
    const cells = line.split(mostFrequentDelimiter(line));
    return (
      cells.length >= least && this.#isHeader(cells.map((cell) => cell.trim().replace(/^"(.*)"$/s, '$1')))
    );
  }

  /** Whether the columns are in one cell. In a text, a space follows a comma. */
  #isNestedRow(row: string): boolean {
    const line = textOfQuotedLine(row);
    if (line === undefined || this.#columns < 2) return false;
    const [, ...others] = withoutQuoted(line).split(mostFrequentDelimiter(line));
    return others.length + 1 >= this.#columns && !others.some((cell) => cell.startsWith(' '));
  }

  end(): CsvStart {
    if (this.#found === undefined && this.#line !== '') this.#endLine();
    const [line, named] = /^sep=(.)(?=[\r\n])/i.exec(this.#start) ?? [];
    const { delimiter, isNested } = this.#found ?? {
      delimiter: mostFrequentDelimiter(this.#row),
      isNested: false,
    };
    return { delimiter: named ?? delimiter, isNested, skipped: line?.length ?? 0 };
  }
}

/** The text of a row that is one quoted cell, as it is split by its delimiter. */
function textOfQuotedLine(line: string): string | undefined {
  if (!line.includes('"')) return undefined;
  const splitter = new CsvSplitter(mostFrequentDelimiter(line));
  const [row] = [...splitter.push(line), ...splitter.end()];
  return row && textOfOnlyCell(row);
}

/** The text of the first cell of a row, if the others are blank. */
export function textOfOnlyCell({ cells: [cell = '', ...others], isDamaged }: CsvRow): string | undefined {
  return !isDamaged && others.every((each) => each.trim() === '') ? cell : undefined;
}

/** Where quotes do not match, those within quotes count, too. */
function withoutQuoted(line: string): string {
  return hasPairs(line, '"') ? line.replace(/"[^"]*"/g, '') : line;
}

function mostFrequentDelimiter(line: string): string {
  const bare = withoutQuoted(line);
  const countOf = (delimiter: string) => bare.split(delimiter).length;
  return delimiters.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

/** A row as {@link CsvSplitter} finds it. */
export interface CsvRow {
  readonly cells: readonly string[];
  /** Its text, without its line end. */
  readonly raw: string;
  /** The line where it starts, counted from 1, and the line where it ends. */
  readonly line: number;
  readonly lastLine: number;
  /** Whether its quotes do not match, or it follows such a row and has another number of cells than the header. It is one line. */
  readonly isDamaged: boolean;
  /** Whether a line end follows, and not the end of the text. */
  readonly isEnded: boolean;
}

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const space = 32;
const lineEnds = /[\r\n]/g;
const formulaStart = '="';
/** In characters. Those of Goodreads have 17. */
const maxFormulaLength = 1000;

/**
 * Splits CSV (RFC 4180) into rows while it arrives. CRLF, a line feed or a carriage return ends a row; empty lines are none. White
 * space around a quoted cell does not count. Where quotes do not match, a row is one line, and so are those that follow until one has
 * the cells of the header. Between tabs, only a cell that is quoted as a whole is quoted. A cell such as `="0141439580"`, with which Goodreads keeps an ISBN from being changed, is its text.
 *
 * `docs/decisions/files.md` says why this is not csv-parse, which is the oracle of the tests.
 */
export class CsvSplitter {
  readonly #delimiter: string;
  /** The text that was not split yet, in which a row starts, its last cell starts, and up to where that was examined. */
  #text = '';
  #start = 0;
  #at = 0;
  #from = 0;
  #cells: string[] = [];
  #isDamaged = false;
  /** The number of cells of the header. Default: of the first row whose quotes match. */
  columns: number | undefined;
  /** Whether the next rows are drawn with bars, as in Markdown: each is a line, whose quotes are text. */
  isDrawn = false;
  /** Whether the last row was damaged, so that the next one may begin in the middle of a cell. */
  #isAfterDamage = false;
  #line = 1;
  /** The line ends within the cells of the row. */
  #breaks = 0;
  /** Text after that, without a line end. A row cannot end in it, so it waits: joining it at once would take quadratic time. */
  #held = '';

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The line where the incomplete row starts. */
  get line(): number {
    return this.#line;
  }

  /** The length of that row so far. */
  get pendingLength(): number {
    return this.#text.length - this.#start + this.#held.length;
  }

  /** Takes the next piece of text; yields the rows that end in it. */
  *push(piece: string): Generator<CsvRow> {
    this.#held += piece;
    if (!/[\r\n]/.test(piece) && !this.#text.endsWith('\r')) return;
    this.#takeHeld();
    for (let row = this.#next(false); row !== undefined; row = this.#next(false)) yield row;
  }

  /** Ends the text; yields the rows that end with it. */
  *end(): Generator<CsvRow> {
    this.#takeHeld();
    for (let row = this.#next(true); row !== undefined; row = this.#next(true)) yield row;
  }

  #takeHeld(): void {
    this.#text = this.#text.slice(this.#start) + this.#held;
    this.#held = '';
    this.#at -= this.#start;
    this.#from -= this.#start;
    this.#start = 0;
  }

  #next(isLast: boolean): CsvRow | undefined {
    if (this.#at === this.#start) this.#skipEmptyLines(isLast);
    if (this.#start >= this.#text.length) return undefined;
    for (;;) {
      if (this.isDrawn || this.#isDamaged) return this.#completeLine(isLast);
      const end = this.#takeCell(isLast);
      if (end < 0) return undefined;
      const isRowEnd = !this.#text.startsWith(this.#delimiter, end) || end >= this.#text.length;
      const mayBeDamaged = this.#isAfterDamage && this.columns !== undefined;
      if (isRowEnd && mayBeDamaged && this.#cells.length !== this.columns) this.#isDamaged = true;
      if (this.#isDamaged) continue;
      if (isRowEnd) return this.#complete(end);
      this.#at = this.#from = end + this.#delimiter.length;
    }
  }

  #skipEmptyLines(isLast: boolean): void {
    for (;;) {
      const length = this.#lineEndAt(this.#start, isLast);
      if (length <= 0) break;
      this.#start += length;
      this.#line++;
    }
    this.#at = this.#from = this.#start;
  }

  /** The length of the line end at an index; 0 if there is none; -1 if that depends on the next piece. */
  #lineEndAt(index: number, isLast: boolean): number {
    const code = this.#text.charCodeAt(index);
    if (code === lineFeed) return 1;
    if (code !== carriageReturn) return 0;
    if (index + 1 >= this.#text.length && !isLast) return -1;
    return this.#text.charCodeAt(index + 1) === lineFeed ? 2 : 1;
  }

  /** Whether a cell can end at an index; `undefined` if that depends on the next piece. */
  #isCellEnd(index: number, isLast: boolean): boolean | undefined {
    if (index >= this.#text.length) return isLast ? true : undefined;
    if (this.#text.startsWith(this.#delimiter, index)) return true;
    const length = this.#lineEndAt(index, isLast);
    return length < 0 ? undefined : length > 0;
  }

  /** Takes a cell; returns where it ends, or -1 if that depends on the next piece. */
  #takeCell(isLast: boolean): number {
    const text = this.#text;
    let opening = this.#at;
    while (text.charCodeAt(opening) === space) opening++;
    if (opening >= text.length && opening > this.#at && !isLast) return -1;
    if (text.charCodeAt(opening) === quote) {
      const end = this.#takeQuoted(opening, isLast);
      if (end !== undefined) return end;
      this.#from = this.#at;
    }
    const formulaEnd = this.#takeFormula(isLast);
    if (formulaEnd !== undefined) return formulaEnd;
    const delimiter = this.#delimiter.charCodeAt(0);
    let at = this.#from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === lineFeed || code === carriageReturn || code === delimiter) break;
      if (code === quote && !this.#hasPlainQuotes) this.#isDamaged = true;
    }
    this.#from = at;
    if (this.#isCellEnd(at, isLast) === undefined) return -1;
    this.#cells.push(text.slice(this.#at, at));
    return at;
  }

  /** Whether quotes within a cell are text. */
  get #hasPlainQuotes(): boolean {
    return this.#delimiter === '\t';
  }

  /** Takes a quoted cell; `undefined` if its quotes are text. */
  #takeQuoted(opening: number, isLast: boolean): number | undefined {
    const text = this.#text;
    for (let close = Math.max(this.#from, opening + 1); ; close++) {
      close = text.indexOf('"', close);
      this.#from = close < 0 ? text.length : close;
      if (close < 0 && !isLast) return -1;
      let end = close + 1;
      if (close >= 0 && text.charCodeAt(end) === quote) {
        close++;
        continue;
      }
      while (close >= 0 && text.charCodeAt(end) === space) end++;
      const isEnd = close >= 0 && this.#isCellEnd(end, isLast);
      if (isEnd === undefined) return -1;
      if (isEnd) return this.#endQuoted(opening, close, end);
      if (this.#hasPlainQuotes) return undefined;
      this.#isDamaged = true;
      return text.length;
    }
  }

  #endQuoted(opening: number, close: number, end: number): number {
    const content = this.#text.slice(opening + 1, close);
    this.#breaks += countLineEnds(content);
    this.#cells.push(content.includes('"') ? content.replaceAll('""', '"') : content);
    return end;
  }

  /** Takes a cell such as `="0141439580"`; `undefined` if it is not one. */
  #takeFormula(isLast: boolean): number | undefined {
    const text = this.#text;
    if (!text.startsWith(formulaStart, this.#at)) {
      const isCut = this.#at + 1 >= text.length && !isLast && text[this.#at] === '=';
      return isCut ? -1 : undefined;
    }
    const pattern = /["\r\n]/g;
    pattern.lastIndex = this.#at + formulaStart.length;
    const close = pattern.exec(text.slice(0, this.#at + maxFormulaLength))?.index ?? -1;
    if (close < 0 && !isLast && text.length < this.#at + maxFormulaLength) return -1;
    if (close < 0 || text.charCodeAt(close) !== quote) return undefined;
    const isEnd = this.#isCellEnd(close + 1, isLast);
    if (isEnd === undefined) return -1;
    if (!isEnd) return undefined;
    this.#cells.push(text.slice(this.#at + formulaStart.length, close));
    return close + 1;
  }

  /** Takes a line for a row. Of one whose quotes do not match, they are text where they are pairs, and its cells fit. */
  #completeLine(isLast: boolean): CsvRow | undefined {
    lineEnds.lastIndex = this.#start;
    const end = lineEnds.exec(this.#text)?.index ?? this.#text.length;
    if (!isLast && this.#lineEndAt(end, isLast) <= 0) return undefined;
    const line = this.#text.slice(this.#start, end);
    if (this.isDrawn) {
      this.#cells = line.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|'));
      return this.#complete(end);
    }
    const cells = line
      .split(this.#delimiter)
      .map((cell) => /^\s*"((?:[^"]|"")*)"\s*$/.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell);
    const isText =
      !this.#isAfterDamage && cells.length === this.columns && cells.every((cell) => hasPairs(cell, '"'));
    this.#cells = cells;
    this.#isDamaged = !isText;
    this.#isAfterDamage = !isText;
    this.#breaks = 0;
    return this.#complete(end);
  }

  #complete(end: number): CsvRow {
    const raw = this.#text.slice(this.#start, end);
    const row = {
      cells: this.#cells,
      raw,
      line: this.#line,
      lastLine: this.#line + this.#breaks - (/[\r\n]$/.test(raw.slice(-1)) ? 1 : 0),
      isDamaged: this.#isDamaged,
      isEnded: end < this.#text.length,
    };
    if (!row.isDamaged) {
      this.columns ??= row.cells.length;
      this.#isAfterDamage = false;
    }
    this.#line += this.#breaks + 1;
    this.#start = this.#at = this.#from = end + Math.max(0, this.#lineEndAt(end, true));
    this.#cells = [];
    this.#isDamaged = false;
    this.#breaks = 0;
    return row;
  }
}

function hasPairs(text: string, mark: string): boolean {
  return text.split(mark).length % 2 === 1;
}

function countLineEnds(text: string): number {
  return /[\r\n]/.test(text) ? (text.match(/\r\n|\n|\r/g)?.length ?? 0) : 0;
}
