import type { Book } from '../book.ts';
import type { Element } from './bulk.ts';
import type { Conditions } from './conditions.ts';
import type { Headers } from './headers.ts';
import type { Operation } from './openapi/operation.ts';

/** What a handler is given: typed things, never the request or the response. */
export interface Call {
  /**
   * The `{id}` of the path; 0 on a route that has none.
   *
   * @throws {ShelflistError} `book_not_found`: it is no canonical id.
   */
  readonly id: number;
  /** The path that the client has asked for, with what the service is mounted under. */
  readonly path: string;
  readonly query: string;
  readonly conditions: Conditions;
  /** The address that the request came from. */
  readonly address: string;
  /**
   * Reads the body as JSON. What is not JSON gives `undefined`, which no JSON text stands for, so that
   * whoever parses the value refuses it with an error of its own.
   *
   * @throws {ShelflistError} `body_too_large`, `unsupported_encoding`, `request_timeout`.
   */
  readonly readJson: () => Promise<unknown>;
  /**
   * Reads the body as many books: NDJSON if its `Content-Type` says so, else a JSON array.
   *
   * @throws {ShelflistError} `invalid_input`, and as `readJson` does.
   */
  readonly readElements: () => AsyncIterable<Element>;
}

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

/** One endpoint: what a request must look like, and how a success is answered. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  /** A path, whose last segment may be `{id}`. */
  readonly path: string;
  /** Whether it answers without a token. */
  readonly public?: boolean;
  readonly status: number;
  readonly message: string;
  /** What a success carries besides. */
  readonly headers?: Headers;
  /** What `GET /openapi.json` says of it besides. */
  readonly operation: Operation;
  /** @throws {ShelflistError} For every answer that is no success. */
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}
