import type { Command } from 'commander';
import { createClientCommand, namingBook, parseIds } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBook, writeBooks, type OutputOptions } from '../output.ts';
import { withSession, type SessionOptions } from '../session.ts';

const help = `
Examples:
  $ shelflist get 7
  $ shelflist get 7 8 9
  $ shelflist get 7 --json`;

export function getCommand(io: Io): Command {
  return createClientCommand('get')
    .description('show books')
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
