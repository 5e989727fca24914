import type { Book } from '../book.ts';

/** A part of a listing: about 1 ms of work, so that other requests get their turn, and a bounded piece of memory. */
const maxBooks = 1000;
const maxCharacters = 2 ** 20;

export interface Page {
  readonly books: readonly Book[];
  /** Whether the store had no more when it was read. */
  readonly isLast: boolean;
}

/** A page to fill. */
export interface OpenPage extends Page {
  readonly maxBooks: number;
  /** Takes another book; whether the page is full then. */
  add(book: Book): boolean;
}

export function createPage(): OpenPage {
  const books: Book[] = [];
  let characters = 0;
  const isFull = () => books.length >= maxBooks || characters >= maxCharacters;
  return {
    maxBooks,
    books,
    get isLast() {
      return !isFull();
    },
    add(book) {
      books.push(book);
      characters += book.title.length + book.author.length;
      return isFull();
    },
  };
}
