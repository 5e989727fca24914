import type { Command } from 'commander';
import { createSettingFinder, type Setting } from '../config.ts';
import { ShelflistError } from '../errors.ts';
import type { BackupReport } from '../store/driver.ts';
import { checkStoreUrl } from '../store/drivers.ts';
import { counted, notice, type Io } from './io.ts';

/** For a command that opens the store itself. */
export function addDatabaseOption(command: Command, what = 'where the books are'): Command {
  return command.option(
    '-d, --database-url <url>',
    `${what}; an address with a password belongs in DATABASE_URL`,
  );
}

/** @throws {ShelflistError} `usage`: there is a password in what every user of the machine can read. */
export function refusePassword(databaseUrl: string | undefined): void {
  if (databaseUrl === undefined || !/^(?!file:)[^/]*:\/\/.*@/.test(databaseUrl)) return;
  throw new ShelflistError('usage', {
    message: 'a database address with a password is no argument: every user could read it; set DATABASE_URL',
  });
}

/**
 * Does something with the store that the option names, or else the settings of the service.
 *
 * @throws {ShelflistError} `config`: what is set names no store.
 */
export async function withDatabase<T>(
  io: Io,
  databaseUrl: string | undefined,
  action: (url: string) => Promise<T>,
): Promise<T> {
  refusePassword(databaseUrl);
  const { value, source } = await findDatabase(io, databaseUrl);
  checkAddress(value, source);
  return action(value);
}

async function findDatabase(
  { env, directory }: Io,
  databaseUrl: string | undefined,
): Promise<Setting<string>> {
  // A `.env` that this user cannot read is of no matter where nothing in it is needed.
  if (databaseUrl) return { value: databaseUrl, source: 'flag --database-url' };
  const find = await createSettingFinder({ env, directory });
  return (await find('DATABASE_URL')) ?? { value: '', source: 'not set' };
}

function checkAddress(url: string, source: string): void {
  try {
    checkStoreUrl(url);
  } catch (error) {
    throw new ShelflistError('config', {
      message: `DATABASE_URL (${source}) ${(error as TypeError).message}`,
    });
  }
}

/** Warns about records that are not books: a backup contains them too. */
export function warnOfDamaged(io: Io, { damaged }: BackupReport): void {
  const [first] = damaged;
  if (first === undefined) return;
  notice(
    io,
    damaged.length === 1
      ? `record ${first} is not a book; lists and searches leave it out`
      : `${counted(damaged.length, 'record')} are not books (first: ${first}); lists and searches leave them out`,
  );
}
