import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ShelflistError } from '../../catalogue/errors.ts';
import { redactStoreUrl, restoreStore } from '../../store/drivers.ts';
import { addJsonOption } from '../arguments.ts';
import { addDatabaseOption, warnOfDamaged, withDatabase } from '../database.ts';
import { watchInterrupt } from '../ui/interrupt.ts';
import { counted, notice, programName, shellWord, type Io } from '../io.ts';
import { writeJson } from '../ui/terminal.ts';

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
  const interrupt = watchInterrupt(io.env);
  try {
    const { url, contents } = await withDatabase(io, databaseUrl, async (each) => ({
      url: each,
      contents: await attempt(file, () => restoreStore(resolve(io.directory, file), each, interrupt.signal)),
    }));
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
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new ShelflistError('interrupted', { message: 'interrupted before the store was complete' });
  } finally {
    await interrupt.settled();
    interrupt.release();
  }
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
