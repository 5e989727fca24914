import type { BodyKind } from './body.ts';
import type { Reply } from './answer.ts';
import type { Conditions } from './conditions.ts';
import type { Element } from './elements.ts';
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
  /** Aborted if the client disconnects before it has the whole answer. Created on first use. */
  readonly signal: AbortSignal;
  /** The address that the request came from; behind trusted proxies the one that they name. */
  readonly address: string;
  /**
   * Reads the body as JSON. What is not JSON gives `undefined`, which no JSON text stands for, so that
   * whoever parses the value refuses it with an error of its own.
   *
   * @param kind `login`: a body sent without a token, with a lower limit. Default: `book`.
   * @throws {ShelflistError} `body_too_large`, `unsupported_encoding`, `request_timeout`, `unavailable`.
   */
  readJson(kind?: BodyKind): Promise<unknown>;
  /**
   * Visits the elements of a bulk body, NDJSON if its `Content-Type` says so, else a JSON array; then runs `use`.
   *
   * @throws {ShelflistError} `invalid_input`, and as `readJson` does.
   */
  readElements<Result>(visit: (element: Element) => void, use: () => Promise<Result>): Promise<Result>;
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
