import type { Book, BookFields } from '../../book.ts';

/** What is known of a row that the catalogue, or the file before it, has already. */
export interface Duplicate {
  /** The book in the catalogue; missing when it is one that this import adds. */
  id?: number;
  /** Whether it is the same to the letter. */
  isExact: boolean;
}

/**
 * The books that are there, by title, author and year: without case, accents and spacing, and to the letter.
 * Digests stand for them, so that a book takes about 200 bytes here, however long it is.
 */
export class Duplicates {
  readonly #digest: Digest;
  readonly #ids = new Map<string, number>();
  readonly #exact = new Set<string>();

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  /** A book of the catalogue. Of several that are alike, the one with the lowest id counts. */
  addBook(book: Book): void {
    const key = this.#digest(fold(book));
    if (!this.#ids.has(key)) this.#ids.set(key, book.id);
    this.#exact.add(this.#digest(text(book)));
  }

  /** Looks for a row. Of rows of the file that are alike, the first one counts: the next will find that one. */
  find(fields: BookFields): Duplicate | undefined {
    const key = this.#digest(fold(fields));
    const id = this.#ids.get(key);
    this.#ids.set(key, ofThisFile);
    if (id === undefined) return undefined;
    if (id === ofThisFile) return { isExact: true };
    return { id, isExact: this.#exact.has(this.#digest(text(fields))) };
  }

  /** The row was not stored after all. */
  forget(fields: BookFields): void {
    this.#ids.delete(this.#digest(fold(fields)));
  }
}

/** In place of an id, which begins at 1. */
const ofThisFile = 0;

/** A text in 32 characters, whatever its length; nobody finds two different ones with the same. */
type Digest = (text: string) => string;

/** Knows no book yet. */
export async function createDuplicates(): Promise<Duplicates> {
  const { hash } = await import('node:crypto');
  return new Duplicates((value) => hash('sha256', value, 'binary'));
}

function text({ title, author, year }: BookFields): string {
  return JSON.stringify([title, author, year]);
}

/** Accents, as Latin, Greek and Cyrillic have them; the vowel signs and voicing marks of other scripts make words. */
// eslint-disable-next-line no-misleading-character-class -- the marks themselves are meant.
const accentsAndSpaces = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\s]/g;

/** Text with such a run skips NFKD, which sorts a run of marks in quadratic time. No word has this many. */
const longRunOfMarks = /\p{M}{64}/u;

/** What is left of a book without case, accents and spacing: upper case, because that has no special final forms. */
function fold({ title, author, year }: BookFields): string {
  const bare = (text: string) => {
    const plain = text.replace(accentsAndSpaces, '');
    const normal = longRunOfMarks.test(plain) ? plain : plain.normalize('NFKD');
    return normal.replace(accentsAndSpaces, '').toLowerCase().toUpperCase();
  };
  return JSON.stringify([bare(title), bare(author), year]);
}
