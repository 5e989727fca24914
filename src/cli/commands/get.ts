import type { Command } from 'commander';
import type { Book } from '../../catalogue/book.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import { booksOfIds, collectIds, findBook, readIds } from '../ids.ts';
import type { Io } from '../io.ts';
import { writeBooks, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
As JSON, the books are an array, also a single one. NDJSON is one line per book.
A range shows the books that exist.

Examples:
  $ shelflist get 7
  $ shelflist get 7 8 20-29 --format ndjson
  $ shelflist get 7 --json id,title
  $ cut -d , -f 1 ids.csv | shelflist get -
  $ shelflist get 7 --json --url https://books.example.org --username ada`;

export function defineGet(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument(
      '<id...>',
      'the ids of the books, or ranges (3-7); - reads them from standard input',
      collectIds,
    )
    .addHelpText('after', help)
    .action(async (words: string[], options: SessionOptions & OutputOptions) => {
      const ids = await readIds(io, words);
      await withSession(io, options, async (client) => {
        const books: Book[] = [];
        for await (const book of booksOfIds(client, ids, findBook)) books.push(book);
        await writeBooks(io, books, options);
      });
    });
}
