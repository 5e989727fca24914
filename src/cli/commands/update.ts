import type { Command } from 'commander';
import type { BookPatch } from '../../catalogue/book.ts';
import { fieldNames, mapFields, type FieldName } from '../../catalogue/fields.ts';
import {
  addDryRun,
  addFieldOptions,
  addFormatOptions,
  addServiceOptions,
  namedFields,
  namingBook,
} from '../arguments.ts';
import { paragraph, type Io } from '../io.ts';
import {
  addSelection,
  readSelectionToWrite,
  selectionHelp,
  singleIdOf,
  type SelectionOptions,
} from '../selection.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { changeSelection } from '../ui/change-selection.ts';
import { writeBooks, type OutputOptions } from '../ui/records.ts';

const help = `
${paragraph(
  'Changes the fields that you name, and shows the books. Other fields keep their values. Changing several books asks for ' +
    'confirmation on a terminal, and needs --yes without one. To select books by a whole field, use `shelflist change`.',
)}
${selectionHelp}
Examples:
  $ shelflist update 7 --year 1816
  $ shelflist update 7 --title "Emma, a novel" --author "Jane Austen" --json
  $ shelflist update 3-7 12 --author "Jane Austen" --yes
  $ shelflist update --words 1984 --year 1949 --dry-run
  $ shelflist update --in-title eighty --in-author orwell --year-from 0 --year-to 0 --year 1949 --dry-run
  $ shelflist update 7 -y 1816 --url https://books.example.org --username ada --format csv`;

/** The fields are new values; the filters are the others. */
interface UpdateOptions extends SessionOptions, OutputOptions, BookPatch, Omit<SelectionOptions, FieldName> {
  yes?: boolean;
  dryRun?: boolean;
}

export function defineUpdate(command: Command, io: Io): void {
  addFieldOptions(addSelection(command, { hasWhole: false })); // Whole fields are new values.
  addDryRun(addFormatOptions(addServiceOptions(command)))
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action((books: string[], options: UpdateOptions) => update(io, books, options));
}

async function update(io: Io, books: readonly string[], options: UpdateOptions): Promise<void> {
  const { dryRun = false } = options;
  const patch = namedFields(options);
  const filters: SelectionOptions = { ...options, ...mapFields(fieldNames, () => undefined) };
  const selection = await readSelectionToWrite(io, books, filters);
  const id = singleIdOf(selection);
  if (id === undefined || dryRun) {
    await changeSelection(io, selection, patch, { ...options, showsBooks: true });
    return;
  }
  const book = await withSession(io, options, (client) => namingBook(id, client.update(id, patch)));
  await writeBooks(io, [book], options);
}
