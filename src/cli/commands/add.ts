import type { Command } from 'commander';
import type { BookPatch } from '../../book.ts';
import { addFieldOptions, addFormatOptions, addServiceOptions, namedFields } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBook } from '../output/books.ts';
import type { OutputOptions } from '../output/records.ts';
import type { SessionOptions } from '../login.ts';
import { withSession } from '../session.ts';

const help = `
What is not named stays empty (the year: 0). The new book is shown with its id.

Examples:
  $ shelflist add --title Emma --author "Jane Austen" --year 1815
  $ shelflist add --title Gilgamesh --year=-1750 --json
  $ shelflist add -t Emma --url https://books.example.org --username ada --format csv`;

export function defineAdd(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(addFieldOptions(command)))
    .addHelpText('after', help)
    .action(async (options: SessionOptions & OutputOptions & BookPatch) => {
      const fields = namedFields(options);
      await writeBook(io, await withSession(io, options, (client) => client.create(fields)), options);
    });
}
