// The hash by which stores find books with the same spelling, and the choice among those found.
import { ShelflistError } from '../../catalogue/errors.ts';
import { hasSameFields, type Book, type BookFields } from '../../catalogue/book.ts';
import { duplicateKey, normalizeForComparison } from '../../catalogue/duplicates.ts';
import { indexedTexts } from '../../catalogue/fields.ts';
import { foldText } from '../../catalogue/fold.ts';
import { hashText } from '../../lib/text-hash.ts';

/** Names the rules of {@link duplicateHash}. Stores whose hashes were made with other rules make them again. */
export const sameVersion = '2';

/** 32 bits that are equal for books whose texts have the same spelling, and for few others: compare them. */
export function duplicateHash(book: BookFields): number {
  return hashFolded(indexedTexts.map((name) => foldText(book[name])));
}

/** The different hashes of some books. */
export function sameHashes(books: readonly BookFields[]): Set<number> {
  return new Set(books.map(duplicateHash));
}

/** {@link duplicateHash} from folded texts: folding ignores every difference that the spelling ignores. */
export function hashFolded(texts: readonly string[]): number {
  return hashText(texts.map((text) => text.replaceAll(' ', '')).join(' '));
}

/** The answers of `findDuplicatesOf`, from all books with the hashes of those that are wanted. */
export function chooseSame(
  wanted: readonly BookFields[],
  found: Iterable<Readonly<Book>>,
): (Readonly<Book> | undefined)[] {
  const keys = wanted.map(keyOf);
  const byKey = new Map<string, Readonly<Book>[]>(keys.map((key) => [key, []]));
  for (const book of found) byKey.get(keyOf(book))?.push(book);
  for (const books of byKey.values()) books.sort((a, b) => a.id - b.id);
  return wanted.map((book, i) => {
    const same = byKey.get(keys[i] ?? '') ?? [];
    return same.find((each) => hasSameFields(each, book)) ?? same[0];
  });
}

/** The ids of the books with the same hash. @param of Only those with the hash of one of these. */
export function groupSame(books: Iterable<Readonly<Book>>, of?: readonly BookFields[]): number[][] {
  const wanted = of && sameHashes(of);
  const groups = new Map<number, number[]>();
  for (const book of books) {
    const hash = duplicateHash(book);
    if (wanted?.has(hash) === false) continue;
    const group = groups.get(hash);
    if (group === undefined) groups.set(hash, [book.id]);
    else group.push(book.id);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** The error of `findDuplicatesOf` while the entries of another release are made again: it could miss a book, which is then added twice. */
export function stillIndexing(): ShelflistError {
  return new ShelflistError('unavailable', {
    message: 'the books are being indexed for this release; try again when the log says that they are',
  });
}

function keyOf(book: BookFields): string {
  return duplicateKey(normalizeForComparison(book));
}
