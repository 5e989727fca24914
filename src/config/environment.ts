import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ShelflistError } from '../catalogue/errors.ts';
import { codeOf, isMissing, missingTarget } from '../lib/missing.ts';
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
    throw configError(`cannot read ${path}, the file that ${variable}_FILE names (${codeOf(error)})`);
  });
  const value = text.replace(/\r?\n$/, '');
  return value === '' ? undefined : { value, source: `${place} ${variable}_FILE` };
}

/**
 * The variables of the `.env` in a folder; `undefined` if there is none.
 *
 * @throws {ShelflistError} `config`: it cannot be read. A command that went on without it could reach another service.
 */
export async function readDotenv(directory: string): Promise<Environment | undefined> {
  const text = await readDotenvText(directory);
  return text === undefined ? undefined : parseDotenv(text);
}

/** The text of the `.env` in a folder, as {@link readDotenv} reads it. */
export async function readDotenvText(directory: string): Promise<string | undefined> {
  const path = join(directory, '.env');
  try {
    const isPipe = (await stat(path)).isFIFO(); // Reading waits for a writer, which may never come.
    if (isPipe) throw configError(`cannot read ${path}: it is a named pipe; replace it by a file`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof ShelflistError) throw error;
    if (isMissing(path, error)) return undefined;
    throw unreadable(path, error);
  }
}

/** The error of a file with a configuration that is there, but cannot be read. */
export function unreadable(path: string, error: unknown): ShelflistError {
  const target = missingTarget(path);
  return configError(
    target === undefined
      ? `cannot read ${path} (${codeOf(error)}); check its owner and mode`
      : `cannot read ${path}: it is a link to ${target}, which is missing; put that back, or remove the link`,
  );
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
