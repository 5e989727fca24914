import type { Command } from 'commander';
import type { BookPatch } from '../../catalogue/book.ts';
import {
  addFieldOptions,
  addFormatOptions,
  addServiceOptions,
  namedFields,
  namingBook,
  parseIdArgument,
} from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBook, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Changes the fields that you name, and shows the book. Other fields keep their values.

Examples:
  $ shelflist update 7 --year 1816
  $ shelflist update 7 --title "Emma, a novel" --author "Jane Austen" --json
  $ shelflist update 7 -y 1816 --url https://books.example.org --username ada --format csv`;

export function defineUpdate(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(addFieldOptions(command)))
    .argument('<id>', 'the id of the book', parseIdArgument)
    .addHelpText('after', help)
    .action(async (id: number, options: SessionOptions & OutputOptions & BookPatch) => {
      const patch = namedFields(options);
      const book = await withSession(io, options, (client) => namingBook(id, client.update(id, patch)));
      await writeBook(io, book, options);
    });
}
