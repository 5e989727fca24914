import type { Command } from 'commander';
import type { Book } from '../../catalogue/book.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import type { Client } from '../../client/client.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { addDryRun, addFormatOptions, addServiceOptions } from '../arguments.ts';
import { booksOfIds } from '../ids.ts';
import {
  addSelection,
  booksOfQuery,
  readSelectionToWrite,
  selectionHelp,
  type Selection,
  type SelectionOptions,
} from '../selection.ts';
import { failIfSkipped, listIds, noteSkipped, runEdit } from '../ui/batches.ts';
import { editSelection, type EditOptions, type PartialBook } from '../ui/edit-selection.ts';
import { counted, notice, type Io, paragraph } from '../io.ts';

const help = `
${paragraph(
  'Deletes the selected books. An id is never used again. Deleting several books asks for confirmation on a terminal, and ' +
    'needs --yes without one. Books that change after they were shown, or found by words, are skipped and listed; the ' +
    'exit status is then 1. `shelflist undo` brings the books back.',
)}
${selectionHelp}
Examples:
  $ shelflist delete 7
  $ shelflist delete 7 8 28-35 --yes
  $ shelflist list --author Anon | cut -f 1 | shelflist delete - --yes
  $ shelflist delete emma --author "Jane Austin" --dry-run
  $ shelflist delete --words 1984 --dry-run --format csv
  $ shelflist delete --in-title draft --in-author anon
  $ shelflist delete --title Untitled --year 0
  $ shelflist delete --year-from 2100 --year-to 2999 --yes
  $ shelflist delete 7 --json --url https://books.example.org --username ada`;

type DeleteOptions = EditOptions & SelectionOptions;

export function defineDelete(command: Command, io: Io): void {
  addDryRun(addFormatOptions(addSelection(addServiceOptions(command))))
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action((books: string[], options: DeleteOptions) => deleteBooks(io, books, options));
}

async function deleteBooks(io: Io, books: readonly string[], options: DeleteOptions): Promise<void> {
  const selection = await readSelectionToWrite(io, books, options);
  await editSelection<PartialBook>(io, selection, options, {
    doing: 'deleting',
    verb: 'delete',
    question: (number) => `Delete ${number}?`,
    unchanged: 'nothing was deleted',
    async read(client) {
      const found: PartialBook[] = [];
      for await (const book of findBooks(client, selection)) found.push(book);
      return found.sort((a, b) => a.id - b.id);
    },
    before: (book) => book,
    after: (book) => book,
    write: (client, found, isConfirmed) =>
      deleteFound(io, client, found, {
        json: options.json === true,
        asRead: isConfirmed || 'query' in selection,
      }),
  });
}

function findBooks(client: Client, selection: Selection): AsyncGenerator<PartialBook> {
  return 'ids' in selection
    ? booksOfIds<PartialBook>(client, selection.ids, find, { consequence: 'nothing was deleted' })
    : booksOfQuery(client, selection.query);
}

async function find(client: Client, id: number): Promise<PartialBook | undefined> {
  try {
    return await client.get(id);
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    if (error.code === 'book_not_found') return undefined;
    if (hasCode(error, 'internal', 'store_damaged')) return { id }; // A record that is not a book can be deleted, too.
    throw error;
  }
}

interface DeleteFoundOptions {
  readonly json: boolean;
  /** Whether only books are deleted that are still as they were read; else whatever has these ids. */
  readonly asRead: boolean;
}

async function deleteFound(
  io: Io,
  client: Client,
  found: readonly PartialBook[],
  { json, asRead }: DeleteFoundOptions,
): Promise<void> {
  const { skipped } = await runEdit(io, client, {
    total: found.length,
    json,
    write: (edit, signal) =>
      edit.delete(
        found.map((book) => (asRead && isBook(book) ? book : book.id)),
        signal,
      ),
    report({ batch, done: deleted, skipped: left }) {
      deleted.sort((a, b) => a - b);
      if (json) return { deleted, batch, ...(asRead && { left: left.toSorted((a, b) => a - b) }) };
      const [only] = deleted;
      const what = deleted.length === 1 ? `book ${only}` : counted(deleted.length, 'book');
      notice(io, `deleted ${what}${deleted.length > 1 ? `: ${listIds(deleted)}` : ''}`);
      if (asRead) noteSkipped(io, left);
    },
  });
  if (asRead) failIfSkipped(skipped);
}

function isBook(book: PartialBook): book is Book {
  return fieldNames.every((name) => book[name] !== undefined);
}
