import type { BookFields } from '../catalogue/fields.ts';

/** The fields of a record, or the reason why it is not a book. */
export type ReadRecord = { fields: BookFields } | { reason: string };

/** A record of a file. */
export type ParsedBook = ReadRecord & {
  /** The number of the record in the file, from 1. */
  record: number;
  /** Its content: a JSON value, or text. */
  original: unknown;
};

/** Parses a file while it arrives, in the memory of a record. */
export interface BookParser<Chunk> {
  /** Takes the next piece; yields the records that end in it. @throws {ShelflistError} `failed`: it cannot go on. */
  push(chunk: Chunk): Iterable<ParsedBook>;
  /** Ends the file; yields the records that were held back. @throws {ShelflistError} `failed`: it is another format. */
  end(): Iterable<ParsedBook>;
  /** What is incomplete, once the file has ended; `undefined` if nothing is. */
  readonly cut: string | undefined;
}

/** In characters. Exceeds any record of a library: a longer one lacks its end. */
export const maxRecordLength = 16 * 1024 * 1024;

/** The reason for a record without a title. */
export const noTitle = 'it has no title';
