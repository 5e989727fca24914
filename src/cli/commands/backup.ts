import type { Command } from 'commander';
import { ShelflistError } from '../../catalogue/errors.ts';
import { backUpStore } from '../../store/drivers.ts';
import { addJsonOption } from '../arguments.ts';
import { addDatabaseOption, warnOfDamaged, withDatabase } from '../database.ts';
import { withInterrupt } from '../ui/interrupt.ts';
import { counted, notice, type Io, writeJson } from '../io.ts';
import { findOutputFile } from '../ui/output-file.ts';

const help = `
Run it in the folder of the service, or with its --database-url. The service may keep
running: the file is a consistent snapshot of the books, their ids and the id counter.
It gets its name only when it is complete. \`shelflist restore\` creates a store from it.

Examples:
  $ shelflist backup books.backup
  $ shelflist backup "books-$(date +%F).backup" --json
  $ shelflist backup /mnt/copies/books.backup --force --database-url file:/var/lib/shelflist`;

interface BackupOptions {
  databaseUrl?: string;
  force?: boolean;
  json?: boolean;
}

export function defineBackup(command: Command, io: Io): void {
  addJsonOption(addDatabaseOption(command))
    .argument('<file>', 'the file to write')
    .option('--force', 'replace an existing file')
    .addHelpText('after', help)
    .action((file: string, options: BackupOptions) => backUp(io, file, options));
}

async function backUp(io: Io, file: string, { databaseUrl, force, json }: BackupOptions): Promise<void> {
  if (file === '-')
    throw new ShelflistError('usage', { message: 'cannot write a backup to a pipe; name a file' });
  const begun = Date.now();
  const output = await findOutputFile(io, file, { replace: force === true });
  const writeBackup = async (signal: AbortSignal) => {
    try {
      const contents = await withDatabase(io, databaseUrl, (url) =>
        output.attempt(() => backUpStore(url, output.draft)),
      );
      signal.throwIfAborted();
      await output.keep();
      return contents;
    } catch (error) {
      await output.drop();
      throw error;
    }
  };
  const contents = await withInterrupt(io, writeBackup, {
    ifStopped: 'interrupted before the backup was complete',
  });
  if (json) {
    await writeJson(io, { file, ...contents });
    return;
  }
  const { books, lastId } = contents;
  warnOfDamaged(io, contents);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  notice(io, `backed up ${counted(books, 'book')} to ${file} in ${seconds} s; the last id is ${lastId}`);
}
