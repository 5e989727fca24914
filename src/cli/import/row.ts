import { ShelflistError } from '../../errors.ts';
import { markName } from '../export/mark.ts';
import type { Chosen, Mapping } from './columns.ts';
import type { Parsed } from './record.ts';

/** A row of a file: a book, or why it is none. */
export type Row = Parsed & {
  /** The line where it begins, counted from 1; in a JSON array, the place of the element. */
  line: number;
  /** What `line` counts. */
  unit: 'line' | 'book';
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
  /** The names of the columns, in CSV. */
  header?: readonly string[];
}

/** Longer than any book that a service takes, in characters. What is longer is a quote, or a bracket, never closed. */
export const longestRow = 16 * 1024 * 1024;

export function rowTooLong(which: string): ShelflistError {
  return new ShelflistError('failed', {
    message: `${which} is longer than 16 MiB; nothing from it on is read. Is a quote or bracket not closed there?`,
  });
}

/** The one form of "this is not all of the file". What came before it was read. */
export function cutOff(where: string): ShelflistError {
  return new ShelflistError('failed', {
    message: `the file is cut off: ${where}; with the whole file, --on-duplicate skip adds the rest`,
  });
}

/** The same, where a mark tells it. */
export function exportCutOff(): ShelflistError {
  return cutOff(
    `it is an export, and its last book is missing (if you took it out yourself, take out "${markName}" too)`,
  );
}
