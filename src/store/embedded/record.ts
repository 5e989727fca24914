import { toBook, type Book } from '../../book.ts';
import { Latest } from '../../latest.ts';

/** A book as it is stored: as JSON, which is lossless for every string and number that it may hold. */
export function encodeBook(book: Book): string {
  return JSON.stringify(book);
}

/** What another process left in the file is not trusted to be a book: then `undefined`. */
export function decodeBook(id: number, text: string): Book | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const book = toBook(value);
  return book?.id === id ? book : undefined;
}

/** Twice as many books are remembered at the most; and how long each may be. */
const maxBooks = 5000;
const maxLength = 1000;

/** The books that were read last, by the very text that they were read from: what is read again is not parsed again. */
export class ReadBooks {
  readonly #books = new Latest<number, { readonly text: string; readonly book: Readonly<Book> }>(maxBooks);

  /** As {@link decodeBook}, but nobody can change the book. */
  decode(id: number, text: string): Readonly<Book> | undefined {
    const found = this.#books.get(id);
    if (found?.text === text) return found.book;
    const decoded = decodeBook(id, text);
    if (decoded === undefined) return undefined;
    const book = Object.freeze(decoded);
    if (text.length <= maxLength) this.#books.set(id, { text, book });
    return book;
  }
}
