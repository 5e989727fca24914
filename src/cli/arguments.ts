import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseId, type BookPatch } from '../book.ts';
import { defaultServiceUrl } from '../client/address.ts';
import { ShelflistError } from '../errors.ts';

/** For a command that talks to a service. */
export function addServiceOptions(command: Command): Command {
  return command
    .option(
      '--url <url>',
      `the service (default: SHELFLIST_URL, else that of .env, else ${defaultServiceUrl})`,
    )
    .option('-u, --username <name>', 'the user whose login to use (default: SHELFLIST_USERNAME)');
}

/** For a command whose result is no list of records. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'write the result, and errors, as JSON');
}

/** For a command whose result is records. */
export function addFormatOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'how to write the result').choices(['table', 'json', 'ndjson', 'csv']),
    )
    .addOption(
      new Option('--json', 'the same as --format json; errors come as JSON too').conflicts('format'),
    );
}

/** For a command that names a book's fields. */
export function addFieldOptions(command: Command): Command {
  return command
    .option('-t, --title <text>', 'the title')
    .option('-a, --author <text>', 'the author')
    .option('-y, --year <year>', 'the year, negative before our era: --year=-1750', parseYear);
}

/** The fields that were named. @throws {ShelflistError} `usage` when there are none. */
export function namedFields({ title, author, year }: BookPatch): BookPatch {
  if (title === undefined && author === undefined && year === undefined) {
    throw new ShelflistError('usage', { message: 'name at least one of --title, --author and --year' });
  }
  return {
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author }),
    ...(year !== undefined && { year }),
  };
}

/** One id. */
export function parseIdArgument(value: string): number {
  const id = parseId(value);
  if (id === undefined) throw new InvalidArgumentError('An id is a whole number from 1 to 2^53-1.');
  return id;
}

/** Several ids, one after the other. */
export function parseIds(value: string, previous: readonly number[] = []): number[] {
  return [...previous, parseIdArgument(value)];
}

/** A year. */
export function parseYear(value: string): number {
  const year = Number(value);
  if (/^-?[0-9]+$/.test(value) && Number.isSafeInteger(year)) return year;
  throw new InvalidArgumentError(
    'A year is a whole number from -(2^53-1) to 2^53-1, for example 1815 or -1750.',
  );
}

/** Adds to "Book not found" which one it was. */
export async function namingBook<T>(id: number, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (!(error instanceof ShelflistError) || error.code !== 'book_not_found') throw error;
    throw new ShelflistError('book_not_found', { message: `there is no book ${id}` });
  }
}
