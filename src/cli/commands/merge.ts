import type { Command } from 'commander';
import type { Book } from '../../catalogue/book.ts';
import { areDuplicates, normalizeForComparison } from '../../catalogue/duplicates.ts';
import { duplicateLevels } from '../../catalogue/duplicate-levels.ts';
import { CommandError } from '../command-error.ts';
import { readAsShown } from '../../client/edits.ts';
import { addDryRun, addJsonOption, addServiceOptions, namingBook, parseIdArgument } from '../arguments.ts';
import { booksOfIds, collectIds, findBook, isInRanges, readIds, type IdRange } from '../ids.ts';
import { confirm, requireTerminal, runEdit } from '../ui/batches.ts';
import { counted, notice, show, writeJson, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { describeBook } from '../ui/records.ts';

const help = `
Deletes books that are duplicates of the one to keep, at any level of \`shelflist
duplicates\`. The kept book does not change. A book that changes while the command asks
is not deleted. \`shelflist undo\` takes a merge back.

Examples:
  $ shelflist merge 7 12
  $ shelflist merge 7 12 31-33 --yes
  $ shelflist merge 7 12 --dry-run
  $ shelflist merge 7 12 --force
  $ shelflist merge 7 12 --yes --json --url https://books.example.org --username ada`;

interface MergeOptions extends SessionOptions {
  yes?: boolean;
  dryRun?: boolean;
  force?: boolean;
  json?: boolean;
}

export function defineMerge(command: Command, io: Io): void {
  addDryRun(addJsonOption(addServiceOptions(command)))
    .argument('<keep>', 'the id of the book to keep', parseIdArgument)
    .argument(
      '<other...>',
      'the ids of the books to delete, or ranges; - reads them from standard input',
      collectIds,
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--force', 'merge books that are not duplicates, too')
    .addHelpText('after', help)
    .action(async (keep: number, others: string[], options: MergeOptions) =>
      mergeBooks(io, keep, await readIds(io, others), options),
    );
}

const ifStopped = 'nothing was deleted';

async function mergeBooks(
  io: Io,
  keep: number,
  ranges: readonly IdRange[],
  options: MergeOptions,
): Promise<void> {
  const { yes = false, dryRun = false, json = false } = options;
  if (isInRanges(ranges, keep))
    throw new CommandError('usage', { message: `book ${keep} cannot be both kept and deleted` });
  if (!yes && !dryRun) requireTerminal(io, 'merging books');
  await withSession(io, options, async (client) => {
    const kept = await namingBook(keep, client.get(keep));
    const others: Book[] = [];
    for await (const book of booksOfIds(client, ranges, findBook, { consequence: ifStopped }))
      others.push(book);
    if (options.force !== true) checkDuplicates(kept, others);
    if (!json) {
      const tell = yes ? notice : show; // What it asks about.
      tell(io, `keep book ${describeBook(kept)}`);
      for (const book of others) tell(io, `delete book ${describeBook(book)}`);
    }
    if (dryRun) {
      if (json) await writeJson(io, { kept, deleted: others.map(({ id }) => id), batch: null });
      else notice(io, `would delete ${counted(others.length, 'book')}`);
      return;
    }
    if (!yes) await confirm(io, `Delete ${counted(others.length, 'book')}?`, ifStopped);
    const [, ...tagged] = await readAsShown(client, [kept, ...others]);
    await runEdit(io, client, {
      total: others.length,
      json,
      write: (edit, signal) => edit.merge(tagged, signal),
      report({ batch, done: deleted }) {
        if (json) return { kept, deleted, batch };
        for (const id of deleted) notice(io, `deleted book ${id}`);
      },
    });
  });
}

/** @throws {CommandError} `failed`: a book is not a duplicate of the kept one. */
function checkDuplicates(kept: Book, others: readonly Book[]): void {
  const spelling = normalizeForComparison(kept);
  const different = others.filter(
    (book) => !duplicateLevels.some((level) => areDuplicates(level, spelling, normalizeForComparison(book))),
  );
  if (different.length === 0) return;
  const lines = [kept, ...different].map((book) => `\n  ${describeBook(book)}`).join('');
  throw new CommandError('failed', {
    message: `these books are not duplicates of the first one; use --force to merge them, or \`delete\`:${lines}`,
  });
}
