import type { Book } from '../book.ts';
import type { Headers } from './headers.ts';

/**
 * An answer's data: a JSON value, or books page by page, which leave as one array. Text leaves as it is, without
 * an envelope, and its route's headers say of which type it is.
 */
export type Data = object | string | null | AsyncIterable<readonly Book[]>;

/** What a handler answers. */
export interface Reply {
  readonly data: Data;
  /** Its `ETag`, quoted. */
  readonly tag?: string;
  readonly headers?: Headers;
  /** The client has it already: no data is sent. */
  readonly isNotModified?: boolean;
}
