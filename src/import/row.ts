// A row of a file, and the options for reading it: what the readers and the writer share.
import type { BookFields, FieldName } from '../catalogue/fields.ts';
import type { FormatName } from '../formats/file-formats.ts';
import type { RowNote, RowProblem, Unit } from '../formats/problems.ts';
import type { EncodingOptions } from './decode-text.ts';
import type { ColumnOverrides } from './column-parts.ts';
import type { Mapping } from './columns.ts';

/** A row of a file as a book, or why it is not one. */
export type BookRow = {
  /** The line where it starts, counted from 1; where there are no lines, the position of the element or record. */
  readonly line: number;
  /** What `line` counts. */
  readonly unit: Unit;
  /** The content: cells, a JSON value, or text that could not be parsed. */
  readonly original: unknown;
} & (
  | { readonly fields: BookFields; readonly notes?: readonly RowNote[]; readonly key?: RowKey }
  | { readonly problem: RowProblem }
);

/** What a row says about the book that it stands for, if rows are matched by their id. */
export interface RowKey {
  readonly id: unknown;
  readonly revision: unknown;
  /** The fields for which the file has a column. The others stay as they are. */
  readonly given: readonly FieldName[];
}

/** How a file is read. */
export interface ReadOptions extends EncodingOptions {
  /** The format; `undefined` if the content tells it. */
  readonly format?: FormatName | undefined;
  /** The format that the name of the file tells, for a content that looks like none. Default: CSV. */
  readonly byName?: FormatName | undefined;
  /** Default: the columns with known headers. */
  readonly chosen?: ColumnOverrides | undefined;
  /** Whether rows stand for books of the catalogue: then the file has a column `id`. Default false. */
  readonly isMatched?: boolean | undefined;
  /** Whether the first row of a table is a book, and the names of its columns are 1, 2, 3, … Default false. */
  readonly isHeadless?: boolean | undefined;
  /** Of CSV. Default: the one that the first line has most of. */
  readonly delimiter?: string | undefined;
  /** Of a workbook. Default: its only one with rows, or what `askSheet` says. */
  readonly sheet?: string | undefined;
  /** Chooses one of several sheets. Without it, several are an error. */
  readonly askSheet?: ((sheets: readonly string[]) => string | Promise<string | undefined>) | undefined;
  /** Looks up the book of an ISBN, for a list of them. @throws {ShelflistError} `book_not_found`, `not_found`, or another. */
  readonly lookUp?: ((isbn: string, signal: AbortSignal) => Promise<BookFields>) | undefined;
  /** Whether a row without a year is left out. Default false. */
  readonly needsYear?: boolean | undefined;
  /** Whether the last row is a book, even if it looks like a total. Default false. */
  readonly keepsTotal?: boolean | undefined;
  /** Whether an empty file has no rows; else it is an error. Default false. */
  readonly mayBeEmpty?: boolean | undefined;
  /** Ends the reading of what has arrived; the source ends by itself. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, before the first row that may be a book. What it throws ends the reading. */
  readonly onStart: (start: FileHeader) => void;
}

/** What is known of a file before its first row. */
export interface FileHeader {
  readonly mapping: Mapping;
  /** The format, if it has fields of its own, and no columns. */
  readonly format?: FormatName;
  /** The names of the columns, in CSV and Excel. */
  readonly header?: readonly string[];
  /** Where they are, if not in the first row: the rows above are not read. */
  readonly headerLine?: number | undefined;
  /** Whether the header looks like a book: none of its names is known, and one is a number, such as a year. */
  readonly looksHeadless?: boolean;
  /** The sheet of a workbook, and all that have rows. */
  readonly sheet?: string;
  readonly sheets?: readonly string[];
  /** The names of the members of the first object, in JSON. */
  readonly members?: readonly string[];
}
