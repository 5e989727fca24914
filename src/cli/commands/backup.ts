import type { Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { backUpStore } from '../../store/drivers.ts';
import { addJsonOption } from '../arguments.ts';
import { addDatabaseOption, warnOfDamaged, withDatabase } from '../database.ts';
import { watchInterrupt } from '../interrupt.ts';
import { counted, notice, type Io } from '../io.ts';
import { findOutputFile } from '../output-file.ts';
import { writeJson } from '../output/records.ts';

const help = `
It is run where the books are, in the folder of the service, or with its
--database-url. The service may go on meanwhile: the file holds the books as they were
at one moment, with their ids and the counter of ids. It appears when it is whole, not
before, and \`shelflist restore\` makes a store of it.

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
    .option('--force', 'replace a file that is there already')
    .addHelpText('after', help)
    .action((file: string, options: BackupOptions) => backUp(io, file, options));
}

async function backUp(io: Io, file: string, { databaseUrl, force, json }: BackupOptions): Promise<void> {
  if (file === '-')
    throw new ShelflistError('usage', { message: 'a backup goes to a file, and not to a pipe' });
  const begun = Date.now();
  const output = await findOutputFile(io, file, { replace: force === true });
  const interrupt = watchInterrupt(io.env);
  try {
    const contents = await withDatabase(io, databaseUrl, (url) =>
      output.attempt(() => backUpStore(url, output.draft)),
    );
    if (interrupt.signal.aborted)
      throw new ShelflistError('interrupted', { message: 'stopped before the file had its name' });
    await output.keep();
    if (json) {
      await writeJson(io, { file, ...contents });
      return;
    }
    const { books, lastId } = contents;
    warnOfDamaged(io, contents);
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    notice(io, `backed up ${counted(books, 'book')} to ${file} in ${seconds} s; the last id is ${lastId}`);
  } catch (error) {
    await output.drop();
    throw error;
  } finally {
    await interrupt.settled();
    interrupt.release();
  }
}
