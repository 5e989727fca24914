import type { Command } from 'commander';
import { verifyBackup } from '../../store/drivers.ts';
import { addJsonOption } from '../arguments.ts';
import { warnOfDamaged } from '../database.ts';
import { counted, formatTime, notice, type Io, writeJson } from '../io.ts';
import { withPlainBackup } from '../ui/backup-file.ts';
import { withInterrupt } from '../ui/interrupt.ts';

const help = `
Checks every page and every book of a file that \`shelflist backup\` has written, without
restoring it. The exit status is 1 if the file is damaged, or not a backup.

Examples:
  $ shelflist verify books.backup
  $ shelflist verify backups/shelflist-2026-11-25T03-00-00-000Z-3f9a01bc.backup.gz --json
  $ ssh backup.example.org cat books.backup | shelflist verify -`;

export function defineVerify(command: Command, io: Io): void {
  addJsonOption(command)
    .argument('<file>', 'the backup, or - for standard input')
    .addHelpText('after', help)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const report = await withInterrupt(io, (signal) => withPlainBackup(io, file, signal, verifyBackup), {
        ifStopped: 'interrupted before the backup was checked',
      });
      const { books, lastId, format, changedAt } = report;
      if (json === true) {
        await writeJson(io, { file, ...report });
        return;
      }
      warnOfDamaged(io, report);
      notice(
        io,
        `${file} is sound: ${counted(books, 'book')}, the last id is ${lastId}, the last change was at ` +
          `${formatTime(changedAt)}, format ${format}`,
      );
    });
}
