import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ShelflistError } from '../catalogue/errors.ts';
import { isDeepStrictEqual } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A value and where it came from, for messages: `flag --port`, `environment PORT`, `.env PORT`, `default`. */
export interface Setting<T> {
  readonly value: T;
  readonly source: string;
}

/**
 * Finds the value of a variable, or of the file that `X_FILE` names (a container secret). Empty counts as not set.
 *
 * @param place Where the variables come from, for messages: `environment`, `.env`.
 * @throws {ShelflistError} `config`: the file cannot be read, or both are set.
 */
export async function findVariable(
  variable: string,
  env: Environment,
  place: string,
  directory: string,
): Promise<Setting<string> | undefined> {
  const direct = env[variable];
  const file = env[`${variable}_FILE`];
  if (direct && file)
    throw configError(`${variable} and ${variable}_FILE are both set (${place}); keep one of them`);
  if (direct) return { value: direct, source: `${place} ${variable}` };
  if (!file) return undefined;
  const path = resolve(directory, file);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw configError(`cannot read ${path}, the file that ${variable}_FILE names (${errorCode(error)})`);
  });
  const value = text.replace(/\r?\n$/, '');
  return value === '' ? undefined : { value, source: `${place} ${variable}_FILE` };
}

/** The variables of the `.env` in a folder; `undefined` if the file does not exist. */
export async function readDotenv(directory: string): Promise<Environment | undefined> {
  const path = join(directory, '.env');
  try {
    const isPipe = (await stat(path)).isFIFO(); // Reading waits for a writer, which may never come.
    if (isPipe) throw configError(`cannot read ${path}: it is a named pipe; replace it by a file`);
    return await parseDotenv(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof ShelflistError) throw error;
    if (errorCode(error) === 'ENOENT') return undefined;
    throw configError(`cannot read ${path} (${errorCode(error)}); check its owner and mode`);
  }
}

/** Of a `.env`, in characters. */
const maxLength = 64 * 1024;
/** The time of dotenv 17 is quadratic in a run of white space: 50,000 empty lines take ten seconds (`LINE` in lib/main.js). */
const longGap = /\s{1000}/;

/**
 * The variables in the text of a `.env`. The folder may belong to somebody else, so its file must not stop a command.
 *
 * @throws {ShelflistError} `config`: it is too long, or has too many empty lines.
 */
export async function parseDotenv(text: string): Promise<Record<string, string>> {
  if (text.length > maxLength)
    throw configError(`cannot read .env: it is longer than ${maxLength / 1024} KiB; shorten it`);
  if (longGap.test(text))
    throw configError('cannot read .env: 1,000 spaces or empty lines follow each other; remove them');
  const { parse } = await import('dotenv'); // Pure: it changes no process.env, and prints nothing.
  return parse(text);
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}

export function configError(message: string): ShelflistError {
  return new ShelflistError('config', { message });
}

/** An assignment as dotenv reads it, except that a value without quotes goes on after `#`, where dotenv cuts it. */
const assignment =
  /^[^\S\n]*(?:export\s+)?([\w.-]+)(?:[^\S\n]*=[^\S\n]*?|:[^\S\n]+?)([^\S\n]*'(?:\\'|[^'])*'|[^\S\n]*"(?:\\"|[^"])*"|[^\S\n]*`(?:\\`|[^`])*`|[^\r\n]+)?[^\S\r\n]*(?:#[^\r\n]*)?(?=\r?$)/gm;

/**
 * The variables of a `.env` whose value without quotes has a `#` right after another character. dotenv takes the rest for a
 * comment, which is rarely meant: `AUTH_PASSWORD=abc#def` is `abc`. After a space, `#` begins a comment.
 */
export function findCutVariables(text: string): string[] {
  return [...text.matchAll(assignment)]
    .filter(([, , value = '']) => {
      const isQuoted = /^\s*(['"`])[^]*\1\s*$/.test(value);
      return !isQuoted && /^(?:[^#]*[^\s#])?#/.test(value);
    })
    .map(([, name = '']) => name);
}

/** The numbers of the lines of a `.env` that dotenv ignores, but that are neither empty nor a comment: one without `=`. */
export function findIgnoredLines(text: string): number[] {
  const rest = text.replace(assignment, (found) => found.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, i) => (/^\s*(#|$)/.test(line) ? [] : [i + 1]));
}

/**
 * The text of a `.env` with another value of a variable. All other lines stay as they are.
 *
 * @returns `undefined` if no kind of quotes can hold the value.
 */
export async function replaceVariable(
  text: string,
  name: string,
  value: string,
): Promise<string | undefined> {
  const expected = { ...(await parseDotenv(text)), [name]: value };
  const last = [...text.matchAll(assignment)].findLast((found) => found[1] === name);
  const [start, end] =
    last === undefined ? [text.length, text.length] : [last.index, last.index + last[0].length];
  const before = text.slice(0, start);
  const separator = last !== undefined || before === '' || before.endsWith('\n') ? '' : '\n';
  for (const quote of ["'", '`', '"'].filter((each) => !value.includes(each))) {
    const changed = `${before}${separator}${name}=${quote}${value}${quote}${text.slice(end) || '\n'}`;
    if (isDeepStrictEqual(await parseDotenv(changed), expected)) return changed;
  }
  return undefined;
}
