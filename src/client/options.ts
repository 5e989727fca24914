import { ArgumentError } from '../catalogue/errors.ts';
import { isBatchId } from '../catalogue/batch.ts';
import { isPosition } from '../catalogue/changes.ts';
import type { Fetch, FetchInit } from './wire.ts';

/** Where the service is, and how the client behaves. */
export interface ClientOptions {
  /** The address of the service, including the path it is mounted under. Default `http://127.0.0.1:8080`. */
  url?: string | URL | undefined;
  /**
   * A token of an earlier login; or a function that returns the token of each request. If the service refuses its token, the
   * function is called once more, and a request with another token is sent again. The client renews no token of a function.
   */
  token?: string | undefined | (() => string | undefined | Promise<string | undefined>);
  /**
   * The maximum time of a call, in milliseconds, from its first request to the end of its last response; of a create, that of
   * each attempt. In `books` and `watch`, it limits the wait for the start of the response; in `books`, also for each piece of
   * it. Default 30,000.
   */
  timeoutMs?: number | undefined;
  /** Sends the requests. Default: the global `fetch`, looked up with each request. */
  fetch?: Fetch | undefined;
  /** More headers of each request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether requests to other origins have cookies, as in `fetch`. The service itself uses none. */
  credentials?: FetchInit['credentials'] | undefined;
  /** Ends every call of this client. */
  signal?: AbortSignal | undefined;
  /**
   * Called when the service refuses the token of a request. The request is then sent again with the token that this returns;
   * it fails if that is `undefined`. There is no time limit, so that a user can log in. Requests with the same token share one
   * call. Default: the request fails.
   */
  onUnauthorized?: (() => Promise<string | undefined>) | undefined;
  /** Called with each renewed token and the one that it replaces, to store it. Requests wait for it. */
  onRenewed?: ((token: string, previous: string) => void | Promise<void>) | undefined;
}

/** The options of every call. */
export interface CallOptions {
  /** Ends the call, which rejects with the reason of the signal. The service may have done it nevertheless. */
  signal?: AbortSignal | undefined;
}

/** The condition of a write, and its batch. */
export interface WriteCondition extends CallOptions {
  /** A tag of the book: the write happens only if the book still has the contents of that tag. */
  ifMatch?: string | undefined;
  /**
   * The batch that the change belongs to, an id of your choice: 8 to 64 of `A-Z a-z 0-9 _ -`. {@link Client.undo} takes back
   * all changes of a batch.
   */
  batch?: string | undefined;
}

/** The options of a create. */
export interface CreateOptions extends Omit<WriteCondition, 'ifMatch'> {
  /**
   * Names the create: for 24 hours, a repeat of the same one stores nothing, and returns what the first one did. Choose one to
   * repeat a create in another process: 1 to 64 visible ASCII characters. Default: a random one for each call.
   */
  idempotencyKey?: string | undefined;
}

/** The options of a revert. */
export interface RevertOptions extends WriteCondition {
  /** The `version` of an earlier state. Default: the newest one that is kept. */
  version?: string | undefined;
  /** `*`: only if the book is still deleted. */
  ifNoneMatch?: '*' | undefined;
}

/** How an undo reports, and what it continues. */
export interface UndoOptions extends CallOptions {
  /** The batch of an undo that was ended, to continue it: that of {@link onProgress}. Default: a new one. */
  batch?: string | undefined;
  /** Called after each step, with the numbers so far, and the batch of the undo itself, if it has changed a book. */
  onProgress?: ((progress: { undone: number; left: number; batch: string | undefined }) => void) | undefined;
}

/** Where a watch begins, and when it ends. */
export interface WatchOptions {
  /** The position of an earlier event, to continue after it. Default: begin now. */
  after?: string | undefined;
  /** Called for each connection of the stream. Without a position, changes before it may have been missed. */
  onConnect?: (() => void) | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/** The options of all calls. A call takes some of them. */
export type AnyOptions = RevertOptions & CreateOptions & UndoOptions & WatchOptions;
/** The name of an option of a call. */
export type CallOption = Exclude<keyof AnyOptions, 'signal'>;
/** The options of a call. */
export type OptionsOf<Name extends CallOption> = Pick<AnyOptions, Name | 'signal'>;

/** Whether a value is valid, and what is expected. */
type Check = readonly [isValid: (value: unknown) => boolean, expected: string];

const hasType = (type: string): Check => [(value) => typeof value === type, `a ${type}`];
const isText = hasType('string');
const isFunction = hasType('function');
/** `instanceof` fails for a signal of another realm, as in test runners. */
const isSignal: Check = [(value) => 'aborted' in Object(value), 'an AbortSignal'];
/** As part of a path, another value could lead elsewhere. */
const isBatch: Check = [isBatchId, '8 to 64 of A-Z, a-z, 0-9, _ and -'];
/** `*`, or comma-separated entity tags (RFC 9110, section 13.1.1). */
const tags = /^(\*|(W\/)?"[!#-~]*"([\t ]*,[\t ]*(W\/)?"[!#-~]*")*)$/;
const isTag: Check = [(value) => typeof value === 'string' && tags.test(value), 'a tag of getTagged()'];
/** The maximum delay of timers. */
const maxTimeoutMs = 2 ** 31 - 1;

const clientChecks: Readonly<Record<keyof ClientOptions, Check>> = {
  url: [(value) => value instanceof URL || isText[0](value), isText[1]],
  token: [
    (value) => typeof value === 'function' || (typeof value === 'string' && /^[ -~]*$/.test(value)),
    'visible ASCII, or a function',
  ],
  timeoutMs: [
    (value) => typeof value === 'number' && value >= 1 && value <= maxTimeoutMs,
    `milliseconds from 1 to ${maxTimeoutMs}`,
  ],
  fetch: isFunction,
  headers: [
    // A copy of a `Headers`, an array or a Map would be empty.
    (value) => !(Symbol.iterator in Object(value)) && Object.values(Object(value) as object).every(isText[0]),
    'an object of strings',
  ],
  credentials: [(value) => /^(include|omit|same-origin)$/.test(String(value)), 'that of fetch'],
  signal: isSignal,
  onUnauthorized: isFunction,
  onRenewed: isFunction,
};

const callChecks: Readonly<Record<keyof AnyOptions, Check>> = {
  signal: isSignal,
  ifMatch: isTag,
  ifNoneMatch: [(value) => value === '*', '*'],
  batch: isBatch,
  idempotencyKey: [
    (value) => typeof value === 'string' && /^[!-~]{1,64}$/.test(value),
    '1 to 64 visible ASCII characters',
  ],
  version: [isText[0], 'a string from history()'],
  after: [(value) => typeof value === 'string' && isPosition(value), 'the position of an event'],
  onProgress: isFunction,
  onConnect: isFunction,
};

/** @throws {TypeError} An option is unknown or has the wrong type. */
export function readClientOptions(options: ClientOptions): ClientOptions {
  return readOptions(options, clientChecks);
}

/**
 * Copies the options of a call. Apps without TypeScript may pass anything.
 *
 * @param names The options that it may have besides `signal`.
 * @throws {TypeError} An option is unknown or has the wrong type: ignoring it could change more than the caller wants.
 */
export function readCallOptions<Options extends object>(
  options: Options | undefined,
  names: readonly CallOption[] = [],
): Partial<Options> {
  if (options === undefined) return {};
  const known = ['signal' as const, ...names];
  return readOptions(options, Object.fromEntries(known.map((name) => [name, callChecks[name]])));
}

function readOptions<Options extends object>(
  options: Options,
  checks: Readonly<Record<string, Check>>,
): Options {
  if (typeof options !== 'object' || options === (null as unknown) || Array.isArray(options))
    throw new ArgumentError('options: expected an object');
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      throw new ArgumentError(`options.${name}: unknown option; expected ${Object.keys(checks).join(', ')}`);
    if (value !== undefined) ensure(`options.${name}`, value, check);
  }
  return { ...options };
}

function ensure(name: string, value: unknown, [isValid, expected]: Check): void {
  if (!isValid(value)) throw new ArgumentError(`${name}: expected ${expected}`);
}

/** Books, as they are. @throws {TypeError} It is no array. */
export function checkArray<Books>(books: Books): Books {
  ensure('books', books, [Array.isArray, 'an array']);
  return books;
}

/** Texts by name, as they are. @throws {TypeError} One is no text. */
export function checkTexts<Texts extends object>(texts: Texts): Texts {
  for (const [name, text] of Object.entries(texts)) ensure(name, text, isText);
  return texts;
}

/** @throws {TypeError} It is not a tag. */
export function checkTag(tag: unknown): void {
  ensure('tag', tag, isTag);
}

/** The address of a service with default settings. */
export const defaultServiceUrl = 'http://127.0.0.1:8080';

/** @throws {TypeError} It is not the address of an HTTP service. */
export function parseServiceUrl(address: string | URL): URL {
  const text = String(address);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.protocol.match(/^https?:$/))
    throw new ArgumentError('the address of a service starts with http:// or https://');
  if (url.username + url.password !== '')
    throw new ArgumentError('the address of a service must not contain a username or password');
  return url;
}
