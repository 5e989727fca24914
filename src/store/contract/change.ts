// Compare-and-set: checks that a book is still as a write expects it.
import { hasSameFields, type Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';

/**
 * Checks that a book is still the one that a write expects. Without `expected`, any state passes.
 *
 * @throws {ShelflistError} `precondition_failed`.
 */
export function checkExpected(expected: Book | undefined, book: Book | undefined): void {
  if (expected === undefined || (book !== undefined && isSameBook(expected, book))) return;
  throw new ShelflistError('precondition_failed');
}

/** Whether two books are exactly equal. */
export function isSameBook(a: Book, b: Book): boolean {
  return a.id === b.id && hasSameFields(a, b);
}
