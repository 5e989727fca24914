import { ShelflistError } from '../../errors.ts';
import type { Chosen, Mapping } from './columns.ts';
import type { Parsed } from './record.ts';

/** A row of a file: a book, or why it is none. */
export type Row = Parsed & {
  /** The line where it begins, counted from 1; in a JSON array, the place of the element. */
  line: number;
  /** What stands there: cells, a JSON value, or text that could not be taken apart. */
  original: unknown;
};

export interface RowsOptions {
  chosen: Chosen;
  /** Told once, before the first row. */
  onStart: (start: RowsStart) => void;
}

/** What is known of a file before its first row. */
export interface RowsStart {
  mapping: Mapping;
  /** What is counted: `line`, or `book` in a JSON array. */
  unit: 'line' | 'book';
  /** The names of the columns, in CSV. */
  header?: readonly string[];
}

/** The one form of "this is not all of the file". What came before it was read. */
export function cutOff(where: string): ShelflistError {
  return new ShelflistError('failed', { message: `the file is cut off: ${where}` });
}
