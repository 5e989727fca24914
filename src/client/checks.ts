import { isBatch } from '../catalogue/batch.ts';
import { isPosition } from '../catalogue/changes.ts';
import type { ClientOptions } from './options.ts';

/** Whether a value is right, and what is expected instead. */
type Check = readonly [isValid: (value: unknown) => boolean, expected: string];

const hasType = (type: string): Check => [(value) => typeof value === type, `a ${type}`];
const isText = hasType('string');
const isFunction = hasType('function');
/** A signal of another realm, as test runners have them, is none by `instanceof`. */
const isSignal: Check = [(value) => 'aborted' in Object(value), 'an AbortSignal'];
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
    'visible ASCII characters, or a function',
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

const callChecks = {
  signal: isSignal,
  ifMatch: isTag,
  ifNoneMatch: [(value) => value === '*', '*'],
  batch: isBatchId,
  idempotencyKey: [
    (value) => typeof value === 'string' && /^[!-~]{1,64}$/.test(value),
    '1 to 64 visible ASCII characters',
  ],
  version: [isText[0], 'a string from history()'],
  after: [(value) => typeof value === 'string' && isPosition(value), 'the position of an event'],
  onProgress: isFunction,
} as const satisfies Readonly<Record<string, Check>>;

/** @throws {TypeError} An option is unknown or has the wrong type. */
export function readClientOptions(options: ClientOptions): ClientOptions {
  return readOptions(options, clientChecks);
}

/** The name of an option of a call. */
export type CallOption = keyof typeof callChecks;

/**
 * A copy of the options of a call, checked. Apps without TypeScript may pass anything.
 *
 * @param names The options that it may have besides `signal`.
 * @throws {TypeError} An option is unknown or has the wrong type: ignoring it could do more than is wanted.
 */
export function checkCallOptions<Options extends object | undefined>(
  options: Options,
  names: readonly CallOption[] = [],
): Options {
  if (options === undefined) return options;
  const checks = ['signal' as const, ...names].map((name) => [name, callChecks[name]] as const);
  return readOptions(options, Object.fromEntries(checks));
}

function readOptions<Options extends object>(
  options: Options,
  checks: Readonly<Record<string, Check>>,
): Options {
  if (typeof options !== 'object' || options === (null as unknown) || Array.isArray(options))
    throw new TypeError('options: expected an object');
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

/** @throws {TypeError} It is not a tag. */
export function checkTag(tag: unknown): void {
  ensure('tag', tag, isTag);
}
