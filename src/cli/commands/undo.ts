import { InvalidArgumentError, Option, type Command } from 'commander';
import { isBatchId } from '../../catalogue/batch.ts';
import { changeKinds, type BatchSummary, type ChangeKind } from '../../catalogue/changes.ts';
import { nameField } from '../../catalogue/fields.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { CommandError } from '../command-error.ts';
import { addDryRun, addFormatOptions, addServiceOptions } from '../arguments.ts';
import { isUncertain } from '../../client/edits.ts';
import { confirm, listIds, requireTerminal, runBatch, withAdvice } from '../ui/batches.ts';
import { type Io, counted, formatTime, notice, plain, show } from '../io.ts';
import { createProgress } from '../ui/progress.ts';
import type { Client, UndoResult } from '../../client/client.ts';
import type { Paging } from '../../api/queries.ts';
import type { UndoOptions } from '../../client/options.ts';
import { noteEmpty, writeRecords, type Column, type OutputOptions } from '../ui/records.ts';
import { addPaging, ListPart, type PartOptions } from '../paging.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Takes back what \`import\`, \`change\`, \`delete\` or \`merge\` did: each book gets the state
it had before. These commands print the id of their batch when they end; --list shows
the recent ones, and --last takes back the newest that is neither an undo nor already
undone. In a pipe, the columns of --list are the id, the time, the changes, whether it is
undoable, and the titles of some books.

Books that were changed since are skipped and listed, and the exit status is 1. An undo
prints the id of a batch, too: undo that to get the changes back. If an undo is
interrupted, run it again to undo the rest. It then prints an id for the rest only.

Examples:
  $ shelflist undo --last
  $ shelflist undo --list --limit 50 --format csv
  $ shelflist undo --list --after 412
  $ shelflist undo --last --dry-run
  $ shelflist undo 8c1f0e6d2b7a94c35d10
  $ shelflist undo 8c1f0e6d2b7a94c35d10 --yes --json
  $ shelflist undo 8c1f0e6d2b7a94c35d10 --url https://books.example.org --username ada`;

interface UndoCommandOptions extends SessionOptions, OutputOptions, PartOptions {
  list?: boolean;
  last?: boolean;
  yes?: boolean;
  dryRun?: boolean;
}

const defaultLimit = 20;

export function defineUndo(command: Command, io: Io): void {
  const names = ['batch', 'at', 'undoable', ...changeKinds];
  const withFormat = addDryRun(addFormatOptions(addServiceOptions(command), names));
  addPaging(withFormat, 'batches in the list', defaultLimit)
    .argument('[batch]', 'the id of a batch', parseBatch)
    .addOption(new Option('--list', 'list the recent batches').conflicts(['last', 'yes']))
    .option('--last', 'take back the newest batch that is not an undo')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action((batch: string | undefined, options: UndoCommandOptions) => {
      if ([batch !== undefined, options.last, options.list].filter(Boolean).length !== 1)
        throw new CommandError('usage', { message: 'name a batch, or give --last or --list' });
      if (options.format !== undefined && options.list !== true)
        throw new CommandError('usage', { message: '--format is for --list; give --json instead' });
      return options.list ? listBatches(io, options) : undoBatch(io, batch, options);
    });
}

function parseBatch(value: string): string {
  if (isBatchId(value)) return value;
  throw new InvalidArgumentError(
    'expected 8 to 64 letters, digits, _ and -; `shelflist undo --list` shows them',
  );
}

type Row = Omit<BatchSummary, 'at' | 'books' | 'undoneBy'> & {
  readonly at: string;
  readonly changes?: string;
  readonly books?: string;
};

/** The number of books of a batch that are named. */
const namedBooks = 3;

const columns: readonly Column<Row>[] = [
  { name: 'batch', style: 'cyan' },
  { name: 'at', isTime: true },
  { name: 'changes' },
  { name: 'undoable' },
  { name: 'books' },
];

function toRow(
  { batch, at, books, undoneBy: _, ...numbers }: BatchSummary,
  { json, format }: OutputOptions,
): Row {
  const isJson = json === true || format === 'json' || format === 'ndjson';
  const words = { changes: describe(numbers), books: nameBooks({ ...numbers, books: books ?? [] }) };
  return { batch, at: at.toISOString(), ...numbers, ...(!isJson && words) };
}

/** Names some books of a batch: `Emma, Nana, …`. */
function nameBooks({ books = [], ...numbers }: Pick<BatchSummary, ChangeKind | 'books'>): string {
  const names = books.slice(0, namedBooks).map((book) => plain(book[nameField] || `book ${book.id}`));
  const total = changeKinds.reduce((sum, kind) => sum + numbers[kind], 0);
  return [...names, ...(names.length > 0 && total > names.length ? ['…'] : [])].join(', ');
}

async function listBatches(io: Io, options: UndoCommandOptions): Promise<void> {
  const part = new ListPart(options);
  const count = await withSession(io, options, (client) => {
    const readPage = async (page: Paging) => {
      const { items: batches, next } = await client.batches({ ...page, books: namedBooks });
      return { items: batches.map((each) => toRow(each, options)), next };
    };
    return writeRecords(io, columns, part.read(readPage), options);
  });
  part.noteMore(io);
  noteEmpty(io, count, options, 'no batches');
}

async function undoBatch(io: Io, batch: string | undefined, options: UndoCommandOptions): Promise<void> {
  const { dryRun = false, yes = dryRun, json = false } = options;
  if (!yes) requireTerminal(io, 'undoing a batch');
  await withSession(io, options, async (client) => {
    const numbers = await (batch === undefined ? findLast(client) : findBatch(client, batch));
    const isAsked = dryRun || !yes;
    const books = isAsked ? await client.batchBooks(numbers.batch, namedBooks) : [];
    const summary = { ...numbers, books };
    if (dryRun) {
      await writeRecords(io, columns, [toRow(summary, options)], options);
      if (!json) notice(io, summary.undoable === false ? 'nothing would be undone' : 'would undo this batch');
      return;
    }
    const named = nameBooks(summary);
    if (!json)
      (yes ? notice : show)(
        io,
        `batch of ${formatTime(summary.at)}: ${describe(summary)}${named && ` (${named})`}`,
      );
    // If there is nothing to take back, the undo changes nothing, and says why.
    if (options.yes !== true && summary.undoable !== false)
      await confirm(io, 'Take it back?', 'nothing was undone');
    await undo(io, client, summary, options);
  });
}

async function findBatch(client: Client, batch: string): Promise<BatchSummary> {
  try {
    return await client.batch(batch);
  } catch (error) {
    if (!hasCode(error, 'batch_not_found')) throw error;
    throw new ShelflistError('batch_not_found', {
      message: `batch ${batch} not found: no book was changed in it, or it is too old to be undone; check the id`,
    });
  }
}

/**
 * The newest batch that is neither an undo nor undone already.
 *
 * @throws {CommandError} `failed`: its books were changed since. The user does not mean an older one.
 */
async function findLast(client: Client): Promise<BatchSummary> {
  const { isUndoOf } = await import('../../store/contract/undo.ts');
  const undos: string[] = [];
  for (let after: string | undefined; ;) {
    const { items: batches, next } = await client.batches({ limit: defaultLimit, after });
    for (const summary of batches) {
      const { batch, undoable, at } = summary;
      if (batch.startsWith('undo-')) undos.push(batch);
      else if (undoable !== false) return summary;
      else if (!undos.some((undo) => isUndoOf(undo, batch)))
        throw new CommandError('failed', {
          message:
            `cannot take back the newest batch, ${batch} of ${formatTime(at)}: its books were changed since; ` +
            'name another batch from `shelflist undo --list`',
        });
    }
    if (next === undefined)
      throw new ShelflistError('book_not_found', { message: 'there is no batch to take back' });
    after = next;
  }
}

function describe(summary: Pick<BatchSummary, ChangeKind>): string {
  const parts = changeKinds.flatMap((kind) =>
    summary[kind] === 0 ? [] : `${kind} ${counted(summary[kind], 'book')}`,
  );
  return parts.join(', ');
}

/** How to complete an undo that was interrupted. */
const advice = 'repeat it to undo the rest';

async function undo(
  io: Io,
  client: Client,
  summary: BatchSummary,
  { json = false }: UndoCommandOptions,
): Promise<void> {
  const total = changeKinds.reduce((sum, kind) => sum + summary[kind], 0);
  const progress = createProgress(io, total, 'books');
  let own: string | undefined;
  let isChanged = true; // Until the service answers, it may have changed books.
  const onProgress: NonNullable<UndoOptions['onProgress']> = ({ undone, left, batch }) => {
    own = batch;
    isChanged = batch !== undefined;
    progress.update(undone + left, undone);
  };
  const run = async (signal: AbortSignal, tell: (document: unknown) => Promise<void>) => {
    progress.start();
    // A step that is on its way ends: then the batch is known.
    const ending = new AbortController();
    try {
      const result = await client.undo(summary.batch, {
        signal: ending.signal,
        onProgress(done) {
          onProgress(done);
          if (signal.aborted) ending.abort();
        },
      });
      progress.stop();
      if (json) await tell({ batch: result.batch ?? null, undone: result.undone, left: result.left });
      else reportUndo(io, summary, result);
      return result;
    } catch (reason) {
      progress.stop();
      const isInterrupted = ending.signal.aborted;
      const error = isInterrupted
        ? new CommandError('interrupted', { message: 'interrupted before the end' })
        : reason;
      isChanged = own !== undefined || isUncertain(error);
      throw withAdvice(error, advice);
    }
  };
  const { left } = await runBatch(io, { batch: () => own, changed: () => isChanged, run });
  if (left.length > 0)
    throw new CommandError('failed', {
      message: `skipped ${counted(left.length, 'book')} that ${left.length === 1 ? 'was' : 'were'} changed since`,
    });
}

function reportUndo(io: Io, { batch }: BatchSummary, { undone, left }: UndoResult): void {
  const isDone = undone === 0 && left.length === 0;
  notice(io, isDone ? `batch ${batch} is already undone` : `undid ${counted(undone, 'book')}`);
  if (left.length > 0) notice(io, `skipped ${counted(left.length, 'book')}: ${listIds(left)}`);
}
