import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { copyAll, type CopyReport, type CopySource } from '../../store/contract/copy.ts';
import {
  checkCopyTarget,
  checkStoreUrl,
  openCopySource,
  openCopyTarget,
  redactStoreUrl,
} from '../../store/drivers.ts';
import { addDryRun, addJsonOption } from '../arguments.ts';
import { refusePassword } from '../database.ts';
import { counted, notice, paragraph, programName, type Io, writeJson } from '../io.ts';
import { withPlainBackup } from '../ui/backup-file.ts';
import { withInterrupt } from '../ui/interrupt.ts';
import { createProgress } from '../ui/progress.ts';

const help = `
${paragraph(
  'Copies a catalogue to an empty store: the books with their ids, the id counter, history, trash and batches. FROM is a store ' +
    '(file:PATH or mongodb://…) or a file that `shelflist backup` has written; TO is a store. Put an address with a password ' +
    'into an environment variable, and write env:NAME: other users can read a command line.',
)}
${paragraph(
  'It is a copy of one moment: writes of a running service after it are not in it. The copy is read back at the end, and its ' +
    'digest must be that of the source. After an interruption, repeat the command; until it has ended, no service starts on the ' +
    'copy. A source of an older format is refused: start a service on it once, which migrates it; restore a backup before. ' +
    'MongoDB keeps the last 31 changes of a book, and states up to 32 KiB. Idempotency keys are not copied.',
)}
Examples:
  $ shelflist copy file:./data mongodb://db.example.org/books
  $ shelflist copy env:DATABASE_URL file:./copy --dry-run
  $ shelflist copy books.backup file:./restored --json`;

export function defineCopy(command: Command, io: Io): void {
  addDryRun(addJsonOption(command))
    .argument('<from>', 'the address of a store, env:NAME, or a backup')
    .argument('<to>', 'the address of an empty store, or env:NAME')
    .addHelpText('after', help)
    .action((from: string, to: string, options: CopyOptions) => copy(io, from, to, options));
}

interface CopyOptions {
  json?: boolean;
  dryRun?: boolean;
}

async function copy(
  io: Io,
  from: string,
  to: string,
  { json = false, dryRun = false }: CopyOptions,
): Promise<void> {
  const [source, target] = [addressOf(io, from), addressOf(io, to)];
  const place = (await redactStoreUrl(target)).replace(/^file:/, '');
  if (dryRun) {
    const books = await withInterrupt(
      io,
      (signal) => withSource(io, source, signal, (opened) => tryCopy(opened, target, signal)),
      { ifStopped: 'interrupted before the source was checked' },
    );
    if (json) await writeJson(io, { dryRun: true, books, to: place });
    else notice(io, `would copy ${counted(books, 'book')} to ${place}`);
    return;
  }
  const report = await withInterrupt(
    io,
    (signal) => withSource(io, source, signal, (opened) => copyTo(io, opened, target, signal)),
    { ifStopped: 'interrupted before the copy was complete; repeat it to continue' },
  );
  if (json) {
    await writeJson(io, report);
    return;
  }
  const { books, deleted, omitted, lastId, digest } = report;
  notice(
    io,
    `copied ${counted(books, 'book')}, and ${deleted} in the trash, to ${place}; the last id is ${lastId}`,
  );
  if (omitted > 0) notice(io, `${counted(omitted, 'older change')} left out, which the store does not keep`);
  notice(io, `digest of both: ${digest}`);
  notice(io, `next:  ${programName(io)} serve, with DATABASE_URL set to the copy`);
}

/** An argument, or the address in the variable that it names. @throws {CommandError} `usage` */
function addressOf({ env }: Io, text: string): string {
  const name = /^env:(\w+)$/.exec(text)?.[1];
  if (name === undefined) {
    refusePassword(text);
    return text;
  }
  const value = env[name];
  if (!value) throw new CommandError('usage', { message: `the environment variable ${name} is not set` });
  try {
    checkStoreUrl(value);
    return value;
  } catch (error) {
    const { message } = error as TypeError; // Without the value, which may hold a password.
    throw new CommandError('usage', { message: `the environment variable ${name} ${message}` });
  }
}

function isBackup(address: string): boolean {
  return !/^[a-z][a-z+]*:/i.test(address);
}

/** Runs an action on what is to be copied: a store, or a backup. */
function withSource<T>(
  io: Io,
  from: string,
  signal: AbortSignal,
  action: (source: CopySource) => Promise<T>,
): Promise<T> {
  const run = async (address: Parameters<typeof openCopySource>[0]) => {
    if (io.stderr.isTTY === true) notice(io, 'checking the source …');
    const source = await openCopySource(address);
    try {
      return await action(source);
    } finally {
      await source.close();
    }
  };
  return isBackup(from) ? withPlainBackup(io, from, signal, (file, name) => run({ file, name })) : run(from);
}

async function copyTo(io: Io, source: CopySource, to: string, signal: AbortSignal): Promise<CopyReport> {
  const target = await openCopyTarget(to);
  try {
    const progress = createProgress(io, source.count, 'books');
    progress.start();
    return await copyAll(source, target, signal, (count) => {
      progress.update(count, count);
    }).finally(() => {
      progress.stop();
    });
  } finally {
    await target.close();
  }
}

/** Reads what a copy would read, and returns the number of books. Fails as the copy would, and writes nothing. */
async function tryCopy(source: CopySource, to: string, signal: AbortSignal): Promise<number> {
  await checkCopyTarget(to);
  let books = 0;
  for await (const records of source.records()) {
    signal.throwIfAborted();
    books += records.filter(({ fields }) => fields !== undefined).length;
  }
  return books;
}
