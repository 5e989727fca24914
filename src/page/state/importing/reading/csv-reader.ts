import { fieldNames } from '../../../../catalogue/fields.ts';
import { DelimiterSearch, isEscaped, revisionColumn, unescapeCell } from '../../../../formats/csv.ts';
import { parseCsvRow, type CsvForm } from './csv-row.ts';
import { maxRowLength, ReadError, type TableReader, type TableRow } from './table.ts';

/** The columns of a CSV file that this catalogue wrote, apart from ids and revisions. */
const exported = fieldNames.join();

/** A row whose first cell, after an id, is blank and quoted, as an export writes an empty title. */
const blankStart = /^(?:[0-9]+[^0-9"])?"\s*"[^"]/;

/** A line break. */
const lineBreak = /\r\n?|\n/;

/** Reads CSV row by row. The first line names the columns. Line breaks within cells stay as they are. */
export class CsvReader implements TableReader {
  readonly unit = 'line';
  readonly #search = new DelimiterSearch();
  #form: CsvForm | undefined;
  #columns: readonly string[] | undefined;
  /** The text of the row that is not complete. */
  #held = '';
  #endsInCr = false;
  #line = 1;

  get columns(): readonly string[] {
    return this.#columns ?? [];
  }

  push(piece: string): TableRow[] {
    const whole = this.#endsInCr ? `\r${piece}` : piece;
    this.#endsInCr = whole.endsWith('\r');
    const text = this.#endsInCr ? whole.slice(0, -1) : whole;
    if (this.#form !== undefined) return this.#parse(text, this.#form, true);
    return this.#search.push(text) ? this.#begin(true) : [];
  }

  end(): TableRow[] {
    if (this.#form !== undefined) return this.#parse('', this.#form, false);
    return this.#begin(false);
  }

  #begin(hasMore: boolean): TableRow[] {
    const { delimiter, start } = this.#search.end();
    // Old programs of the Macintosh end lines with carriage returns.
    const newline = lineBreak.exec(start.replace(/"[^"]*"/g, ''))?.[0] === '\r' ? '\r' : '\n';
    this.#form = { delimiter, newline };
    return this.#parse(start, this.#form, hasMore);
  }

  /** @param hasMore Whether the last row may be incomplete. */
  #parse(text: string, form: CsvForm, hasMore: boolean): TableRow[] {
    const input = this.#held + text;
    const rows: TableRow[] = [];
    let from = 0;
    while (from < input.length) {
      const parsed = parseCsvRow(input, from, form, !hasMore);
      if (parsed === undefined) break;
      const raw = input.slice(from, parsed.end);
      from = parsed.end;
      const row = this.#read(parsed.cells, raw, parsed.isDamaged);
      this.#line += raw.split(lineBreak).length - 1;
      if (row !== undefined) rows.push(row);
    }
    this.#held = input.slice(from);
    if (this.#held.length > maxRowLength) throw new ReadError({ code: 'tooLong', line: this.#line });
    return rows;
  }

  #read(cells: readonly string[], raw: string, isDamaged: boolean): TableRow | undefined {
    if (raw.trim() === '') return undefined;
    const line = this.#line;
    if (this.#columns === undefined) {
      if (isDamaged) throw new ReadError({ code: 'unreadable' });
      this.#columns = cells;
      return undefined;
    }
    const others = this.#columns.filter((name) => name !== 'id' && name !== revisionColumn);
    const mayLackTitle = others.join() === exported && blankStart.test(raw);
    const read = isEscaped(cells[this.#columns.indexOf(revisionColumn)]) ? unescapeCell : unwrapFormula;
    const row = { line, cells: cells.map(read), mayLackTitle };
    if (isDamaged) return { ...row, fault: 'quotes' };
    if (cells.slice(this.#columns.length).some((cell) => cell !== '')) return { ...row, fault: 'cells' };
    return row;
  }
}

/** Goodreads writes an ISBN as `="0141439580"`, so that spreadsheets do not change it. */
function unwrapFormula(cell: string): string {
  return cell.startsWith('="') ? (/^="([^"]*)"$/.exec(cell)?.[1] ?? cell) : cell;
}
