import { fieldsOf, hasSameFields, parseBookFields, type BookFields } from '../../catalogue/book.ts';
import type { ReadRecord } from '../parsed-book.ts';

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
