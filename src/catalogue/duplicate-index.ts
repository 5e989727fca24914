import type { Book, BookFields } from './book.ts';
import { sameKey, spellBook } from './duplicates.ts';
import { fieldNames } from './fields.ts';

/** A row that the catalogue, or the file before it, has already. */
interface Duplicate {
  /** The book in the catalogue; missing if this import adds it. */
  id?: number;
  /** Whether the fields are equal, not only alike. */
  isExact: boolean;
}

/**
 * Digests of the books that exist, both by their spelling and exact. With a hash, a book takes about 200 bytes, whatever its
 * length.
 */
export class DuplicateIndex {
  readonly #digest: Digest;
  readonly #ids = new Map<string, number>();
  readonly #exact = new Set<string>();

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  /** Adds a book of the catalogue. Of several duplicates, the one with the lowest id counts. */
  addBook(book: Book): void {
    const key = this.#digest(sameKey(spellBook(book)));
    if (!this.#ids.has(key)) this.#ids.set(key, book.id);
    this.#exact.add(this.#digest(text(book)));
  }

  /** Finds the duplicate of a row, and adds the row, so that the next one like it finds this one. */
  find(fields: BookFields): Duplicate | undefined {
    const key = this.#digest(sameKey(spellBook(fields)));
    const id = this.#ids.get(key);
    this.#ids.set(key, ofThisFile);
    if (id === undefined) return undefined;
    if (id === ofThisFile) return { isExact: true };
    return { id, isExact: this.#exact.has(this.#digest(text(fields))) };
  }

  /** Removes a row that was not stored. */
  forget(fields: BookFields): void {
    this.#ids.delete(this.#digest(sameKey(spellBook(fields))));
  }
}

/** Stands in for a missing id: ids start at 1. */
const ofThisFile = 0;

/** A text that stands for another one: a collision-resistant hash, or the text itself. */
type Digest = (text: string) => string;

function text(book: BookFields): string {
  return JSON.stringify(fieldNames.map((name) => book[name]));
}
