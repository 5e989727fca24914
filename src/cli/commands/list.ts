import type { Command } from 'commander';
import { createClientCommand } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBooks, type OutputOptions } from '../output.ts';
import { withSession, type SessionOptions } from '../session.ts';

const help = `
On a terminal the books come as a table, in a pipe as lines of id, title, author
and year with tabs between.

Examples:
  $ shelflist list
  $ shelflist list | grep -i austen
  $ shelflist list --json | jq '.[].title'`;

export function listCommand(io: Io): Command {
  return createClientCommand('list')
    .description('show every book, by id')
    .addHelpText('after', help)
    .action(async (options: SessionOptions & OutputOptions) => {
      const books = await withSession(io, options, (client) => client.list());
      await writeBooks(io, books, options);
    });
}
