// Who may log in, who asks, and what a user may do: the callbacks of the embedder, and the checks around them.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';
import { parseUser, type User } from '../../catalogue/user.ts';
import type { MaybePromise } from '../../lib/gensync.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { Action } from './route.ts';

/** Finds the user of a login: returns the user, or `undefined` or `null` to refuse the login. */
export type Authenticate<Claims extends object = object> = (login: {
  /** As it was sent. */
  readonly username: string;
  /** As it was sent. */
  readonly password: string;
  /** The address of the client; behind trusted proxies, the one they report. */
  readonly address: string;
  /** Aborted when the answer is late, or its client has gone. */
  readonly signal: AbortSignal;
}) => MaybePromise<(Pick<User<Claims>, 'name'> & Partial<User<Claims>>) | null | undefined>;

/** A login, as `authenticate` receives it. */
export type LoginRequest = Parameters<Authenticate>[0];

/**
 * Says who makes a request, by a session or a token of the app: returns the user, or `undefined` or `null`.
 *
 * @typeParam Source What the handler receives: an `IncomingMessage`; in a fetch handler, a `Request`.
 */
export type Identify<Claims extends object = object, Source = IncomingMessage> = (asked: {
  /** `GET`, for example. */
  readonly method: string;
  /** The path without its query, as the service received it. */
  readonly path: string;
  /** The headers, with names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The address of the client; behind trusted proxies, the one they report. */
  readonly address: string;
  /** The request that the handler received, with what other code of the app has added. */
  readonly request: Source;
  /** Aborted when the answer is late, or the client has gone. */
  readonly signal: AbortSignal;
}) => MaybePromise<(Pick<User<Claims>, 'name'> & Partial<User<Claims>>) | null | undefined>;

/** Any of both kinds of requests: the service passes on what it received. */
export type AnyIdentify = Identify<object, IncomingMessage | Request>;
type IdentityRequest = Parameters<AnyIdentify>[0];

/** Decides whether a user may perform an action. Only `true` allows it. */
export type Authorize<Claims extends object = object> = (asked: {
  /** `undefined`: nobody is logged in (`publicRead`), or another issuer made the token, without a `sub`. */
  readonly user: User<Claims> | undefined;
  /** What the request does. */
  readonly action: Action;
  /** The book; `undefined` for an action on no book, many books, or a new one. */
  readonly id: number | undefined;
}) => boolean | Promise<boolean>;

/**
 * Stores a new password, which is used for the next logins once this has returned. If it throws, the old one remains, and the
 * response is 500, or that of the code of a `ShelflistError`.
 *
 * @param previous The password that it replaces.
 */
export type StorePassword = (password: string, previous: string) => void | Promise<void>;

/**
 * Asks the app for the user of a login; returns `undefined` to refuse it.
 *
 * @param disconnected Aborted when the client has gone.
 * @throws What `authenticate` throws; {@link TypeError} for a malformed user; {@link ShelflistError} `unavailable`.
 */
export async function authenticateUser(
  authenticate: Authenticate,
  login: Omit<LoginRequest, 'signal'>,
  disconnected: AbortSignal,
): Promise<User | undefined> {
  return answerOf('authenticate', disconnected, async (signal) =>
    parseUser(await authenticate(Object.freeze({ ...login, signal })), 'authenticate'),
  );
}

/** An answer must come within this time. */
const maxAnswerMs = 10_000;

/**
 * Waits for the answer of a callback, whose signal aborts when the answer is late.
 *
 * @param disconnected Aborts the signal, too: the client has gone.
 * @throws {ShelflistError} `unavailable`: there is none in time.
 */
export async function answerOf<Answer>(
  source: string,
  disconnected: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const stop = new AbortController(); // `AbortSignal.any` costs as much as the rest of a request.
  const onDisconnect = () => {
    stop.abort(disconnected.reason);
  };
  if (disconnected.aborted) onDisconnect();
  disconnected.addEventListener('abort', onDisconnect, { once: true });
  const answer = ask(stop.signal);
  try {
    await withTimeout(maxAnswerMs, Promise.allSettled([answer]));
  } catch (cause) {
    const error = new ShelflistError('unavailable', { message: `${source} does not answer`, cause });
    stop.abort(error);
    throw error;
  } finally {
    disconnected.removeEventListener('abort', onDisconnect);
  }
  return answer;
}

/**
 * The user of a request, as the app knows it; `undefined`: it does not.
 *
 * @param origins Other origins whose pages may send requests for their user.
 * @throws {ShelflistError} `forbidden`: a page of another origin sends a write for a user who is logged in here; `unavailable`.
 */
export async function identifyUser(
  identify: AnyIdentify,
  request: Omit<IdentityRequest, 'signal'>,
  origins: readonly string[],
  disconnected: AbortSignal,
): Promise<User | undefined> {
  const ask = async (signal: AbortSignal) => identify(Object.freeze({ ...request, signal }));
  const user = parseUser(await answerOf('identify', disconnected, ask), 'identify');
  if (user !== undefined && isForged(request, origins))
    throw new ShelflistError('forbidden', {
      message: 'a page of another origin has sent it; corsOrigins lists those that may',
    });
  return user;
}

/**
 * Whether a page of another origin may have sent this write with credentials that the browser adds by itself: cookies, or the
 * `Authorization` of HTTP Basic (CSRF). A browser says where a request comes from (Fetch Metadata; else `Origin`).
 */
function isForged(
  { method, headers }: Pick<IdentityRequest, 'method' | 'headers'>,
  origins: readonly string[],
): boolean {
  if (/^(GET|HEAD|OPTIONS)$/.test(method)) return false;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origins.includes(origin)) return false;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/** @throws {ShelflistError} `forbidden` */
export async function checkAccess(authorize: Authorize, request: Parameters<Authorize>[0]): Promise<void> {
  const isAllowed: unknown = await authorize(Object.freeze(request)); // JavaScript may return anything.
  if (isAllowed !== true) throw new ShelflistError('forbidden');
}
