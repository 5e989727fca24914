import type { Command } from 'commander';
import {
  checkCopyTarget,
  checkRestorable,
  redactStoreUrl,
  restoreStore,
  verifyBackup,
} from '../../store/drivers.ts';
import { addDryRun, addJsonOption } from '../arguments.ts';
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
  $ shelflist restore books.backup --dry-run
  $ ssh backup.example.org cat books.backup.gz | shelflist restore -
  $ shelflist restore books.backup --json --database-url file:/var/lib/shelflist`;

interface RestoreOptions {
  databaseUrl?: string;
  json?: boolean;
  dryRun?: boolean;
}

export function defineRestore(command: Command, io: Io): void {
  addDryRun(addJsonOption(addDatabaseOption(command)))
    .argument('<file>', 'the backup, also compressed, or - for standard input')
    .addHelpText('after', help)
    .action((file: string, options: RestoreOptions) => restore(io, file, options));
}

async function restore(io: Io, file: string, options: RestoreOptions): Promise<void> {
  const { databaseUrl, json, dryRun = false } = options;
  const run = (signal: AbortSignal) =>
    withDatabase(io, databaseUrl, async (url) => {
      await checkRestorable(url);
      const contents = await withPlainBackup(io, file, signal, async (path, name) => {
        if (!dryRun) return restoreStore(path, url, signal, name);
        const report = await verifyBackup(path, name);
        await checkCopyTarget(url);
        return report;
      });
      return { url, contents };
    });
  const ifStopped = `interrupted before the ${dryRun ? 'backup was checked' : 'store was complete'}`;
  const { url, contents } = await withInterrupt(io, run, { ifStopped });
  if (json) {
    await writeJson(io, { ...(dryRun && { dryRun }), file, ...contents });
    return;
  }
  const { books, lastId } = contents;
  warnOfDamaged(io, contents);
  const place = (await redactStoreUrl(url)).replace(/^file:/, '');
  const done = dryRun ? 'would restore' : 'restored';
  notice(io, `${done} ${counted(books, 'book')} to ${place}; the last id is ${lastId}`);
  if (dryRun) return;
  const option = databaseUrl === undefined ? '' : ` --database-url ${shellWord(databaseUrl)}`;
  notice(io, `next:  start the service again, for example:  ${programName(io)} serve${option}`);
}
