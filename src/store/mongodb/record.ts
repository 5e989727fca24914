import { toBook, type Book, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { BookDocument } from './prepare.ts';

/** MongoDB's records have at most 16 MiB. */
const maxTextBytes = 15 * 1024 * 1024;

/** Reads a book from its record. @throws {ShelflistError} `store_damaged` */
export type Decode = (document: BookDocument) => Book;

/**
 * What another process left in the collection is not trusted to be a book.
 *
 * @param description The store's own, for the error.
 */
export function createDecode(description: string): Decode {
  return ({ _id, title, author, year }) => {
    const book = toBook({ id: _id, title, author, year });
    if (book) return book;
    throw new ShelflistError('store_damaged', { message: `record ${_id} of ${description} is not a book` });
  };
}

/** @throws {ShelflistError} `invalid_input`: no record can hold it. */
export function refuseTooLarge({ title = '', author = '' }: BookPatch): void {
  if (Buffer.byteLength(title) + Buffer.byteLength(author) <= maxTextBytes) return;
  throw new ShelflistError('invalid_input', {
    message: 'the book has more than the 15 MiB that MongoDB can hold',
  });
}
