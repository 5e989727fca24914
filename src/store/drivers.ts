import { ArgumentError, ShelflistError } from '../catalogue/errors.ts';
import type { CopySource, CopyTarget } from './contract/copy.ts';
import type { BackupReport, Driver, StoreReport } from './contract/driver.ts';
import { checkMongoUrl } from './mongodb/address.ts';
import { parseFileUrl } from './sqlite/address.ts';
import { completeStore, type Completion } from './complete.ts';
import type { OpenedStore, StoreOptions } from './contract/store.ts';

/** One kind of store. To add a kind, add a folder and a row here. */
interface Row {
  /** The prefix of its addresses. */
  readonly prefixes: readonly string[];
  /** An example address, for messages. */
  readonly example: string;
  /** Checks an address without loading the driver. @throws {TypeError} */
  readonly check?: (url: string) => unknown;
  readonly load: () => Promise<Driver>;
  /** Its backup tools, if the driver has no backup. */
  readonly tools?: { readonly backup: string; readonly restore: string };
}

const rows: readonly Row[] = [
  {
    prefixes: ['file:'],
    example: 'file:PATH',
    check: parseFileUrl,
    load: async () => (await import('./sqlite/driver.ts')).sqliteDriver,
  },
  {
    prefixes: ['mongodb://', 'mongodb+srv://'],
    example: 'mongodb://HOST/DATABASE',
    check: checkMongoUrl,
    load: async () => (await import('./mongodb/driver.ts')).mongodbDriver,
    tools: { backup: 'mongodump', restore: 'mongorestore' },
  },
  {
    prefixes: ['memory:'],
    example: 'memory:NAME',
    load: async () => (await import('./memory/driver.ts')).memoryDriver,
  },
];

/**
 * Checks that an address names a store; loads no driver.
 *
 * @throws {TypeError} The message never repeats the address: it may hold a password.
 */
export function checkStoreUrl(url: string): void {
  findRow(url);
}

/**
 * Opens the store that an address names.
 *
 * @param url `file:PATH`, `mongodb://…`, `mongodb+srv://…` or `memory:`, as in the setting `DATABASE_URL`.
 * @throws {TypeError} The address is none of these, or an option is unknown.
 * @throws {ShelflistError} `store_unusable`: it cannot be reached (within 5 s) or prepared. The message says what to do.
 *
 * @example
 * const store = await openStore('file:./data');
 * const book = await store.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
 * await store.close();
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<OpenedStore> {
  checkOptions(options);
  return openCompleteStore(url, options, { isUntyped: true });
}

const optionNames: Readonly<Record<keyof StoreOptions, true>> = {
  logger: true,
  historyDays: true,
  historyMaxBytes: true,
  sortArticles: true,
  sortNames: true,
};

/** Checks the names of options, for callers without types: a misspelt one would be ignored. */
function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw new ArgumentError('options: expected an object');
  for (const name of Object.keys(options))
    if (!Object.hasOwn(optionNames, name))
      throw new ArgumentError(
        `options.${name}: unknown option; expected ${Object.keys(optionNames).join(', ')}`,
      );
}

/** {@link openStore} for a caller that says what it passes: the service has parsed what it received. */
export async function openCompleteStore(
  url: string,
  options: StoreOptions = {},
  completion: Completion = {},
): Promise<OpenedStore> {
  const store = await (await load(url)).open(url, options);
  return { ...completeStore(store, completion), [Symbol.asyncDispose]: () => store.close() };
}

/** As {@link Driver.inspect}. @throws {TypeError} The address names no store. */
export async function inspectStore(url: string): Promise<StoreReport | undefined> {
  return (await load(url)).inspect(url);
}

/** As {@link Driver.redact}. @throws {TypeError} The address names no store. */
export async function redactStoreUrl(url: string): Promise<string> {
  return (await load(url)).redact(url);
}

/** Whether {@link backUpStore} can copy this kind of store. */
export async function canBackUp(url: string): Promise<boolean> {
  return (await load(url)).backup !== undefined;
}

/** As {@link Driver.backup}. @throws {ShelflistError} `store_unusable`: this kind of store has a separate tool. */
export async function backUpStore(url: string, file: string): Promise<BackupReport> {
  const driver = await load(url);
  if (driver.backup === undefined) throw unsupported(url, 'backup');
  return driver.backup(url, file);
}

/** As {@link Driver.backupSeries}. @throws {ShelflistError} `store_unusable`: this kind of store has a separate tool. */
export async function backupSeries(url: string): Promise<string> {
  const driver = await load(url);
  if (driver.backupSeries === undefined) throw unsupported(url, 'backup');
  return driver.backupSeries(url);
}

/** As {@link Driver.noteBackup}. */
export async function noteBackup(url: string): Promise<void> {
  await (await load(url)).noteBackup?.(url);
}

/** Refuses a kind of store that has a separate tool for restoring. @throws {ShelflistError} `store_unusable` */
export async function checkRestorable(url: string): Promise<void> {
  if ((await load(url)).restore === undefined) throw unsupported(url, 'restore');
}

/** As {@link Driver.restore}. @throws {ShelflistError} `store_unusable`: this kind of store has a separate tool. */
export async function restoreStore(
  file: string,
  url: string,
  signal: AbortSignal,
  name = file,
): Promise<BackupReport> {
  const driver = await load(url);
  if (driver.restore === undefined) throw unsupported(url, 'restore');
  return driver.restore(file, url, signal, name);
}

/** Opens a store or a backup to copy it. @throws {ShelflistError} `store_unusable`: it cannot be opened, or copied. */
export async function openCopySource(from: string | { file: string; name: string }): Promise<CopySource> {
  if (typeof from === 'object') return (await import('./sqlite/copy.ts')).openBackup(from.file, from.name);
  const driver = await load(from);
  if (driver.openSource === undefined) throw uncopied();
  return driver.openSource(from);
}

/** Opens an empty store for a copy. @throws As {@link openCopySource}. */
export async function openCopyTarget(url: string): Promise<CopyTarget> {
  const driver = await load(url);
  if (driver.openTarget === undefined) throw uncopied();
  return driver.openTarget(url);
}

/** As {@link Driver.checkTarget}. @throws As {@link openCopyTarget}. */
export async function checkCopyTarget(url: string): Promise<void> {
  const driver = await load(url);
  if (driver.checkTarget === undefined) throw uncopied();
  return driver.checkTarget(url);
}

function uncopied(): ShelflistError {
  return new ShelflistError('store_unusable', {
    message: 'books in memory cannot be copied: only their process has them',
  });
}

/**
 * Examines a backup of the embedded store.
 *
 * @param name Its name for errors.
 * @throws {ShelflistError} `store_unusable`: it is damaged, or not a backup.
 */
export async function verifyBackup(file: string, name: string): Promise<BackupReport> {
  return (await import('./sqlite/backup.ts')).verify(file, name);
}

function load(url: string): Promise<Driver> {
  try {
    return findRow(url).load();
  } catch (error) {
    throw new ArgumentError(`the database address ${(error as TypeError).message}`, { cause: error });
  }
}

function findRow(url: string): Row {
  if (typeof url !== 'string') throw new ArgumentError('is not a text');
  if (/^['"\s]|^(?!file:).*['"]$/s.test(url))
    throw new ArgumentError('has quotes or spaces around it; remove them');
  const row = rows.find(({ prefixes }) => prefixes.some((prefix) => url.startsWith(prefix)));
  if (row === undefined) {
    const examples = rows.map(({ example }) => example);
    throw new ArgumentError(`is none of these: ${examples.join(', ')}`);
  }
  row.check?.(url);
  return row;
}

function unsupported(url: string, action: 'backup' | 'restore'): ShelflistError {
  const { tools, example } = findRow(url);
  const advice =
    tools === undefined ? 'it exists only in memory' : `use ${tools[action]}, or \`shelflist copy\``;
  return new ShelflistError('store_unusable', { message: `cannot ${action} ${example} here: ${advice}` });
}
