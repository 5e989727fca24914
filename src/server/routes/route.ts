import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import type { Endpoint } from '../openapi/operation.ts';

export interface Route extends Endpoint {
  /** Every route that is not public has one. */
  readonly action?: Action;
  /** Whether only requests that accept HTML find it: to others, its path is unknown. GET and HEAD only. Default false. */
  readonly isForBrowsers?: boolean;
  /** Whether it acts on the token of the request, so that `identify` is not asked. Default false. */
  readonly isAboutToken?: boolean;
  /** Whether its responses may be long: those on one connection are made one after the other. Default false. */
  readonly isLong?: boolean;
  /** @throws {ShelflistError} For every response that is not a success. */
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

/** The action of a request, as `authorize` receives it. */
export type Action =
  /** Search and count books: `GET /books`, `/stats`, `/suggest`, `/corrections`, `/authors`, `/duplicates`. */
  | 'list'
  /** Read one book. */
  | 'read'
  /** Store new books, one or many. */
  | 'create'
  | 'update'
  | 'delete'
  /** Read the earlier states of a book. */
  | 'history'
  /** Give a book an earlier state. */
  | 'revert'
  /** List the deleted books. */
  | 'trash'
  /** List the batches, or read the summary of one. */
  | 'batch'
  /** Take back the changes of a batch. */
  | 'undo'
  /** Follow the changes of all books. */
  | 'follow'
  /** Stay logged in: exchange a token for a new one. */
  | 'renew'
  /** Change the password of the one login. */
  | 'password';
