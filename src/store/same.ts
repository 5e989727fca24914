import { createHash } from 'node:crypto';
import { hasSameFields, type Book, type BookFields } from '../catalogue/book.ts';
import { sameKey, spellBook } from '../catalogue/duplicates.ts';

/** Names the rules of {@link sameHash}. Stores whose hashes were made with other rules make them again. */
export const sameVersion = '1';

/** An integer below 2^48 that is equal for books with the same spelling, and for hardly any others: compare them. */
export function sameHash(book: BookFields): number {
  return createHash('sha256').update(keyOf(book)).digest().readUIntBE(0, 6);
}

/** The answers of `findSame`, from all books with the hashes of those that are wanted. */
export function chooseSame(
  wanted: readonly BookFields[],
  found: Iterable<Readonly<Book>>,
): (Readonly<Book> | undefined)[] {
  const byKey = new Map<string, Readonly<Book>[]>(wanted.map((book) => [keyOf(book), []]));
  for (const book of found) byKey.get(keyOf(book))?.push(book);
  for (const books of byKey.values()) books.sort((a, b) => a.id - b.id);
  return wanted.map((book) => {
    const same = byKey.get(keyOf(book)) ?? [];
    return same.find((each) => hasSameFields(each, book)) ?? same[0];
  });
}

function keyOf(book: BookFields): string {
  return sameKey(spellBook(book));
}
