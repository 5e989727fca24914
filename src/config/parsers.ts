import { availableParallelism } from 'node:os';
import { isHost, isLoopback, isPathPrefix, isSocketPath } from '../lib/network.ts';

/** The valid values of a setting: as the text of a variable, and as an embedder passes them. */
export interface Parser<Value> {
  /** Returns `undefined` if the text is not valid. */
  readonly parse: (text: string) => Value | undefined;
  readonly isValid: (value: unknown) => value is Value;
  /** Completes the error message `PORT (environment PORT) is not …`. */
  readonly expected: string;
  /** Completes the error message `config.corsOrigins: expected …`, if it differs. */
  readonly expectedValue?: string;
}

/** A parser that reads any text, and then checks the value. */
function checked<Value>(
  expected: string,
  isValid: (value: unknown) => value is Value,
  read: (text: string) => unknown,
): Parser<Value> {
  const parse = (text: string) => {
    const value = read(text);
    return isValid(value) ? value : undefined;
  };
  return { parse, isValid, expected };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const text = checked('a string that is not empty', isText, (value) => value);

/** A line for people. */
export const line = checked(
  'a text of 1 to 100 characters, without line breaks',
  (value): value is string => isText(value) && /^(?!\s*$)[^\p{Cc}\u2028\u2029]{1,100}$/u.test(value),
  (value) => value,
);

export const host = checked(
  'a host name or address, such as 127.0.0.1, ::1 or 0.0.0.0 (every address), without http://, brackets or port',
  isHost,
  (value) => value,
);

export const socketPath = checked(
  'the absolute path of a socket, such as /run/shelflist/shelflist.sock, of at most 100 bytes',
  isSocketPath,
  (value) => value,
);

export const urlPath = checked('a path such as /catalogue', isPathPrefix, (value) => value);

/** Whether books can be looked up at an address: over https, or http on this machine, and without a password, which logs would show. */
function isLookupAddress(text: string): boolean {
  if (!/^https?:\/\/[^/?#{}\s]+[/?](?:[^#{}\s]|\{isbn\})*$/.test(text) || !text.includes('{isbn}'))
    return false;
  const address = text.replaceAll('{isbn}', '9780141439587');
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  return (protocol === 'https:' || isLoopback(hostname)) && username === '' && password === '';
}

export const lookupSource = checked(
  'off, openlibrary, or an https address with {isbn} (http for this machine alone), without a password',
  (value): value is string =>
    value === 'off' || value === 'openlibrary' || (typeof value === 'string' && isLookupAddress(value)),
  (value) => value,
);

export const boolean = checked(
  'true or false',
  (value) => typeof value === 'boolean',
  (value) => (/^(true|1)$/i.test(value) ? true : /^(false|0)$/i.test(value) ? false : undefined),
);

export function integer(min: number, max: number): Parser<number> {
  return checked(
    `a whole number from ${min} to ${max}`,
    (value): value is number =>
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    (value) => (/^[0-9]{1,16}$/.test(value) ? Number(value) : undefined),
  );
}

export function choice<Name extends string>(...names: readonly Name[]): Parser<Name> {
  return checked(
    `one of ${names.join(', ')}`,
    (value): value is Name => names.some((name) => name === value),
    (value) => value,
  );
}

/** A comma-separated list, or an array. Empty items of a list are ignored. */
export function list(
  isItem: (item: unknown) => boolean,
  items: string,
  maxItems = Infinity,
): Parser<readonly string[]> {
  const described = `${maxItems === Infinity ? '' : `at most ${maxItems} `}${items}`;
  return {
    ...checked(
      `a comma-separated list of ${described}`,
      (value): value is readonly string[] =>
        Array.isArray(value) && value.length <= maxItems && value.every(isItem),
      (value) =>
        value
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
    ),
    expectedValue: `an array of ${described}`,
  };
}

/** Exceeds the cores of the largest machines. */
const maxWorkers = 1024;
const processes = integer(1, maxWorkers);

/** A number of processes; `auto` is one per core. */
export const workerCount: Parser<number> = {
  parse: (value) => (value.toLowerCase() === 'auto' ? availableParallelism() : processes.parse(value)),
  isValid: processes.isValid,
  expected: `${processes.expected}, or auto`,
};
