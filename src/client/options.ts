import { isBatch } from '../catalogue/batch.ts';
import { isPosition } from '../catalogue/changes.ts';
import type { Exchange, Fetch, FetchInit } from './wire.ts';

export interface ClientOptions {
  /** The address of the service, including the path it is mounted under. Default `http://127.0.0.1:8080`. */
  url?: string;
  /**
   * A token of an earlier login; or a function that returns the token of each request. If the service refuses its token, the
   * function is called once more, and a request with another token is sent again. The client renews no token of a function.
   */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /**
   * The maximum time of a call, in milliseconds, from its first request to the end of its last response. In `books` and `watch`,
   * it limits the wait for the start of the response; in `books`, also for each piece of it. Default 30,000.
   */
  timeoutMs?: number;
  /** Sends the requests. Default: the global `fetch`, looked up with each request. */
  fetch?: Fetch;
  /** More headers of each request. */
  headers?: Readonly<Record<string, string>>;
  /** Whether requests to other origins have cookies, as in `fetch`. The service itself uses none. */
  credentials?: NonNullable<FetchInit['credentials']>;
  /** Ends every call of this client. */
  signal?: AbortSignal | undefined;
  /**
   * Called when the service refuses the token of a request. The request is then sent once more, with the token that this
   * returns. Requests with the same token share one call. Default: the request fails.
   */
  onUnauthorized?: () => Promise<string>;
  /** Called with each renewed token and the one that it replaces, to store it. Requests wait for it. */
  onRenewed?: (token: string, previous: string) => void | Promise<void>;
}

/** The options of every call. */
export interface CallOptions {
  /** Ends the call, which rejects with the reason of the signal. The service may have done it nevertheless. */
  signal?: AbortSignal | undefined;
}

/** The condition of a write, and its batch. */
export interface WriteCondition extends CallOptions {
  /** A tag of the book: the write happens only if the book still has the contents of that tag. */
  ifMatch?: string;
  /**
   * The batch that the change belongs to, an id of your choice: 8 to 64 of `A-Z a-z 0-9 _ -`. {@link Client.undo} takes back
   * all changes of a batch.
   */
  batch?: string;
}

/** The options of a write without a condition. */
export type BatchOption = Omit<WriteCondition, 'ifMatch'>;

/** The options of a revert. */
export interface RevertOptions extends WriteCondition {
  /** The `version` of an earlier state. Default: the newest one that is kept. */
  version?: string;
  /** `*`: only if the book is still deleted. */
  ifNoneMatch?: '*';
}

/** Whether a value is right, and what is expected instead. */
type Check = readonly [isValid: (value: unknown) => boolean, expected: string];

const hasType = (type: string, expected = `a ${type}`): Check => [(value) => typeof value === type, expected];
const isText = hasType('string');
const isFunction = hasType('function');
const isSignal: Check = [(value) => value instanceof AbortSignal, 'an AbortSignal'];
/** As part of a path, another value could lead elsewhere. */
const isBatchId: Check = [isBatch, '8 to 64 of A-Z, a-z, 0-9, _ and -'];
/** `*`, or comma-separated entity tags (RFC 9110, section 13.1.1). */
const tags = /^(\*|(W\/)?"[!#-~]*"([\t ]*,[\t ]*(W\/)?"[!#-~]*")*)$/;
const isTag: Check = [
  (value) => typeof value === 'string' && tags.test(value),
  'a tag from getTagged(), in double quotes',
];
/** The maximum delay of timers. */
const maxTimeoutMs = 2 ** 31 - 1;

const clientChecks: Readonly<Record<keyof ClientOptions, Check>> = {
  url: isText,
  token: [
    (value) => typeof value === 'function' || (typeof value === 'string' && /^[ -~]*$/.test(value)),
    'a string of visible ASCII characters, or a function',
  ],
  timeoutMs: [
    (value) => typeof value === 'number' && value >= 1 && value <= maxTimeoutMs,
    `a number of milliseconds from 1 to ${maxTimeoutMs}`,
  ],
  fetch: isFunction,
  headers: hasType('object', 'an object of strings'),
  credentials: [(value) => /^(include|omit|same-origin)$/.test(String(value)), 'that of fetch'],
  signal: isSignal,
  onUnauthorized: isFunction,
  onRenewed: isFunction,
};

const callChecks = {
  signal: isSignal,
  ifMatch: isTag,
  ifNoneMatch: [(value) => value === '*', '*'],
  batch: isBatchId,
  version: [isText[0], 'a string from history()'],
  after: [(value) => typeof value === 'string' && isPosition(value), 'the position of an event'],
  onProgress: isFunction,
} as const satisfies Readonly<Record<string, Check>>;

/** @throws {TypeError} An option is unknown or has the wrong type. */
export function readClientOptions(options: ClientOptions): ClientOptions {
  return readOptions(options, clientChecks);
}

/**
 * A copy of the options of a call.
 *
 * @param names The options that it may have besides `signal`.
 * @throws {TypeError} An option is unknown or has the wrong type: ignoring it could do more than is wanted.
 */
export function readCallOptions<Options extends CallOptions>(
  options = {} as Options,
  ...names: readonly (keyof Options & keyof typeof callChecks)[]
): Options {
  const checks = ['signal' as const, ...names].map((name) => [name, callChecks[name]] as const);
  return readOptions(options, Object.fromEntries(checks));
}

/** The headers and the signal of a write. @throws {TypeError} As {@link readCallOptions} does. */
export function writeOptions(
  options: RevertOptions | undefined,
  ...names: readonly (keyof RevertOptions & keyof typeof callChecks)[]
): Pick<Exchange, 'headers' | 'signal'> {
  const { ifMatch, ifNoneMatch, batch, signal } = readCallOptions(options, ...names);
  return {
    headers: {
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
      ...(batch !== undefined && { Batch: batch }),
    },
    signal,
  };
}

function readOptions<Options extends object>(
  options: Options,
  checks: Readonly<Record<string, Check>>,
): Options {
  if (typeof options !== 'object' || options === (null as unknown) || Array.isArray(options))
    throw new TypeError('options: expected an object such as { signal }');
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      throw new TypeError(`options.${name}: unknown option; expected ${Object.keys(checks).join(', ')}`);
    if (value !== undefined) ensure(`options.${name}`, value, check);
  }
  return { ...options };
}

function ensure(name: string, value: unknown, [isValid, expected]: Check): void {
  if (!isValid(value)) throw new TypeError(`${name}: expected ${expected}`);
}

/** A tag. @throws {TypeError} It is not one. */
export function checkTag(tag: string): string {
  ensure('tag', tag, isTag);
  return tag;
}

/** The id of a batch. @throws {TypeError} It is not one. */
export function checkBatch(batch: string): string {
  ensure('batch', batch, isBatchId);
  return batch;
}
