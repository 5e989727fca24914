// Who may log in, who asks, and what a user may do: the callbacks of the embedder, and the checks around them.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';
import { parseUser, type User } from '../../catalogue/user.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { Action } from './route.ts';

/** A login, as `authenticate` receives it. */
export interface LoginRequest {
  /** As it was sent. */
  readonly username: string;
  /** As it was sent. */
  readonly password: string;
  /** The address of the client; behind trusted proxies, the one they report. */
  readonly address: string;
}

/** A user as a callback returns it: `claims` may be missing. */
export type GivenUser<Claims extends object = object> = Pick<User<Claims>, 'name'> & Partial<User<Claims>>;

/** Finds the user of a login, or refuses it. */
export type Authenticate<Claims extends object = object> = (
  request: LoginRequest,
) => GivenUser<Claims> | null | undefined | Promise<GivenUser<Claims> | null | undefined>;

/** A request, as `identify` receives it. */
export interface IdentityRequest {
  /** `GET`, for example. */
  readonly method: string;
  /** The path without its query, as the service received it. */
  readonly path: string;
  /** The headers, with names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The address of the client; behind trusted proxies, the one they report. */
  readonly address: string;
  /** The request of the server around the service, with what its other code has added: a `Request` in a fetch handler. */
  readonly source: IncomingMessage | Request;
}

/** Says who makes a request, by a session or a token of the app; nothing if it does not know. */
export type Identify<Claims extends object = object> = (
  request: IdentityRequest,
) => GivenUser<Claims> | null | undefined | Promise<GivenUser<Claims> | null | undefined>;

/** What somebody wants to do, as `authorize` receives it. */
export interface AccessRequest<Claims extends object = object> {
  /** `undefined`: nobody is logged in (`publicRead`), or another issuer made the token, without a `sub`. */
  readonly user: User<Claims> | undefined;
  /** What the request does. */
  readonly action: Action;
  /** The book; `undefined` for an action on no book, many books, or a new one. */
  readonly id: number | undefined;
}

/** Decides whether a user may perform an action. Only `true` allows it. */
export type Authorize<Claims extends object = object> = (
  request: AccessRequest<Claims>,
) => boolean | Promise<boolean>;

/**
 * Stores a new password, which is used for the next logins once this has returned. If it throws, the old one remains, and the
 * response is 500, or that of the code of a `ShelflistError`.
 *
 * @param previous The password that it replaces.
 */
export type StorePassword = (password: string, previous: string) => void | Promise<void>;

/** The user of a login; `undefined` to refuse it. @throws What `authenticate` throws; {@link TypeError} for a malformed user. */
export async function authenticateUser(
  authenticate: Authenticate,
  login: LoginRequest,
): Promise<User | undefined> {
  return parseUser(await authenticate(Object.freeze(login)), 'authenticate');
}

/** An answer must come within this time. */
const maxAnswerMs = 10_000;

/** Waits for the answer of a callback. @throws {ShelflistError} `unavailable`: there is none in time. */
export async function answerOf<Answer>(answer: Promise<Answer>, source: string): Promise<Answer> {
  await withTimeout(maxAnswerMs, Promise.allSettled([answer])).catch((cause: unknown) => {
    throw new ShelflistError('unavailable', { message: `${source} does not answer`, cause });
  });
  return answer;
}

/**
 * The user of a request, as the app knows it; `undefined`: it does not.
 *
 * @param origins Other origins whose pages may send requests for their user.
 * @throws {ShelflistError} `forbidden`: a page of another origin sends a write for a user who is logged in here; `unavailable`.
 */
export async function identifyUser(
  identify: Identify,
  request: IdentityRequest,
  origins: readonly string[],
): Promise<User | undefined> {
  const asking = (async () => identify(Object.freeze(request)))();
  const user = parseUser(await answerOf(asking, 'identify'), 'identify');
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
function isForged({ method, headers }: IdentityRequest, origins: readonly string[]): boolean {
  if (/^(GET|HEAD|OPTIONS)$/.test(method)) return false;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origins.includes(origin)) return false;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/** @throws {ShelflistError} `forbidden` */
export async function checkAccess(authorize: Authorize, request: AccessRequest): Promise<void> {
  const isAllowed: unknown = await authorize(Object.freeze(request)); // JavaScript may return anything.
  if (isAllowed !== true) throw new ShelflistError('forbidden');
}
