import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ShelflistError } from '../../catalogue/errors.ts';
import { redactStoreUrl, restoreStore } from '../../store/drivers.ts';
import { addJsonOption } from '../arguments.ts';
import { addDatabaseOption, warnOfDamaged, withDatabase } from '../database.ts';
import { withInterrupt } from '../ui/interrupt.ts';
import { counted, notice, programName, shellWord, type Io, writeJson } from '../io.ts';

const help = `
Creates a store from a file that \`shelflist backup\` has written. An existing store is
never overwritten: to replace one, stop the service, move its folder away, restore, and
start the service again. Books written after the backup are lost, and their ids are
assigned again.

Examples:
  $ shelflist restore books.backup
  $ shelflist restore books.backup --json --database-url file:/var/lib/shelflist`;

interface RestoreOptions {
  databaseUrl?: string;
  json?: boolean;
}

export function defineRestore(command: Command, io: Io): void {
  addJsonOption(addDatabaseOption(command))
    .argument('<file>', 'the backup')
    .addHelpText('after', help)
    .action((file: string, options: RestoreOptions) => restore(io, file, options));
}

async function restore(io: Io, file: string, { databaseUrl, json }: RestoreOptions): Promise<void> {
  if (file === '-')
    throw new ShelflistError('usage', { message: 'cannot read a backup from a pipe; name a file' });
  const path = resolve(io.directory, file);
  const { url, contents } = await withInterrupt(
    io,
    (signal) =>
      withDatabase(io, databaseUrl, async (url) => ({
        url,
        contents: await attempt(file, () => restoreStore(path, url, signal)),
      })),
    { ifStopped: 'interrupted before the store was complete' },
  );
  if (json) {
    await writeJson(io, { file, ...contents });
    return;
  }
  const { books, lastId } = contents;
  warnOfDamaged(io, contents);
  const place = (await redactStoreUrl(url)).replace(/^file:/, '');
  notice(io, `restored ${counted(books, 'book')} to ${place}; the last id is ${lastId}`);
  const option = databaseUrl === undefined ? '' : ` --database-url ${shellWord(databaseUrl)}`;
  notice(io, `next:  ${programName(io)} serve${option}`);
}

async function attempt<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof ShelflistError || code === undefined) throw error;
    const reason =
      code === 'ENOENT' ? ': no such file; name one that `shelflist backup` has written' : ` (${code})`;
    throw new ShelflistError('failed', { message: `cannot restore ${file}${reason}`, cause: error });
  }
}
