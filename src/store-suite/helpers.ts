import assert from 'node:assert/strict';
import { parseBookFields } from '../catalogue/book.ts';
import type { Book, BookFields, CompleteStore } from '../store.ts';

export { exampleBook as emma } from '../catalogue/book.ts';

/** The fields of a book. Missing ones are empty, so that the suite needs no change for a new field. */
export const bookOf: (fields: Partial<BookFields>) => BookFields = parseBookFields;

/**
 * Asserts that two values contain the same data. It compares clones, because some runners (jest) give tests another `Object`
 * than that of objects from other threads.
 */
export function assertSame(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(structuredClone(actual), structuredClone(expected), message);
}

export async function readAll(store: CompleteStore): Promise<Book[]> {
  const books: Book[] = [];
  for await (const page of store.iterate()) books.push(...page);
  return books;
}

export async function readIds(store: CompleteStore): Promise<number[]> {
  return (await readAll(store)).map(({ id }) => id);
}
