import type { Command } from 'commander';
import { checkRestorable, redactStoreUrl, restoreStore } from '../../store/drivers.ts';
import { addJsonOption } from '../arguments.ts';
import { addDatabaseOption, warnOfDamaged, withDatabase } from '../database.ts';
import { withPlainBackup } from '../ui/backup-file.ts';
import { withInterrupt } from '../ui/interrupt.ts';
import { counted, notice, programName, shellWord, type Io, writeJson } from '../io.ts';

const help = `
Creates a store from a file that \`shelflist backup\` has written. An existing store is
never overwritten: to replace one, stop the service, move its folder away, restore, and
start the service again. Books written after the backup are lost, and their ids are
assigned again.

Examples:
  $ shelflist restore books.backup
  $ ssh backup.example.org cat books.backup.gz | shelflist restore -
  $ shelflist restore books.backup --json --database-url file:/var/lib/shelflist`;

interface RestoreOptions {
  databaseUrl?: string;
  json?: boolean;
}

export function defineRestore(command: Command, io: Io): void {
  addJsonOption(addDatabaseOption(command))
    .argument('<file>', 'the backup, also compressed, or - for standard input')
    .addHelpText('after', help)
    .action((file: string, options: RestoreOptions) => restore(io, file, options));
}

async function restore(io: Io, file: string, { databaseUrl, json }: RestoreOptions): Promise<void> {
  const run = (signal: AbortSignal) =>
    withDatabase(io, databaseUrl, async (url) => {
      await checkRestorable(url);
      const restoreFrom = (path: string, name: string) => restoreStore(path, url, signal, name);
      return { url, contents: await withPlainBackup(io, file, restoreFrom) };
    });
  const ifStopped = 'interrupted before the store was complete';
  const { url, contents } = await withInterrupt(io, run, { ifStopped });
  if (json) {
    await writeJson(io, { file, ...contents });
    return;
  }
  const { books, lastId } = contents;
  warnOfDamaged(io, contents);
  const place = (await redactStoreUrl(url)).replace(/^file:/, '');
  notice(io, `restored ${counted(books, 'book')} to ${place}; the last id is ${lastId}`);
  const option = databaseUrl === undefined ? '' : ` --database-url ${shellWord(databaseUrl)}`;
  notice(io, `next:  start the service again, for example:  ${programName(io)} serve${option}`);
}
