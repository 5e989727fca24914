/** What a file holds, before anybody decides which column is which field. */
export interface Table {
  /** The names of the columns, as the file spells them. */
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** What `line` counts: lines of a text, or elements of a JSON array. */
  readonly unit: 'line' | 'element';
}

/** A row, with a cell for each column. Cells at the end may be missing. */
export interface TableRow {
  /** Where it starts, counted from 1. */
  readonly line: number;
  /** Texts, or in JSON any values. */
  readonly cells: readonly unknown[];
  /** Why it cannot be a book, whatever the columns mean. */
  readonly fault?: Fault;
  /** Whether a blank title is meant: in JSON, and in CSV that this catalogue wrote. */
  readonly mayLackTitle: boolean;
}

/** Quotes that do not match, more cells than columns, text that is not JSON, or JSON that is not an object. */
export type Fault = 'quotes' | 'cells' | 'json' | 'object';

/** Why a file cannot be read at all. */
export type ReadProblem =
  | { readonly code: 'empty' | 'noRows' | 'encoding' | 'spreadsheet' | 'binary' | 'unreadable' }
  | { readonly code: 'tooLarge'; readonly bytes: number; readonly maxBytes: number }
  | { readonly code: 'json' | 'tooLong'; readonly line: number };

export class ReadError extends Error {
  override readonly name = 'ReadError';
  readonly problem: ReadProblem;

  constructor(problem: ReadProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** In characters. Exceeds any book that a service accepts: a longer row has an unclosed quote or bracket. */
export const maxRowLength = 8 * 1024 * 1024;

/** Turns a text into rows while it arrives. */
export interface TableReader {
  readonly unit: Table['unit'];
  /** Known when the first row is. */
  readonly columns: readonly string[];
  /** Takes the next piece of the text; yields the rows that end in it. */
  push(piece: string): Iterable<TableRow>;
  /** Yields the rows that end with the text. */
  end(): Iterable<TableRow>;
}
