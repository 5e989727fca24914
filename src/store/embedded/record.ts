import { toBook, type Book } from '../../book.ts';

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
