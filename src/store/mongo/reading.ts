import type { Book } from '../../book.ts';
import type { BookDocument, Collections } from './prepare.ts';

/** How a question reads records. */
export interface Reading {
  readonly collections: Collections;
  /** A record that is no book is an error. */
  readonly decode: (document: BookDocument) => Book;
  /** When the server gives up, and when nobody waits for the answer any more: then nothing more is read. */
  readonly limits: { readonly maxTimeMS: number; readonly signal: AbortSignal };
}
