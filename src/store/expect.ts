import type { Book } from '../book.ts';
import { ShelflistError } from '../errors.ts';

/**
 * Lets a write go on if the book is the one that it was meant for; without `expected`, whatever it is.
 *
 * @throws {ShelflistError} `precondition_failed`.
 */
export function expectBook(expected: Book | undefined, book: Book | undefined): void {
  if (expected === undefined || (book !== undefined && isSameBook(expected, book))) return;
  throw new ShelflistError('precondition_failed');
}

/** Whether two books are exactly equal. */
export function isSameBook(a: Book, b: Book): boolean {
  return a.id === b.id && a.title === b.title && a.author === b.author && a.year === b.year;
}
