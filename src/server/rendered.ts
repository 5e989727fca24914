import { hash } from 'node:crypto';
import type { Book } from '../book.ts';
import { JsonText } from './answer.ts';
import { quote } from './conditions.ts';

/** A book as it is answered. */
export interface Rendered {
  readonly json: JsonText;
  /** Its `ETag`: the same for the same contents, and for no others. */
  readonly tag: string;
}

/** Of the books that nobody can change, for as long as their store keeps them. */
const known = new WeakMap<Readonly<Book>, Rendered>();

export function renderBook(book: Readonly<Book>): Rendered {
  const found = known.get(book);
  if (found !== undefined) return found;
  const { title, author, year } = book;
  const digest = hash('sha256', JSON.stringify([title, author, year]), 'base64url');
  const rendered = { json: new JsonText(JSON.stringify(book)), tag: quote(digest.slice(0, 22)) };
  if (Object.isFrozen(book)) known.set(book, rendered);
  return rendered;
}
