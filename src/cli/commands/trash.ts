import type { Command } from 'commander';
import type { DeletedBook } from '../../catalogue/changes.ts';
import { readPages } from '../../client/client.ts';
import type { PageOptions } from '../../client/operations.ts';
import { addFormatOptions, addServiceOptions, parseLimit } from '../arguments.ts';
import type { Io } from '../io.ts';
import { bookColumns, noteEmpty, writeRecords, type Column, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Lists the deleted books that can be brought back, newest first.
To bring one back: shelflist revert ID

Examples:
  $ shelflist trash
  $ shelflist trash --limit 20 --json
  $ shelflist trash --format csv --url https://books.example.org --username ada`;

type Row = Omit<DeletedBook, 'deletedAt'> & { deletedAt: string };

const columns: readonly Column<Row>[] = [
  ...bookColumns,
  { name: 'deletedAt', isTime: true },
  { name: 'batch' },
];

export function defineTrash(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .option('--limit <count>', 'the maximum number of books', parseLimit)
    .addHelpText('after', help)
    .action(async ({ limit, ...options }: SessionOptions & OutputOptions & { limit?: number }) => {
      const count = await withSession(io, options, (client) => {
        const readPage = async (page: PageOptions) => {
          const { books, next } = await client.trash(page);
          return { items: books.map((book) => ({ ...book, deletedAt: book.deletedAt.toISOString() })), next };
        };
        return writeRecords(io, columns, readPages(readPage, limit), options);
      });
      noteEmpty(io, count, options, 'no deleted books');
    });
}
