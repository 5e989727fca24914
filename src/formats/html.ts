import { decodeEntities, maxTagLength } from './xml.ts';
import { FileError } from './problems.ts';
import { maxRecordLength } from './record.ts';
import { oneLine } from './text.ts';

/** No table of books has more. */
const maxCells = 256;

/** What has no text of a table, with what ends it. */
const skipped: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<!--/, /-->/g],
  [/^<script[\s>]/i, /<\/script/gi],
  [/^<style[\s>]/i, /<\/style/gi],
  [/^<title[\s>]/i, /<\/title/gi],
];
/** In characters, of the longest end. */
const maxEnd = 8;

/**
 * Parses the tables of HTML into rows while it arrives, in the memory of a row. Lenient, because programs that write a table for
 * Excel close few elements. A cell that spans rows repeats its text in each.
 */
export class HtmlTableParser {
  /** What was not examined yet: it may begin a tag. */
  #text = '';
  /** What ends the part that is skipped; `undefined` in text. */
  #until: RegExp | undefined;
  #openTables = 0;
  #hasTable = false;
  /** The cells of the current row, and the text of the current cell; `undefined` outside. */
  #cells: string[] | undefined;
  #cell: string | undefined;
  /** How many more columns, and rows, the current cell spans. */
  #span = { columns: 0, rows: 0 };
  /** The texts that span rows, by their columns, with the number of rows to come. */
  readonly #spanning = new Map<number, { text: string; rows: number }>();
  #length = 0;
  #rows: string[][] = [];
  #count = 0;

  /** Whether a table has begun and not ended. */
  get isOpen(): boolean {
    return this.#openTables > 0;
  }

  /** Whether there was a table. */
  get hasTable(): boolean {
    return this.#hasTable;
  }

  /** Takes the next piece; returns the rows that end in it. @throws {FileError} A row is too long. */
  push(piece: string): string[][] {
    this.#text += piece;
    let at = 0;
    while (at >= 0 && at < this.#text.length)
      at = this.#until === undefined ? this.#examine(at) : this.#skip(at, this.#until);
    if (at >= 0) this.#text = '';
    return this.#rows.splice(0);
  }

  /** Skips what is no text; returns where to go on, or -1 if that has not arrived. */
  #skip(from: number, until: RegExp): number {
    until.lastIndex = from;
    if (!until.test(this.#text)) {
      this.#text = this.#text.slice(Math.max(from, this.#text.length - maxEnd));
      return -1;
    }
    this.#until = undefined;
    return until.lastIndex;
  }

  #examine(from: number): number {
    const tagAt = this.#text.indexOf('<', from);
    this.#add(this.#text.slice(from, tagAt < 0 ? undefined : tagAt));
    if (tagAt < 0) {
      this.#text = '';
      return -1;
    }
    const until = skipped.find(([start]) => start.test(this.#text.slice(tagAt, tagAt + 10)))?.[1];
    if (until !== undefined) {
      this.#until = until;
      return tagAt + 1;
    }
    const isTag = /^<[/?!]?[A-Za-z]?/.test(this.#text.slice(tagAt, tagAt + 3));
    const length = isTag ? this.#text.slice(tagAt, tagAt + maxTagLength).indexOf('>') : -1;
    const end = length < 0 ? -1 : tagAt + length;
    if (end < 0 && isTag && this.#text.length - tagAt < maxTagLength) {
      this.#text = this.#text.slice(tagAt);
      return -1;
    }
    if (end < 0 || !isTag) {
      this.#add('<');
      return tagAt + 1;
    }
    this.#tag(this.#text.slice(tagAt + 1, end));
    return end + 1;
  }

  #add(text: string): void {
    if (this.#cell === undefined) return;
    this.#cell += text;
    this.#length += text.length;
    if (this.#length > maxRecordLength)
      throw new FileError({ code: 'rowTooLong', unit: 'row', number: this.#count + 1 });
  }

  #tag(tag: string): void {
    const name = /^\/?[a-z]+/i.exec(tag)?.[0].toLowerCase() ?? '';
    switch (name) {
      case 'table':
        this.#hasTable = true;
        this.#openTables++;
        return;
      case '/table':
        this.#endRow();
        this.#openTables = Math.max(0, this.#openTables - 1);
        this.#spanning.clear();
        return;
      case 'tr':
        this.#endRow();
        this.#cells = [];
        return;
      case '/tr':
        this.#endRow();
        return;
      case 'td':
      case 'th':
        this.#endCell();
        this.#cells ??= [];
        this.#cell = '';
        this.#span = { columns: spanOf(tag, 'colspan'), rows: spanOf(tag, 'rowspan') };
        return;
      case '/td':
      case '/th':
        this.#endCell();
        return;
      default:
        if (/^\/?(?:br|p|div|li)$/.test(name)) this.#add(' ');
    }
  }

  #endCell(): void {
    if (this.#cell === undefined || this.#cells === undefined) return;
    this.#fillSpanned(this.#cells);
    const text = oneLine(decodeEntities(this.#cell)); // A piece may end within a reference.
    this.#cell = undefined;
    const { columns, rows } = this.#span;
    if (this.#cells.length >= maxCells) return;
    if (rows > 0) this.#spanning.set(this.#cells.length, { text, rows });
    this.#cells.push(text, ...Array<string>(Math.min(columns, maxCells)).fill(''));
  }

  /** Adds the cells of earlier rows that span this one, at its next place. */
  #fillSpanned(cells: string[]): void {
    for (let above = this.#spanning.get(cells.length); above; above = this.#spanning.get(cells.length)) {
      if (--above.rows === 0) this.#spanning.delete(cells.length);
      cells.push(above.text);
    }
  }

  #endRow(): void {
    this.#endCell();
    if (this.#cells !== undefined) {
      this.#fillSpanned(this.#cells);
      this.#rows.push(this.#cells);
      this.#count++;
    }
    this.#cells = undefined;
    this.#length = 0;
  }
}

/** How many more rows or columns a cell spans. */
function spanOf(tag: string, attribute: string): number {
  const stated = new RegExp(`\\b${attribute}\\s*=\\s*(?:["']\\s*)?(\\d{1,5})`, 'i').exec(tag)?.[1];
  return Math.max(0, Number(stated ?? 1) - 1);
}
