import type { Command } from 'commander';
import type { BookPatch } from '../../book.ts';
import { createFieldsCommand, namedFields } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBook, type OutputOptions } from '../output.ts';
import { withSession, type SessionOptions } from '../session.ts';

const help = `
What is not named stays empty (the year: 0). The new book is shown with its id.

Examples:
  $ shelflist add --title Emma --author "Jane Austen" --year 1815
  $ shelflist add --title Gilgamesh --year=-1750 --json`;

export function addCommand(io: Io): Command {
  return createFieldsCommand('add')
    .description('add a book')
    .addHelpText('after', help)
    .action(async (options: SessionOptions & OutputOptions & BookPatch) => {
      const fields = namedFields(options);
      await writeBook(io, await withSession(io, options, (client) => client.create(fields)), options);
    });
}
