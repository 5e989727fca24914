import type { Book } from '../../catalogue/book.ts';
import type { Client } from '../../client/client.ts';
import { counted, notice, type Io } from '../io.ts';
import { countOf, type Selection } from '../selection.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { confirm, preview, requireTerminal } from './batches.ts';
import { writeBooks, type OutputOptions } from './records.ts';

/** The options of a command that edits a selection. */
export interface EditOptions extends SessionOptions, OutputOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** A book, as far as it is known: a record that is not a book has an id only. */
export type PartialBook = Pick<Book, 'id'> & Partial<Book>;

/** What a command does with the selected books. */
interface SelectionEdit<Item> {
  /** As in `deleting 3 books`. */
  readonly doing: string;
  /** As in `would delete 3 books`. */
  readonly verb: string;
  /** Asks for confirmation. @param books Their number: `3 books`. */
  readonly question: (books: string) => string;
  /** What it says if the user declines: `nothing was deleted`. */
  readonly unchanged: string;
  readonly read: (client: Client) => Promise<readonly Item[]>;
  /** The book to show before the question. */
  readonly before: (item: Item) => PartialBook;
  /** The book that a dry run shows. */
  readonly after: (item: Item) => PartialBook;
  /** @param isConfirmed Whether the books were shown, and the user has agreed. */
  readonly write: (client: Client, items: readonly Item[], isConfirmed: boolean) => Promise<void>;
}

/**
 * Edits the selected books, after showing some of them and asking; a single id is not asked for. A dry run only shows the books.
 *
 * @throws {CommandError} `usage`: it would ask, without a terminal; `failed`: declined; `interrupted`.
 */
export async function editSelection<Item>(
  io: Io,
  selection: Selection,
  options: EditOptions,
  { doing, verb, question, unchanged, read, before, after, write }: SelectionEdit<Item>,
): Promise<void> {
  const { yes = false, dryRun = false, json = false } = options;
  const count = countOf(selection);
  const asks = !yes && !dryRun && count !== 1;
  if (asks) requireTerminal(io, `${doing} ${count ?? 'several'} books`);
  await withSession(io, options, async (client) => {
    const items = await read(client);
    const books = counted(items.length, 'book');
    if (dryRun) {
      await writeBooks(io, items.map(after) as Book[], options);
      if (!json) notice(io, `would ${verb} ${books}`);
      return;
    }
    if (asks && items.length > 0) {
      preview(io, items.map(before));
      await confirm(io, question(books), unchanged);
    }
    await write(client, items, asks);
  });
}
