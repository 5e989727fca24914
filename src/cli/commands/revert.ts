import type { Command } from 'commander';
import { fieldsOf, type Book } from '../../catalogue/book.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import type { Client } from '../../client/client.ts';
import { eachAtOnce } from '../../lib/semaphore.ts';
import { addDryRun, addFormatOptions, addServiceOptions } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import type { StateToRestore } from '../../client/edits.ts';
import { isSingle, listHistoricalIds, maxInFlight } from '../ids.ts';
import { counted, notice, paragraph, type Io } from '../io.ts';
import {
  addSelection,
  booksOfQuery,
  readSelectionToWrite,
  selectionHelp,
  singleIdOf,
  type Selection,
  type SelectionOptions,
} from '../selection.ts';
import { failIfSkipped, noteSkipped, runEdit } from '../ui/batches.ts';
import { editSelection, type EditOptions } from '../ui/edit-selection.ts';
import { describeChanges, writeBooks } from '../ui/records.ts';
import { withSession } from '../session/session.ts';

const help = `
${paragraph(
  'A book gets the state before its last change; a deleted book comes back with its id. A second revert takes the first one ' +
    'back. --to goes back to an earlier version: `shelflist history ID` lists the versions, and `shelflist trash` the deleted ' +
    'books. Ids select deleted books, too; words and filters do not.',
)}
${selectionHelp}
Reverting several books asks for confirmation on a terminal, and needs --yes without one.
One \`shelflist undo\` takes it back.

Examples:
  $ shelflist revert 7
  $ shelflist revert 7 --to 42 --json
  $ shelflist revert 3-7 --dry-run
  $ shelflist trash austen | cut -f 1 | shelflist revert - --yes
  $ shelflist revert emma --in-author austen --in-title emma --year 1815
  $ shelflist revert --author "Jane Austen" --title Emma --format ndjson
  $ shelflist revert --words 1984 --year-from 1940 --year-to 1950
  $ shelflist revert 7 --url https://books.example.org --username ada`;

interface RevertOptions extends EditOptions, SelectionOptions {
  to?: string;
}

export function defineRevert(command: Command, io: Io): void {
  addDryRun(addFormatOptions(addSelection(addServiceOptions(command))))
    .option('--to <version>', 'the version of an earlier state, of one book')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action(async (books: string[], options: RevertOptions) => {
      const selection = await readSelectionToWrite(io, books, options);
      const id = singleIdOf(selection);
      if (options.to !== undefined && id === undefined)
        throw new CommandError('usage', { message: '--to needs one id: versions are those of one book' });
      await (id === undefined || options.dryRun
        ? revertSelection(io, selection, options)
        : revertBook(io, id, options));
    });
}

async function revertBook(io: Io, id: number, options: RevertOptions): Promise<void> {
  const { to: version } = options;
  const { before, book } = await withSession(io, options, async (client) => {
    const before = await unlessMissing(client.get(id));
    const book = await unlessMissing(client.revert(id, version === undefined ? {} : { version }));
    if (book !== undefined) return { before, book };
    throw noState(id, before !== undefined, version);
  });
  await writeBooks(io, [book], options);
  if (options.json !== true) notice(io, describeRevert(before, book));
}

function noState(id: number, exists: boolean, version: string | undefined): ShelflistError {
  const state = version === undefined ? 'earlier state' : `version ${version}`;
  const what = exists ? `book ${id} has` : `book ${id} not found, or has`;
  return new ShelflistError('book_not_found', {
    message: `${what} no ${state}; \`shelflist history ${id}\` lists what is kept`,
  });
}

/** The result; `undefined` if the book, or a version of it, does not exist. */
async function unlessMissing<T>(request: Promise<T>): Promise<T | undefined> {
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

/** A book, or a deleted one, and its state to come. */
interface Revertible extends StateToRestore {
  readonly after: Book;
}

async function revertSelection(io: Io, selection: Selection, options: RevertOptions): Promise<void> {
  await editSelection<Revertible>(io, selection, options, {
    doing: 'reverting',
    verb: 'revert',
    question: (books) => `Give ${books} these states?`,
    unchanged: 'nothing was reverted',
    read: (client) => findRevertible(client, selection, options.to),
    before: ({ after }) => after,
    after: ({ after }) => after,
    write: (client, found) => revertAll(io, client, found, options),
  });
}

async function revertAll(
  io: Io,
  client: Client,
  found: readonly Revertible[],
  options: RevertOptions,
): Promise<void> {
  let reverted: Book[] = [];
  const { skipped } = await runEdit(io, client, {
    total: found.length,
    json: false,
    async write(edit, signal) {
      reverted = await edit.revert(found, signal);
    },
    report({ done, skipped: left }) {
      notice(io, `reverted ${counted(done.length, 'book')}`);
      noteSkipped(io, left);
    },
  });
  await writeBooks(
    io,
    reverted.sort((a, b) => a.id - b.id),
    options,
  );
  failIfSkipped(skipped);
}

/** The selected books that have an earlier state, by id. @throws {ShelflistError} `book_not_found`: a single id has none. */
async function findRevertible(
  client: Client,
  selection: Selection,
  version: string | undefined,
): Promise<Revertible[]> {
  const found: Revertible[] = [];
  await eachAtOnce(await listCandidates(client, selection), maxInFlight, async (id) => {
    // The tag first: a change between the two then fails the condition.
    const now = await unlessMissing(client.getTagged(id));
    const states = (await unlessMissing(client.history(id))) ?? [];
    const state = states.find((each) => version === undefined || each.version === version);
    if (state !== undefined)
      found.push({
        id,
        after: { id, ...fieldsOf(state) },
        version: state.version,
        condition: now === undefined ? { ifNoneMatch: '*' } : { ifMatch: now.tag },
      });
    else if ('ids' in selection && selection.ids.some((each) => isSingle(each) && each.first === id))
      throw noState(id, now !== undefined, version);
  });
  return found.sort((a, b) => a.id - b.id);
}

/** The ids of the books that may have an earlier state. Those of deleted books are only named by ids. */
async function listCandidates(client: Client, selection: Selection): Promise<readonly number[]> {
  if ('ids' in selection) return listHistoricalIds(client, selection.ids);
  const ids: number[] = [];
  for await (const { id } of booksOfQuery(client, selection.query)) ids.push(id);
  return ids;
}
