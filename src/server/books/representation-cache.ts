import { hash } from 'node:crypto';
import type { Book } from '../../catalogue/book.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import { quote } from '../http/preconditions.ts';
import { JsonText } from '../http/reply.ts';

/** A book as it is sent. */
export interface Representation {
  readonly json: JsonText;
  /** The `ETag`: a digest of the contents. */
  readonly tag: string;
}

/** The representations of immutable books, for as long as their store caches the books. */
const cache = new WeakMap<Readonly<Book>, Representation>();

export function represent(book: Readonly<Book>): Representation {
  const cached = cache.get(book);
  if (cached !== undefined) return cached;
  const digest = hash('sha256', JSON.stringify(fieldNames.map((name) => book[name])), 'base64url');
  const representation = { json: new JsonText(JSON.stringify(book)), tag: quote(digest.slice(0, 22)) };
  if (Object.isFrozen(book)) cache.set(book, representation);
  return representation;
}
