import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { addJsonOption, addServiceOptions, namingBook, parseIds } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { writeJson } from '../output/records.ts';
import { ask } from '../prompt.ts';
import type { SessionOptions } from '../login.ts';
import { withSession } from '../session.ts';

const help = `
An id is never used again. More than one book is asked about on a terminal, and
needs --yes where there is none.

Examples:
  $ shelflist delete 7
  $ shelflist delete 7 8 9 --yes
  $ shelflist delete 7 --json --url https://books.example.org --username ada`;

export function defineDelete(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .argument('<id...>', 'the ids of the books', parseIds)
    .option('--yes', 'do not ask')
    .addHelpText('after', help)
    .action((ids: number[], options: DeleteOptions) => deleteBooks(io, [...new Set(ids)], options));
}

interface DeleteOptions extends SessionOptions {
  yes?: boolean;
  json?: boolean;
}

async function deleteBooks(io: Io, ids: readonly number[], options: DeleteOptions): Promise<void> {
  const asks = ids.length > 1 && options.yes !== true;
  if (asks && io.stdin.isTTY !== true) {
    throw new ShelflistError('usage', {
      message: `deleting ${ids.length} books needs --yes where nobody can be asked`,
    });
  }
  await withSession(io, options, async (client) => {
    await checkBooks(client, ids);
    if (asks) await confirm(io, ids.length);
    const deleted: number[] = [];
    try {
      for (const id of ids) {
        await namingBook(id, client.delete(id));
        deleted.push(id);
        if (!options.json) notice(io, `deleted book ${id}`);
      }
    } finally {
      if (options.json) await writeJson(io, { deleted }); // Also of those before one that fails.
    }
  });
}

/** The service answers alike whether there was a book to delete or not: who mistyped an id must hear of it. */
async function checkBooks(client: Client, ids: readonly number[]): Promise<void> {
  const found = await Promise.all(ids.map((id) => exists(client, id)));
  const missing = ids.filter((_, i) => !found[i]);
  if (missing.length === 0) return;
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(missing.map(String));
  const rest = ids.length > 1 ? '; nothing was deleted' : '';
  throw new ShelflistError('book_not_found', { message: `there is no book ${names}${rest}` });
}

async function exists(client: Client, id: number): Promise<boolean> {
  try {
    await client.get(id);
    return true;
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    if (error.code === 'book_not_found') return false;
    if (error.code === 'internal') return true; // What is no book can be deleted, too.
    throw error;
  }
}

async function confirm(io: Io, count: number): Promise<void> {
  const ifStopped = 'nothing was deleted';
  const answer = await ask(io, `Delete ${count} books? [y/N] `, { ifStopped });
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new ShelflistError('failed', { message: ifStopped });
}
