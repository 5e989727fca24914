import type { Command } from 'commander';
import { createSettingFinder } from '../config.ts';
import { ShelflistError } from '../errors.ts';
import { parseStoreAddress } from '../store/address.ts';
import type { Io } from './io.ts';

/** For a command that opens the store itself. */
export function addDatabaseOption(command: Command): Command {
  return command.option(
    '-d, --database-url <url>',
    'where the books are; an address with a password belongs in DATABASE_URL',
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
  const { env, directory } = io;
  const find = await createSettingFinder({ flags: { DATABASE_URL: databaseUrl }, env, directory });
  const { value = '', source = '' } = (await find('DATABASE_URL')) ?? {};
  checkAddress(value, source);
  return action(value);
}

function checkAddress(url: string, source: string): void {
  try {
    parseStoreAddress(url);
  } catch (error) {
    throw new ShelflistError('config', {
      message: `DATABASE_URL (${source}) ${(error as TypeError).message}`,
    });
  }
}
