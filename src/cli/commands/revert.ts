import type { Command } from 'commander';
import type { Book } from '../../catalogue/book.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { addFormatOptions, addServiceOptions, parseIdArgument } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { describeChanges, writeBook, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Without a version, the book gets the state before its last change; a deleted book comes
back with its id. A second revert takes the first one back. \`shelflist history ID\` lists
the versions, and \`shelflist trash\` the deleted books.

Examples:
  $ shelflist revert 7
  $ shelflist revert 7 42 --json
  $ shelflist revert 7 --format ndjson
  $ shelflist revert 7 --url https://books.example.org --username ada`;

export function defineRevert(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument('<id>', 'the id of the book', parseIdArgument)
    .argument('[version]', 'the version of an earlier state')
    .addHelpText('after', help)
    .action(async (id: number, version: string | undefined, options: SessionOptions & OutputOptions) => {
      const { before, book } = await withSession(io, options, async (client) => {
        const before = await unlessMissing(client.get(id));
        const book = await unlessMissing(client.revert(id, version === undefined ? {} : { version }));
        if (book !== undefined) return { before, book };
        const state = version === undefined ? 'earlier state' : `version ${version}`;
        const what = before === undefined ? `book ${id} not found, or has` : `book ${id} has`;
        throw new ShelflistError('book_not_found', {
          message: `${what} no ${state}; \`shelflist history ${id}\` lists what is kept`,
        });
      });
      await writeBook(io, book, options);
      if (options.json !== true) notice(io, describeRevert(before, book));
    });
}

/** The book; `undefined` if it, or a version of it, does not exist. */
async function unlessMissing(request: Promise<Book>): Promise<Book | undefined> {
  try {
    return await request;
  } catch (error) {
    if (hasCode(error, 'book_not_found')) return undefined;
    throw error;
  }
}

function describeRevert(before: Book | undefined, book: Book): string {
  if (before === undefined) return `brought back book ${book.id}`;
  const changes = describeChanges(before, book);
  return changes === ''
    ? `book ${book.id} has this state already; nothing was changed`
    : `reverted book ${book.id}: ${changes}`;
}
