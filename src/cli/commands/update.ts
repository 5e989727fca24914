import type { Command } from 'commander';
import type { BookPatch } from '../../catalogue/book.ts';
import {
  addDryRun,
  addFieldOptions,
  addFormatOptions,
  addServiceOptions,
  namedFields,
  namingBook,
} from '../arguments.ts';
import { paragraph, type Io } from '../io.ts';
import { addBooks, readSelectionToWrite, selectionHelp, singleIdOf } from '../selection.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { changeSelection } from '../ui/change-selection.ts';
import { writeBooks, type OutputOptions } from '../ui/records.ts';

const help = `
${paragraph(
  'Changes the fields that you name, and shows the books. Other fields keep their values. Changing several books asks for ' +
    'confirmation on a terminal, and needs --yes without one. To select books by their fields, use `shelflist change`.',
)}
${selectionHelp}
Examples:
  $ shelflist update 7 --year 1816
  $ shelflist update 7 --title "Emma, a novel" --author "Jane Austen" --json
  $ shelflist update 3-7 12 --author "Jane Austen" --yes
  $ shelflist update --words 1984 --year 1949 --dry-run
  $ shelflist update 7 -y 1816 --url https://books.example.org --username ada --format csv`;

interface UpdateOptions extends SessionOptions, OutputOptions, BookPatch {
  words?: string;
  yes?: boolean;
  dryRun?: boolean;
}

export function defineUpdate(command: Command, io: Io): void {
  addDryRun(addFormatOptions(addServiceOptions(addFieldOptions(addBooks(command)))))
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action((books: string[], options: UpdateOptions) => update(io, books, options));
}

async function update(io: Io, books: readonly string[], options: UpdateOptions): Promise<void> {
  const { words, dryRun = false } = options;
  const patch = namedFields(options);
  const selection = await readSelectionToWrite(io, books, words === undefined ? {} : { words });
  const id = singleIdOf(selection);
  if (id === undefined || dryRun) {
    await changeSelection(io, selection, patch, { ...options, showsBooks: true });
    return;
  }
  const book = await withSession(io, options, (client) => namingBook(id, client.update(id, patch)));
  await writeBooks(io, [book], options);
}
