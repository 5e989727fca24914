import type { Command } from 'commander';
import type { Book } from '../../catalogue/book.ts';
import { areDuplicates, duplicateLevels, spellBook } from '../../catalogue/duplicates.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { CommandError } from '../command-error.ts';
import type { TaggedBook } from '../../client/operations.ts';
import type { Client } from '../../client/client.ts';
import { addJsonOption, addServiceOptions, namingBook, parseIdArgument, parseIds } from '../arguments.ts';
import { confirm, requireTerminal, writeBatch } from '../ui/batches.ts';
import { counted, notice, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { describeBook } from '../ui/records.ts';

const help = `
Deletes books that are duplicates of the one to keep, at any level of \`shelflist
duplicates\`. The kept book does not change. A book that changes while the command asks
is not deleted. \`shelflist undo\` takes a merge back.

Examples:
  $ shelflist merge 7 12
  $ shelflist merge 7 12 31 --yes
  $ shelflist merge 7 12 --force
  $ shelflist merge 7 12 --yes --json --url https://books.example.org --username ada`;

interface MergeOptions extends SessionOptions {
  yes?: boolean;
  force?: boolean;
  json?: boolean;
}

export function defineMerge(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .argument('<keep>', 'the id of the book to keep', parseIdArgument)
    .argument('<other...>', 'the ids of the books to delete', parseIds)
    .option('--yes', 'do not ask for confirmation')
    .option('--force', 'merge books that are not duplicates, too')
    .addHelpText('after', help)
    .action((keep: number, others: number[], options: MergeOptions) =>
      mergeBooks(io, keep, [...new Set(others)], options),
    );
}

const ifStopped = 'nothing was deleted';

async function mergeBooks(
  io: Io,
  keep: number,
  ids: readonly number[],
  options: MergeOptions,
): Promise<void> {
  if (ids.includes(keep))
    throw new CommandError('usage', { message: `book ${keep} cannot be both kept and deleted` });
  if (options.yes !== true) requireTerminal(io, 'merging books');
  await withSession(io, options, async (client) => {
    const [kept, ...others] = await Promise.all(
      [keep, ...ids].map((id) => namingBook(id, client.getTagged(id))),
    );
    if (kept === undefined) return;
    if (options.force !== true)
      checkDuplicates(
        kept.book,
        others.map(({ book }) => book),
      );
    if (options.json !== true) {
      notice(io, `keep book ${describeBook(kept.book)}`);
      for (const { book } of others) notice(io, `delete book ${describeBook(book)}`);
    }
    if (options.yes !== true) await confirm(io, `Delete ${counted(others.length, 'book')}?`, ifStopped);
    if ((await namingBook(keep, client.refresh(kept))) !== kept)
      throw new ShelflistError('precondition_failed', { message: `book ${keep} has changed; ${ifStopped}` });
    await deleteOthers(io, client, kept.book, others, options.json === true);
  });
}

async function deleteOthers(
  io: Io,
  client: Client,
  kept: Book,
  others: readonly TaggedBook[],
  json: boolean,
): Promise<void> {
  await writeBatch(io, {
    items: others.map(({ book: { id }, tag }) => ({ id, tag })),
    maxAtOnce: 1,
    json,
    async write(other, batch) {
      await deleteBook(client, other, batch);
      return true;
    },
    report({ batch, done: deleted }) {
      if (json) return { kept, deleted, batch };
      for (const id of deleted) notice(io, `deleted book ${id}`);
    },
  });
}

/** @throws {CommandError} `failed`: a book is not a duplicate of the kept one. */
function checkDuplicates(kept: Book, others: readonly Book[]): void {
  const spelling = spellBook(kept);
  const different = others.filter(
    (book) => !duplicateLevels.some((level) => areDuplicates(level, spelling, spellBook(book))),
  );
  if (different.length === 0) return;
  const lines = [kept, ...different].map((book) => `\n  ${describeBook(book)}`).join('');
  throw new CommandError('failed', {
    message: `these books are not duplicates of the first one; use --force to merge them, or \`delete\`:${lines}`,
  });
}

async function deleteBook(
  client: Client,
  { id, tag }: { readonly id: number; readonly tag: string },
  batch: string,
): Promise<void> {
  try {
    await namingBook(id, client.delete(id, { ifMatch: tag, batch }));
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error;
    throw new ShelflistError('precondition_failed', {
      message: `book ${id} has changed; it was not deleted`,
    });
  }
}
