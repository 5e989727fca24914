import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ShelflistError } from '../catalogue/errors.ts';

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
    const text = await readFile(path, 'utf8');
    const { parse } = await import('dotenv'); // Pure: it changes no process.env, and prints nothing.
    return parse(text);
  } catch (error) {
    if (error instanceof ShelflistError) throw error;
    if (errorCode(error) === 'ENOENT') return undefined;
    throw configError(`cannot read ${path} (${errorCode(error)}); check its owner and mode`);
  }
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}

export function configError(message: string): ShelflistError {
  return new ShelflistError('config', { message });
}
