import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { codeOf, isMissing, missingTarget } from '../lib/missing.ts';
import { findShellSyntax } from '../lib/shell-syntax.ts';
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
 * @throws {ConfigError} The file cannot be read, or both are set.
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
    throw new ConfigError(`${variable} and ${variable}_FILE are both set (${place}); keep one of them`);
  if (direct) return { value: direct, source: `${place} ${variable}` };
  if (!file) return undefined;
  const path = resolve(directory, file);
  const bytes = await readFile(path).catch((error: unknown) => {
    const word = findShellSyntax(file);
    const advice = word === undefined ? '' : `; only a shell expands ${word}: write the full path`;
    throw new ConfigError(
      `cannot read ${path}, the file that ${variable}_FILE names (${codeOf(error)})${advice}`,
    );
  });
  const value = decode(path, bytes).replace(/\r?\n$/, '');
  return value === '' ? undefined : { value, source: `${place} ${variable}_FILE` };
}

/**
 * The variables of the `.env` in a folder; `undefined` if there is none.
 *
 * @throws {ConfigError} It cannot be read. A command that continues without it could reach another service.
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
    if (isPipe) throw new ConfigError(`cannot read ${path}: it is a named pipe; replace it by a file`);
    return decode(path, await readFile(path));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (isMissing(path, error)) return undefined;
    throw unreadable(path, error);
  }
}

/** The text of a file, without a byte order mark. @throws {ConfigError} It is UTF-16, which `>` in Windows PowerShell writes. */
function decode(path: string, bytes: Buffer): string {
  const [first, second, third, fourth] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasMark || (second === 0 && fourth === 0) || (first === 0 && third === 0))
    throw new ConfigError(`cannot read ${path}: it is UTF-16; save it as UTF-8`);
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** The error for a configuration file that exists but cannot be read. */
export function unreadable(path: string, error: unknown): ConfigError {
  const target = missingTarget(path);
  return new ConfigError(
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
 * @throws {ConfigError} It is too long, or has too many empty lines.
 */
export async function parseDotenv(text: string): Promise<Record<string, string>> {
  if (text.length > maxLength)
    throw new ConfigError(`cannot read .env: it is longer than ${maxLength / 1024} KiB; shorten it`);
  if (longGap.test(text))
    throw new ConfigError('cannot read .env: 1,000 spaces or empty lines follow each other; remove them');
  const { parse } = await import('dotenv'); // Pure: it changes no process.env, and prints nothing.
  return parse(text);
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

/** A value of a `.env` that dotenv does not read as it is meant. */
interface Misread {
  readonly name: string;
  readonly finding: string;
  readonly fix: string;
}

/** Finds these values by the way they are written. The messages never contain the value, which may be a secret. */
export function findMisreadVariables(text: string): Misread[] {
  return [...text.matchAll(assignment)].flatMap(([, name = '', written = '']) => {
    const value = written.trim();
    const [, quote = '', inside = ''] = /^(['"`])([^]*)\1$/.exec(value) ?? [];
    const problem = quote === '' ? problemOfPlain(value) : problemOfQuoted(quote, inside);
    return problem === undefined
      ? []
      : [{ name, finding: `${problem[0].replace('{name}', name)} in .env`, fix: problem[1](name) }];
  });
}

type Problem = readonly [finding: string, fix: (name: string) => string];

const singleQuotes = (name: string) => `write it in single quotes: ${name}='…'`;
const plainQuotes = (name: string) => `write plain quotes on both sides: ${name}='…'`;

function problemOfPlain(value: string): Problem | undefined {
  if (/^['"`]|['"`]$/.test(value)) return ['a quote is part of the value of {name}', plainQuotes];
  if (/^[‘’‚‛“”„‟«»‹›′″＂＇]|[‘’‚‛“”„‟«»‹›′″＂＇]$/.test(value))
    return ['typographic quotes are part of the value of {name}', plainQuotes];
  return undefined;
}

function problemOfQuoted(quote: string, inside: string): Problem | undefined {
  if (inside.startsWith('-----BEGIN')) return undefined; // A certificate or a key has line breaks.
  if (/[\r\n]/.test(inside))
    return ['the value of {name} has several lines', (name) => `close its quotes on the line of ${name}`];
  if (inside.includes(`\\${quote}`))
    return [
      'a backslash before a quote is part of the value of {name}',
      (name) => `write it in other quotes: ${name}=${quote === "'" ? '"…"' : "'…'"}`,
    ];
  if (quote === '"' && /\\[nr]/.test(inside))
    return ['\\n and \\r in double quotes are line breaks in the value of {name}', singleQuotes];
  return undefined;
}

/** The numbers of the lines of a `.env` that dotenv ignores, but that are neither empty nor a comment: one without `=`. */
export function findIgnoredLines(text: string): number[] {
  const rest = text.replace(assignment, (found) => found.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, i) => (/^\s*(#|$)/.test(line) ? [] : [i + 1]));
}

/**
 * The text of a `.env` with another value of a variable. All other lines stay as they are.
 *
 * @param quotes The kinds of quotes to choose from.
 * @returns `undefined` if none of them can hold the value.
 */
export async function replaceVariable(
  text: string,
  name: string,
  value: string,
  quotes: readonly string[] = ["'", '`', '"'],
): Promise<string | undefined> {
  const expected = { ...(await parseDotenv(text)), [name]: value };
  const last = [...text.matchAll(assignment)].findLast((found) => found[1] === name);
  const [start, end] =
    last === undefined ? [text.length, text.length] : [last.index, last.index + last[0].length];
  const before = text.slice(0, start);
  const exported = /^\s*export\s+/.exec(last?.[0] ?? '')?.[0] ?? '';
  const separator = last !== undefined || before === '' || before.endsWith('\n') ? '' : '\n';
  for (const quote of quotes.filter((each) => !value.includes(each))) {
    const changed = `${before}${separator}${exported}${name}=${quote}${value}${quote}${text.slice(end) || '\n'}`;
    if (isDeepStrictEqual(await parseDotenv(changed), expected)) return changed;
  }
  return undefined;
}
