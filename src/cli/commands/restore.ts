import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { restoreStore } from '../../store/drivers.ts';
import { addJsonOption } from '../arguments.ts';
import { addDatabaseOption, warnOfDamaged, withDatabase } from '../database.ts';
import { watchInterrupt } from '../interrupt.ts';
import { counted, notice, programName, shellWord, type Io } from '../io.ts';
import { writeJson } from '../output/records.ts';

const help = `
Makes a store of a file that \`shelflist backup\` has written, where there is none yet: one
that is there is never overwritten. To put a backup in its place, stop the service,
move its folder away, restore, and start the service again. What was written after the
backup is not in it, and the ids that were given since are given again.

Examples:
  $ shelflist restore books.backup
  $ shelflist restore books.backup --json --database-url file:/var/lib/shelflist`;

interface RestoreOptions {
  databaseUrl?: string;
  json?: boolean;
}

export function defineRestore(command: Command, io: Io): void {
  addJsonOption(addDatabaseOption(command, 'where they are to be'))
    .argument('<file>', 'the backup')
    .addHelpText('after', help)
    .action((file: string, options: RestoreOptions) => restore(io, file, options));
}

async function restore(io: Io, file: string, { databaseUrl, json }: RestoreOptions): Promise<void> {
  if (file === '-') throw new ShelflistError('usage', { message: 'a backup is a file, and no pipe' });
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
    notice(
      io,
      `restored ${counted(books, 'book')} to ${url.slice('file:'.length)}; the last id is ${lastId}`,
    );
    const option = databaseUrl === undefined ? '' : ` --database-url ${shellWord(databaseUrl)}`;
    notice(io, `next:  ${programName(io)} serve${option}`);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new ShelflistError('interrupted', { message: 'stopped before the store was there' });
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
    throw new ShelflistError('failed', { message: `cannot restore ${file} (${code})`, cause: error });
  }
}
