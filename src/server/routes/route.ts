import type { User } from '../../auth/tokens.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import type { Endpoint } from '../openapi/operation.ts';

export interface Route extends Endpoint {
  /** Every route that is not public has one. */
  readonly action?: Action;
  /** Whether only requests that accept HTML find it: to others, its path is unknown. GET and HEAD only. Default false. */
  readonly isForBrowsers?: boolean;
  /** Whether its responses may be long: those on one connection are made one after the other. Default false. */
  readonly isLong?: boolean;
  /** @throws {ShelflistError} For every response that is not a success. */
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

export type { User } from '../../auth/tokens.ts';

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

/** A login, as `authenticate` receives it. */
export interface LoginRequest {
  /** As it was sent. */
  readonly username: string;
  /** As it was sent. */
  readonly password: string;
  /** The address of the client; behind trusted proxies, the one they report. */
  readonly address: string;
}

/**
 * Stores a new password, which is used for the next logins once this has returned. If it throws, the old one remains, and the
 * response is 500; that of a `ShelflistError` is the one of its code.
 *
 * @param previous The password that it replaces.
 */
export type StorePassword = (password: string, previous: string) => void | Promise<void>;

/** Finds the user of a login, or refuses it. */
export type Authenticate = (
  request: LoginRequest,
) => User | null | undefined | Promise<User | null | undefined>;

/** Decides whether a user may perform an action. Only `true` allows it. */
export type Authorize = (
  /** `undefined`: nobody is logged in (`publicRead`), or another issuer made the token, without a `sub`. */
  user: User | undefined,
  action: Action,
  /** The book; `undefined` for an action on no book, many books, or a new one. */
  id: number | undefined,
) => boolean | Promise<boolean>;

/** Reads the answer of an `authenticate`. @throws {TypeError} It is neither a user nor nothing. */
export function parseUser(value: unknown): User | undefined {
  if (value === undefined || value === null) return undefined;
  const { name } = value as Partial<User>;
  if (typeof name === 'string' && name !== '') return Object.freeze({ name });
  throw new TypeError('authenticate returned neither { name }, a string that is not empty, nor undefined');
}

/** @throws {ShelflistError} `forbidden` */
export async function checkAccess(authorize: Authorize, ...request: Parameters<Authorize>): Promise<void> {
  const isAllowed: unknown = await authorize(...request); // JavaScript may return anything.
  if (isAllowed !== true) throw new ShelflistError('forbidden');
}
