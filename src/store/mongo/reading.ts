import type { Book } from '../../book.ts';
import type { BookDocument, Collections } from './prepare.ts';

/** How a question reads records. */
export interface Reading {
  readonly collections: Collections;
  /** A record that is no book is an error. */
  readonly decode: (document: BookDocument) => Book;
  /** After so long the server gives up. */
  readonly maxTimeMS: number;
}
