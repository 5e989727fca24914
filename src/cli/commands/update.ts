import type { Command } from 'commander';
import type { BookPatch } from '../../book.ts';
import { createFieldsCommand, namedFields, namingBook, parseIds } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBook, type OutputOptions } from '../output.ts';
import { withSession, type SessionOptions } from '../session.ts';

const help = `
What is not named stays as it is. The book is shown as it is afterwards.

Examples:
  $ shelflist update 7 --year 1816
  $ shelflist update 7 --title "Emma, a novel" --author "Jane Austen"`;

export function updateCommand(io: Io): Command {
  return createFieldsCommand('update')
    .description('change fields of a book')
    .argument('<id>', 'the id of the book', (value) => parseIds(value)[0])
    .addHelpText('after', help)
    .action(async (id: number, options: SessionOptions & OutputOptions & BookPatch) => {
      const patch = namedFields(options);
      const book = await withSession(io, options, (client) => namingBook(id, client.update(id, patch)));
      await writeBook(io, book, options);
    });
}
