// Files of books, read and written without a service: `shelflist/formats`.
import { Buffer } from 'node:buffer';
import type { Book, BookFields } from './catalogue/book.ts';
import { ArgumentError } from './catalogue/errors.ts';
import type { FieldName } from './catalogue/fields.ts';
import {
  exportFormats,
  formatNames,
  formatOfFile,
  type ExportFormat,
  type FormatName,
} from './formats/file-formats.ts';
import { describe, FileError } from './formats/problems.ts';
import { formatBooks } from './formats/serializer.ts';
import type { ColumnOverrides, ColumnPart } from './import/column-parts.ts';

import { optionsOfFile, readBooks as readRows } from './import/read-books.ts';

export type { Book, BookFields, ColumnPart, ExportFormat, FieldName, FormatName };
export { formatOfFile };

/** What a file contains: its text, or its bytes, whole or piece by piece, such as a stream of Node or the body of a `Response`. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/** A plausible encoding of a file. */
export interface EncodingReading {
  /** Its name. */
  readonly encoding: string;
  /** A line of the file in this encoding, which is another one in the other encodings. */
  readonly sample: string;
}

/** How a file is read. */
export interface ReadBooksOptions {
  /** The name of the file, whose extension tells the format if the content does not. */
  readonly fileName?: string | undefined;
  /** The format. Default: what the content tells, else that of `fileName`, else CSV. */
  readonly format?: FormatName | undefined;
  /**
   * The column of each part of a book, or several, by their names, or in tables by their places, from 1; `null`: none. Default:
   * known headers, in about 40 languages.
   */
  readonly columns?:
    Readonly<Partial<Record<ColumnPart, string | number | readonly (string | number)[] | null>>> | undefined;
  /** Whether the first row of a table has the names of its columns. Default `true`. */
  readonly hasHeader?: boolean | undefined;
  /** The character between the cells of CSV. Default: the one that the first line has most of. */
  readonly delimiter?: string | undefined;
  /** The sheet of a workbook. Default: the only one with rows. */
  readonly sheet?: string | undefined;
  /** A label of the Encoding Standard, such as `windows-1250`, or of a code page, such as `cp850`. Default: the one in which the text is most plausible. */
  readonly encoding?: string | undefined;
  /** Chooses one of several plausible encodings. Default: several are the error `severalEncodings`. */
  readonly askEncoding?:
    ((readings: readonly EncodingReading[]) => string | undefined | Promise<string | undefined>) | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a row of a file begins. */
export interface RowPlace {
  /** The line, from 1; where there are no lines, the position of the row, book or record. */
  readonly line: number;
  /** What `line` counts. */
  readonly unit: 'line' | 'row' | 'book' | 'record';
}

/** A row of a file that is a book. */
export interface BookInFile extends RowPlace {
  /** Its fields. */
  readonly book: BookFields;
  /** What to check, such as a year that is not understood: the book has then none. */
  readonly notes?: readonly RowNote[] | undefined;
  /** The row is a book. */
  readonly problem?: undefined;
}

/** A row of a file that is not a book. */
export interface BadRow extends RowPlace {
  /** The row is no book. */
  readonly book?: undefined;
  /** Why it is not one. */
  readonly problem: RowProblem;
}

/** Why a row is not a book. */
export interface RowProblem {
  /** Names the problem for programs, such as `missing` or `notUnderstood`. */
  readonly code: string;
  /** The reason, for people: `it has no title`. */
  readonly message: string;
}

/** What to know of a row that is a book. */
export interface RowNote {
  /** Names the note for programs, such as `yearLeftOut` or `farYear`. */
  readonly code: string;
  /** The note, for people: `its year is far ahead: 2998`. */
  readonly message: string;
}

/** A file cannot be read, or not to its end: the rows before that place were read. */
export class BookFileError extends Error {
  /** Distinguishes it from other errors in logs. */
  override readonly name = 'BookFileError';
  /** Names the problem for programs, such as `empty`, `cutOff` or `severalEncodings`. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Reads the books of a file, row by row, as `shelflist import` does; it may be compressed with gzip. A row that is not a book has a
 * `problem`, and the rows after it are read.
 *
 * @throws {TypeError} An option is unknown, or no format that is read. @throws {BookFileError} The file is empty, damaged, cut off, or has another format, or several encodings are plausible.
 *
 * @example
 * for await (const { line, book, problem } of readBooks(createReadStream('books.csv'), { fileName: 'books.csv' })) {
 *   if (problem) console.log(`line ${line}: ${problem.message}`);
 *   else await store.create(book);
 * }
 */
export async function* readBooks(
  content: FileContent,
  options: ReadBooksOptions = {},
): AsyncGenerator<BookInFile | BadRow, void, undefined> {
  checkOptions(options, readOptions, formatNames);
  const { fileName = '', format, columns, hasHeader = true, ...others } = options;
  const rows = readRows(piecesOf(content), {
    ...others,
    ...optionsOfFile(fileName, format),
    chosen: columns && columnsOf(columns),
    isHeadless: !hasHeader,
    onStart: () => undefined,
  });
  try {
    for await (const row of rows) {
      const { line, unit } = row;
      if ('fields' in row) {
        const notes = row.notes?.map((note) => ({ code: note.code, message: describe(note) }));
        yield { line, unit, book: row.fields, ...(notes && { notes }) };
      } else yield { line, unit, problem: { code: row.problem.code, message: describe(row.problem) } };
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new BookFileError(error.problem.code, error.message, error.cause);
  }
}

const readOptions = Object.keys({
  fileName: true,
  format: true,
  columns: true,
  hasHeader: true,
  delimiter: true,
  sheet: true,
  encoding: true,
  askEncoding: true,
  signal: true,
} satisfies Record<keyof ReadBooksOptions, true>);

const writeOptions = Object.keys({
  format: true,
  withIds: true,
  withByteOrderMark: true,
  delimiter: true,
  isEscaped: true,
} satisfies Record<keyof WriteBooksOptions, true>);

/** @throws {ArgumentError} */
function checkOptions(
  options: { readonly format?: string | undefined },
  names: readonly string[],
  formats: readonly string[],
): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ArgumentError(`options.${unknown}: unknown option; expected ${names.join(', ')}`);
  if (options.format === undefined ? names === writeOptions : !formats.includes(options.format))
    throw new ArgumentError(`options.format: expected ${formats.join(', ')}`);
}

/** The readers count columns from 0. */
function columnsOf(columns: NonNullable<ReadBooksOptions['columns']>): ColumnOverrides {
  const placeOf = (at: string | number) => (typeof at === 'number' ? at - 1 : at);
  const entries = Object.entries(columns).map(([part, at]) => [
    part,
    at === null ? null : typeof at === 'object' ? at.map(placeOf) : placeOf(at),
  ]);
  return Object.fromEntries(entries) as ColumnOverrides;
}

async function* piecesOf(content: FileContent): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

/** How a file is written. */
export interface WriteBooksOptions {
  /** The format. MARC21 is only read. */
  readonly format: ExportFormat;
  /** Whether the file has the ids of the books, where the format does not need one. Default `false`. */
  readonly withIds?: boolean | undefined;
  /** Whether CSV and TSV begin with a byte order mark, by which Excel recognises UTF-8. Default `false`. */
  readonly withByteOrderMark?: boolean | undefined;
  /** The character between the cells of CSV. Default: a comma. */
  readonly delimiter?: string | undefined;
  /** Whether CSV and TSV escape texts that a spreadsheet program would take for a formula, a number or a date. Default `false`. */
  readonly isEscaped?: boolean | undefined;
}

/**
 * Writes books as a file, piece by piece, as `shelflist export` does.
 *
 * @throws {TypeError} An option is unknown, or no format that is written.
 *
 * @example
 * await writeFile('books.xlsx', writeBooks(client.iterate(), { format: 'xlsx' }));
 */
export async function* writeBooks(
  books: Iterable<Book> | AsyncIterable<Book>,
  options: WriteBooksOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  checkOptions(options, writeOptions, exportFormats);
  const { format, withIds = false, withByteOrderMark = false, delimiter, isEscaped = false } = options;
  const settings = {
    format,
    withIds,
    bom: withByteOrderMark,
    isEscaped,
    ...(delimiter !== undefined && { delimiter }),
  };
  for await (const { content } of formatBooks(books, settings))
    if (content.length > 0) yield typeof content === 'string' ? Buffer.from(content) : content;
}
