import type { Command } from 'commander';
import type { DeletedBook } from '../../catalogue/changes.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import { paragraph, type Io } from '../io.ts';
import { addPaging, ListPart, type PartOptions } from '../paging.ts';
import {
  addSelection,
  isEverything,
  readSelection,
  selectionHelp,
  selectorOf,
  type SelectionOptions,
} from '../selection.ts';
import { bookColumns, noteEmpty, writeRecords, type Column, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
${paragraph(
  'Lists the deleted books that can be brought back, newest first; with a selection, only those that it selects. To bring one ' +
    'back: shelflist revert ID',
)}
${selectionHelp}
Examples:
  $ shelflist trash
  $ shelflist trash 7 20-29
  $ shelflist trash austen --year-from 1800 --year-to 1899 --format csv
  $ shelflist trash --author "Jane Austen" --title Emma --year 1815
  $ shelflist trash --words 1984 --in-author orwell --in-title 84
  $ shelflist trash --limit 20 --json id,title
  $ shelflist trash --limit 20 --after 412
  $ shelflist trash --format csv --url https://books.example.org --username ada`;

type TrashOptions = SessionOptions & OutputOptions & SelectionOptions & PartOptions;

type Row = Omit<DeletedBook, 'deletedAt'> & { deletedAt: string };

const columns: readonly Column<Row>[] = [
  ...bookColumns,
  { name: 'deletedAt', isTime: true },
  { name: 'batch', weight: 2 },
];

export function defineTrash(command: Command, io: Io): void {
  const names = ['id', ...fieldNames, 'deletedAt', 'batch'];
  addPaging(addSelection(addFormatOptions(addServiceOptions(command), names)), 'books')
    .addHelpText('after', help)
    .action((books: string[], options: TrashOptions) => listTrash(io, books, options));
}

async function listTrash(io: Io, books: readonly string[], options: TrashOptions): Promise<void> {
  const selection = await readSelection(io, books, options);
  const isSelected = isEverything(selection) ? undefined : selectorOf(selection);
  const part = new ListPart(options);
  const count = await withSession(io, options, (client) => {
    const found = part.read((page) => client.trash(page), isSelected);
    return writeRecords(io, columns, rowsOf(found), options);
  });
  part.noteMore(io);
  noteEmpty(io, count, options, isEverything(selection) ? 'no deleted books' : 'no deleted book matches');
}

async function* rowsOf(books: AsyncIterable<DeletedBook>): AsyncGenerator<Row> {
  for await (const book of books) yield { ...book, deletedAt: book.deletedAt.toISOString() };
}
