import { Option, type Command } from 'commander';
import { createSettingFinder } from '../config/read-settings.ts';
import { flagName, rowOf, type SettingName } from '../config/settings.ts';
import { ConfigError } from '../config/config-error.ts';
import { CommandError } from './command-error.ts';
import type { BackupReport } from '../store/contract/driver.ts';
import { checkStoreUrl } from '../store/drivers.ts';
import { counted, notice, type Io } from './io.ts';

/** The flag of a setting; `undefined` if it has none. */
export function settingOption(name: SettingName): Option | undefined {
  const [letter, placeholder, help] = rowOf(name).flag ?? [];
  if (letter === undefined || placeholder === undefined) return undefined;
  return new Option(`-${letter}, ${flagName(name)} <${placeholder}>`, help);
}

/** Adds the option of a command that opens the store itself. */
export function addDatabaseOption(command: Command): Command {
  const option = settingOption('databaseUrl');
  return option ? command.addOption(option) : command;
}

/** @throws {CommandError} `usage`: the address on the command line, which every user can read, holds a password. */
export function refusePassword(databaseUrl: string | undefined): void {
  if (
    databaseUrl === undefined ||
    !/^(?!file:)[^/]*:\/\/(?:.*@|.*[?&][^#]*(?:password|token))/i.test(databaseUrl)
  )
    return;
  throw new CommandError('usage', {
    message:
      'the database address on the command line holds a password: every user of the machine could read it; set DATABASE_URL instead',
  });
}

/**
 * Runs an action with the address of the store: from the option, else from the settings of the service.
 *
 * @throws {ConfigError} The address is not that of a store.
 */
export async function withDatabase<T>(
  { env, directory }: Io,
  databaseUrl: string | undefined,
  action: (url: string) => Promise<T>,
): Promise<T> {
  refusePassword(databaseUrl);
  // An unreadable .env must not matter when the option names the store.
  const found = databaseUrl
    ? { value: databaseUrl, source: `flag ${flagName('databaseUrl')}` }
    : await (
        await createSettingFinder({ env, directory })
      )('databaseUrl');
  const { value, source } = found ?? { value: '', source: 'not set' };
  try {
    checkStoreUrl(value);
  } catch (error) {
    throw new ConfigError(`DATABASE_URL (${source}) ${(error as TypeError).message}`);
  }
  return action(value);
}

/** Describes records that are not books. `first` is the id of one of them. */
export function describeDamaged([first, ...others]: readonly number[]): string | undefined {
  if (first === undefined) return undefined;
  return others.length === 0
    ? `record ${first} is not a book; lists and searches leave it out`
    : `${counted(others.length + 1, 'record')} are not books (first: ${first}); lists and searches leave them out`;
}

/** Warns about records that are not books: a backup contains them too. */
export function warnOfDamaged(io: Io, { damaged }: BackupReport): void {
  const text = describeDamaged(damaged);
  if (text !== undefined) notice(io, text);
}
