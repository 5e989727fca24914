import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, lstat, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError, isFailure } from '../command-error.ts';
import { isGzipName } from '../../formats/file-formats.ts';
import type { BackupReport } from '../../store/contract/driver.ts';
import { backUpStore, backupSeries, inspectStore, noteBackup } from '../../store/drivers.ts';
import { addDryRun, addJsonOption } from '../arguments.ts';
import { addDatabaseOption, warnOfDamaged, withDatabase } from '../database.ts';
import { cannotSave, withTemporaryFolder } from '../ui/backup-file.ts';
import { withInterrupt } from '../ui/interrupt.ts';
import { counted, notice, paragraph, type Io, write, writeJson } from '../io.ts';
import { findOutputFile } from '../ui/output-file.ts';

const help = `
${paragraph(
  'Run it in the folder of the service, or with its --database-url. The service may keep running: the file is a consistent ' +
    'snapshot of the books, their ids and the id counter, and is checked. It gets its name only when it is complete. A name that ' +
    'ends in .gz is compressed; - is standard output. `shelflist restore` creates a store from it.',
)}
${paragraph(
  'With --keep, the argument is a folder. The name of each backup contains its time and identifies the store. Once the new ' +
    'backup is complete, the oldest of this store beyond the number are removed; before it, what killed backups left more ' +
    'than 12 hours ago. Other files, and the backups of other stores, stay.',
)}
Examples:
  $ shelflist backup books.backup
  $ shelflist backup backups --keep 30
  $ shelflist backup backups --keep 30 --dry-run
  $ shelflist backup "books-$(date +%F).backup.gz" --json
  $ shelflist backup - | ssh backup.example.org 'cat > books.backup'
  $ shelflist backup /mnt/copies/books.backup --force --database-url file:/var/lib/shelflist`;

interface BackupOptions {
  databaseUrl?: string;
  force?: boolean;
  keep?: number;
  json?: boolean;
  dryRun?: boolean;
}

export function defineBackup(command: Command, io: Io): void {
  addDryRun(addJsonOption(addDatabaseOption(command)))
    .argument('<file>', 'the file to write, - for standard output, or a folder with --keep')
    .option('--force', 'replace an existing file')
    .option('--keep <count>', 'write to a folder, and keep this number of backups in it', parseKeep)
    .addHelpText('after', help)
    .action((file: string, options: BackupOptions) => backUp(io, file, options));
}

function parseKeep(value: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('expected a whole number from 1 to 999999');
}

async function backUp(io: Io, target: string, options: BackupOptions): Promise<void> {
  const { force = false, keep, json = false } = options;
  if (target === '-' && (json || keep !== undefined || io.stdout.isTTY === true))
    throw new CommandError('usage', {
      message:
        json || keep !== undefined
          ? '--json and --keep need a file or a folder, not standard output'
          : 'a terminal cannot show a backup: name a file, or redirect standard output',
    });
  if (options.dryRun === true) {
    await describeBackup(io, target, options);
    return;
  }
  const begun = Date.now();
  const isFolder = keep !== undefined && (await removeLeftovers(resolve(io.directory, target)));
  const run = (signal: AbortSignal) =>
    withDatabase(io, options.databaseUrl, async (url) => {
      const series = isFolder ? await backupSeries(url) : ''; // Where there is none, the backup fails.
      const file = keep === undefined ? target : join(target, newName(new Date(), series));
      const report =
        target === '-' ? await writeTo(io, url, signal) : await writeFile(io, url, { file, force, signal });
      await noteBackup(url).catch((error: unknown) => {
        notice(
          io,
          `warning: the backup is good, but its time cannot be recorded: ${(error as Error).message}`,
        );
      });
      return { report, file, series };
    });
  const {
    report: contents,
    file,
    series,
  } = await withInterrupt(io, run, {
    ifStopped: 'interrupted before the backup was complete',
  });
  const removed =
    keep === undefined ? [] : await removeOldest(io, target, { keep, series, written: basename(file) });
  if (json) {
    await writeJson(io, { file, ...contents, ...(keep !== undefined && { removed }) });
    return;
  }
  const { books, lastId } = contents;
  warnOfDamaged(io, contents);
  if (contents.foreign !== undefined)
    notice(
      io,
      `warning: the backup is complete, but cannot be restored as it is: ${contents.foreign}, and back up again`,
    );
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  const place = target === '-' ? 'standard output' : file;
  notice(io, `backed up ${counted(books, 'book')} to ${place} in ${seconds} s; the last id is ${lastId}`);
  if (removed.length > 0) notice(io, `removed ${removed.join(', ')}`);
}

/** Says what a backup would do. */
async function describeBackup(io: Io, target: string, options: BackupOptions): Promise<void> {
  const { databaseUrl, force = false, keep, json = false } = options;
  await withDatabase(io, databaseUrl, async (url) => {
    const store = await inspectStore(url);
    if (store === undefined)
      throw new CommandError('failed', {
        message: 'there is no store; name the folder of the service by --database-url or DATABASE_URL',
      });
    const [problem] = store.problems;
    if (problem !== undefined)
      throw new CommandError('failed', {
        message: `the store is damaged: ${problem}; see \`shelflist doctor\``,
      });
    const series = keep === undefined ? '' : await backupSeries(url);
    const file = keep === undefined ? target : join(target, newName(new Date(), series));
    if (target !== '-') await checkWritable(io, file, force);
    const removed =
      keep === undefined ? [] : await findOldest(io, target, { keep, series, written: basename(file) });
    const { lastId } = store;
    if (json) {
      await writeJson(io, { dryRun: true, file, lastId, ...(keep !== undefined && { removed }) });
      return;
    }
    const place = target === '-' ? 'standard output' : file;
    notice(io, `would back up the store, whose last id is ${lastId}, to ${place}`);
    if (removed.length > 0) notice(io, `would remove ${removed.join(', ')}`);
  });
}

const otherwise = '; name a file in it, or keep backups there with --keep 30';

/** @throws {CommandError} `failed`: the file exists, or its folder cannot be written. */
async function checkWritable(io: Io, file: string, replace: boolean): Promise<void> {
  await findOutputFile(io, file, { replace, otherwise });
  const folder = dirname(resolve(io.directory, file));
  await access(folder, constants.W_OK).catch((cause: unknown) => {
    const { code = 'unknown reason' } = cause as NodeJS.ErrnoException;
    throw new CommandError('failed', { message: `cannot write to the folder ${folder} (${code})`, cause });
  });
}

async function writeFile(
  io: Io,
  url: string,
  { file, force, signal }: { file: string; force: boolean; signal: AbortSignal },
): Promise<BackupReport> {
  const output = await findOutputFile(io, file, { replace: force, otherwise });
  const plain = isGzipName(file) ? `${output.draft}.plain` : output.draft;
  try {
    const contents = await output.attempt(async () => {
      const report = await backUpStore(url, plain);
      if (plain !== output.draft) await compress(plain, output.draft, signal);
      return report;
    });
    signal.throwIfAborted();
    await output.keep();
    return contents;
  } catch (error) {
    await output.drop();
    throw error;
  } finally {
    if (plain !== output.draft)
      for (const end of ['', '-journal']) await rm(plain + end, { force: true }).catch(() => undefined);
  }
}

async function compress(plain: string, file: string, signal: AbortSignal): Promise<void> {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await pipeline(createReadStream(plain), createGzip(), output, { signal });
}

/** Writes a backup to standard output, through a private temporary file, so that it is checked first. */
function writeTo(io: Io, url: string, signal: AbortSignal): Promise<BackupReport> {
  return withTemporaryFolder(async (folder) => {
    const plain = join(folder, 'backup');
    const contents = await backUpStore(url, plain).catch((error: unknown) => {
      throw isFailure(error) ? error : cannotSave(error as NodeJS.ErrnoException);
    });
    for await (const chunk of createReadStream(plain)) {
      signal.throwIfAborted();
      if (!(await write(io, chunk as Uint8Array)))
        throw new CommandError('failed', {
          message: 'standard output was closed before the end of the backup',
        });
    }
    return contents;
  });
}

/** The names that `--keep` gives, with the series of the store. They sort by time. */
const ownName = /^shelflist-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-([0-9a-f]{8})\.backup\.gz$/;

/** The temporary names of these, with what they need besides. */
const leftoverName = /^(.+)\.[a-z0-9]{1,8}\.tmp(?:\.plain)?(?:-journal)?$/;
/** A backup that still runs has written to its files since. */
const leftoverMs = 12 * 3_600_000;

/** Removes what killed backups left, which may be as large as the store; returns `false` if the folder cannot be read. */
async function removeLeftovers(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => undefined);
  for (const name of names ?? []) {
    if (!ownName.test(leftoverName.exec(name)?.[1] ?? '')) continue;
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs > leftoverMs)
      await rm(join(folder, name)).catch(() => undefined); // Another user's, for example.
  }
  return names !== undefined;
}

function newName(time: Date, series: string): string {
  return `shelflist-${time.toISOString().replaceAll(/[:.]/g, '-')}-${series}.backup.gz`;
}

interface Series {
  readonly keep: number;
  /** What identifies the backups of the store. */
  readonly series: string;
  /** The name of the new one. */
  readonly written: string;
}

/**
 * The oldest backups of a store in a folder beyond a number. A later time than that of the new one comes from a wrong clock: such
 * backups go first, and the new one never.
 */
async function findOldest(io: Io, target: string, { keep, series, written }: Series): Promise<string[]> {
  const folder = resolve(io.directory, target);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && ownName.exec(entry.name)?.[1] === series)
    .map(({ name }) => name)
    .sort();
  const others = [...names.filter((name) => name > written), ...names.filter((name) => name < written)];
  return others.slice(0, Math.max(0, others.length + 1 - keep));
}

/** Removes these backups; returns their names. Failures are warnings: the new backup is complete. */
async function removeOldest(io: Io, target: string, series: Series): Promise<string[]> {
  const folder = resolve(io.directory, target);
  const removed: string[] = [];
  for (const name of await findOldest(io, target, series)) {
    try {
      await rm(join(folder, name), { force: true }); // Another backup may have removed it.
      removed.push(name);
    } catch (error) {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      notice(
        io,
        `warning: the backup is good, but the older backup ${name} cannot be removed (${code}); delete it`,
      );
    }
  }
  return removed;
}
