import { type BookFields, fieldsOf, hasSameFields, parseBookFields } from '../catalogue/book.ts';
import type { Cut, RowNote, RowProblem } from './problems.ts';

/** The fields of a record, or why it is not a book. */
export type ReadRecord =
  { readonly fields: BookFields; readonly notes?: readonly RowNote[] } | { readonly problem: RowProblem };

/** A record of a file. */
export type ParsedBook = ReadRecord & {
  /** The number of the record in the file, from 1. */
  record: number;
  /** Its content: a JSON value, or text. */
  original: unknown;
};

/** Parses a file while it arrives, in the memory of a record. */
export interface BookParser<Chunk> {
  /** Takes the next piece; yields the records that end in it. @throws {FileError} It cannot go on. */
  push(chunk: Chunk): Iterable<ParsedBook>;
  /** Ends the file; yields the records that were held back. @throws {FileError} It is another format. */
  end(): Iterable<ParsedBook>;
  /** What is incomplete, once the file has ended; `undefined` if nothing is. */
  readonly cut: Cut | undefined;
}

/** In characters. Exceeds any record of a library: a longer one lacks its end. */
export const maxRecordLength = 16 * 1024 * 1024;

/** In characters: what a line or an element takes in memory besides its text. Millions of empty ones fit in a record, too. */
export const partCost = 64;

/** The problem of a record without a title. */
export const noTitle: RowProblem = { code: 'missing', field: 'title' };

/** The copy of a book that a record has to carry besides; `undefined` if reading the record gives the same book. */
export function needsExactCopy(book: BookFields, read: ReadRecord): BookFields | undefined {
  return 'fields' in read && hasSameFields(read.fields, book) ? undefined : fieldsOf(book);
}

/**
 * The exact copy in a record, unless another program has changed the record since.
 *
 * @param plain What the rest of the record says.
 * @param readAgain What the rest of a record of this book would say.
 */
export function exactCopy(
  copy: unknown,
  plain: ReadRecord,
  readAgain: (book: BookFields) => ReadRecord,
): BookFields | undefined {
  if (typeof copy !== 'object' || copy === null) return undefined;
  try {
    const book = parseBookFields(copy);
    return JSON.stringify(readAgain(book)) === JSON.stringify(plain) ? book : undefined;
  } catch {
    return undefined; // It is not a book.
  }
}
