import type { Action } from './access.ts';
import type { Call } from './call.ts';
import type { Headers } from './http/headers.ts';
import type { Reply } from './http/reply.ts';
import type { Operation } from './openapi/operation.ts';

/** An endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  /** The second segment may be `{id}`, the id of a book, or `{batch}` or `{asset}`. */
  readonly path: string;
  /** Whether requests need no token. Default false. */
  readonly public?: boolean;
  /** Whether requests need no token, but one that is sent must be valid. Default false. */
  readonly isTokenOptional?: boolean;
  /** What it does, as `authorize` receives it. Every route that is not public has one. */
  readonly action?: Action;
  /** Whether only requests that accept HTML find it: to others, its path is unknown. GET and HEAD only. Default false. */
  readonly isForBrowsers?: boolean;
  /** Whether its answers may be long: those on one connection are made one after the other. Default false. */
  readonly isLong?: boolean;
  /** The status and the envelope's `message` of a success. */
  readonly status: number;
  readonly message: string;
  /** Further headers of a success. */
  readonly headers?: Headers;
  /** The documentation in `GET /openapi.json`. */
  readonly operation: Operation;
  /** @throws {ShelflistError} For every response that is not a success. */
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}
