import type { Command } from 'commander';
import { addFormatOptions, addServiceOptions, namingBook, parseIds } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBook, writeBooks, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
As JSON, one book is an object, several are an array. NDJSON is one line per book.

Examples:
  $ shelflist get 7
  $ shelflist get 7 8 9 --format ndjson
  $ shelflist get 7 --json --url https://books.example.org --username ada`;

export function defineGet(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument('<id...>', 'the ids of the books', parseIds)
    .addHelpText('after', help)
    .action(async (ids: number[], options: SessionOptions & OutputOptions) => {
      const books = await withSession(io, options, (client) =>
        Promise.all(ids.map((id) => namingBook(id, client.get(id)))),
      );
      const [only] = books;
      if (books.length === 1 && only) await writeBook(io, only, options);
      else await writeBooks(io, books, options);
    });
}
