import { availableParallelism } from 'node:os';
import { isPathPrefix } from '../lib/url-parts.ts';

/** Reads the text of a setting. */
export interface Parser<Value> {
  /** Returns `undefined` when the text is not what is expected. */
  readonly parse: (text: string) => Value | undefined;
  /** Completes the error message `PORT (environment PORT) is not …`. */
  readonly expected: string;
}

export const text: Parser<string> = { parse: (value) => value, expected: 'text' };

export const urlPath: Parser<string> = {
  parse: (value) => (isPathPrefix(value) ? value : undefined),
  expected: 'a path such as /catalogue',
};

export const boolean: Parser<boolean> = {
  parse: (value) => (/^(true|1)$/i.test(value) ? true : /^(false|0)$/i.test(value) ? false : undefined),
  expected: 'true or false',
};

export function integer(min: number, max: number): Parser<number> {
  return {
    parse: (value) => {
      const number = Number(value);
      return /^[0-9]{1,16}$/.test(value) && number >= min && number <= max ? number : undefined;
    },
    expected: `a whole number from ${min} to ${max}`,
  };
}

export function choice<Name extends string>(...names: readonly Name[]): Parser<Name> {
  return {
    parse: (value) => names.find((name) => name === value),
    expected: `one of ${names.join(', ')}`,
  };
}

/** Reads a comma-separated list. Empty items are ignored. */
export function list(
  isItem: (item: string) => boolean,
  items: string,
  maxItems = Infinity,
): Parser<readonly string[]> {
  return {
    parse: (value) => {
      const found = value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      return found.length <= maxItems && found.every(isItem) ? found : undefined;
    },
    expected: `a comma-separated list of ${maxItems === Infinity ? '' : `at most ${maxItems} `}${items}`,
  };
}

/** Exceeds the cores of the largest machines. */
const maxWorkers = 1024;

/** Reads a number of processes; `auto` is one per core. */
export const workerCount: Parser<number> = {
  parse: (value) =>
    value.toLowerCase() === 'auto' ? availableParallelism() : integer(1, maxWorkers).parse(value),
  expected: `a whole number from 1 to ${maxWorkers}, or auto`,
};
