import { ShelflistError } from '../../../../catalogue/errors.ts';
import type { Chosen, Mapping } from '../../../../catalogue/import/columns.ts';
import type { RowKey } from '../../../../import/match.ts';
import type { FormatName } from '../../../../formats/file-formats.ts';
import type { Parsed } from './read-record.ts';

/** A row of a file: a book, or the reason why it is not a book. */
export type Row = Parsed & {
  /** The line where it starts, counted from 1; where there are no lines, the position of the element or record. */
  line: number;
  /** What `line` counts. */
  unit: 'line' | 'book' | 'record';
  /** The content: cells, a JSON value, or text that could not be parsed. */
  original: unknown;
  /** The book that it stands for, if rows are matched. */
  key?: RowKey;
};

export interface RowsOptions {
  chosen: Chosen;
  /** The format; `undefined` if the first character tells it. */
  format?: FormatName | undefined;
  /** Whether rows stand for books of the catalogue: then the file has a column `id`. */
  isMatched?: boolean;
  /** Of CSV. Default: the one that the first line has most of. */
  delimiter?: string | undefined;
  /** A label of the Encoding Standard. Default: found by itself. */
  encoding?: string | undefined;
  /** Whether a row without a year is left out. */
  needsYear?: boolean | undefined;
  /** Called once, before the first row. */
  onStart: (start: RowsStart) => void;
  /** Whether an empty file has no rows, as NDJSON does; else it is an error. */
  mayBeEmpty?: boolean;
}

/** The columns of a file, which are known before its first row. */
export interface RowsStart {
  mapping: Mapping;
  /** The names of the columns, in CSV. */
  header?: readonly string[];
}

/** In characters. Exceeds any book that a service accepts: a longer row has an unclosed quote or bracket. */
export const maxRowLength = 16 * 1024 * 1024;

export function rowTooLong(which: string): ShelflistError {
  return new ShelflistError('failed', {
    message: `${which} is longer than 16 MiB: a quote or bracket may be unclosed there; it and all that follows was not read`,
  });
}

/** The error for a file that ends early. What precedes the cut was read. */
export function cutOff(where: string): ShelflistError {
  return new ShelflistError('failed', {
    message: `the file is cut off: ${where}; import the whole file with --on-duplicate skip to add the rest`,
  });
}
