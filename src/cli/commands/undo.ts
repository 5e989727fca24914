import { InvalidArgumentError, Option, type Command } from 'commander';
import { isBatch } from '../../catalogue/batch.ts';
import { changeKinds, type BatchSummary } from '../../catalogue/changes.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { CommandError } from '../command-error.ts';
import { addFormatOptions, addServiceOptions, parseLimit } from '../arguments.ts';
import { confirm, isUncertain, listIds, requireTerminal, runBatch, withAdvice } from '../ui/batches.ts';
import { type Io, counted, formatTime, notice } from '../io.ts';
import { createProgress } from '../ui/progress.ts';
import { readPages, type Client, type UndoResult } from '../../client/client.ts';
import type { PageOptions } from '../../client/operations.ts';
import type { UndoOptions } from '../../client/options.ts';
import { noteEmpty, writeRecords, type Column, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Takes back what \`import\`, \`change\`, \`delete\` or \`merge\` did: each book gets the state
it had before. These commands print the id of their batch when they end; --list shows
the recent ones, and --last takes back the newest that is neither an undo nor already
undone. In a pipe, the columns of --list are the id, the time, the changes, and whether
it is undoable.

Books that were changed since are skipped and listed, and the exit status is 1. An undo
prints the id of a batch, too: undo that to get the changes back. If an undo is
interrupted, run it again to undo the rest. It then prints an id for the rest only.

Examples:
  $ shelflist undo --last
  $ shelflist undo --list --limit 50 --format csv
  $ shelflist undo 8c1f0e6d2b7a94c35d10
  $ shelflist undo 8c1f0e6d2b7a94c35d10 --yes --json
  $ shelflist undo 8c1f0e6d2b7a94c35d10 --url https://books.example.org --username ada`;

interface UndoCommandOptions extends SessionOptions, OutputOptions {
  list?: boolean;
  last?: boolean;
  limit: number;
  yes?: boolean;
}

const defaultLimit = 20;

export function defineUndo(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument('[batch]', 'the id of a batch', parseBatch)
    .addOption(new Option('--list', 'list the recent batches').conflicts(['last', 'yes']))
    .option('--last', 'take back the newest batch that is not an undo')
    .option('--limit <count>', 'the maximum number of batches in the list', parseLimit, defaultLimit)
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
  if (isBatch(value)) return value;
  throw new InvalidArgumentError('expected 8 to 64 letters, digits, _ and -');
}

type Row = Omit<BatchSummary, 'at'> & { readonly at: string; readonly changes?: string };

const columns: readonly Column<Row>[] = [
  { name: 'batch', style: 'cyan' },
  { name: 'at', isTime: true },
  { name: 'changes' },
  { name: 'undoable' },
];

async function listBatches(io: Io, options: UndoCommandOptions): Promise<void> {
  const isJson = options.json === true || options.format === 'json' || options.format === 'ndjson';
  const toRow = ({ batch, at, ...numbers }: BatchSummary): Row => ({
    batch,
    at: at.toISOString(),
    ...numbers,
    ...(!isJson && { changes: describe(numbers) }),
  });
  const count = await withSession(io, options, (client) => {
    const readPage = async (page: PageOptions) => {
      const { batches, next } = await client.batches(page);
      return { items: batches.map(toRow), next };
    };
    return writeRecords(io, columns, readPages(readPage, options.limit), options);
  });
  noteEmpty(io, count, options, 'no batches');
}

async function undoBatch(io: Io, batch: string | undefined, options: UndoCommandOptions): Promise<void> {
  if (options.yes !== true) requireTerminal(io, 'undoing a batch');
  await withSession(io, options, async (client) => {
    const summary = await (batch === undefined ? findLast(client) : findBatch(client, batch));
    if (!options.json) notice(io, `batch of ${formatTime(summary.at)}: ${describe(summary)}`);
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
    if (!hasCode(error, 'not_found')) throw error;
    throw new ShelflistError('book_not_found', {
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
    const { batches, next } = await client.batches({ limit: defaultLimit, after });
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

function describe(summary: Pick<BatchSummary, (typeof changeKinds)[number]>): string {
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
    try {
      const result = await client.undo(summary.batch, { signal, onProgress });
      progress.stop();
      if (json) await tell({ batch: result.batch ?? null, undone: result.undone, left: result.left });
      else reportUndo(io, summary, result);
      return result;
    } catch (error) {
      progress.stop();
      isChanged = own !== undefined || isUncertain(error);
      throw withAdvice(error, advice);
    }
  };
  const { left, isStopped } = await runBatch(io, { batch: () => own, changed: () => isChanged, run });
  if (isStopped)
    throw withAdvice(new CommandError('interrupted', { message: 'interrupted before the end' }), advice);
  if (left.length > 0)
    throw new CommandError('failed', {
      message: `skipped ${counted(left.length, 'book')} that ${left.length === 1 ? 'was' : 'were'} changed since`,
    });
}

function reportUndo(io: Io, { batch }: BatchSummary, { undone, left, isStopped }: UndoResult): void {
  const isDone = undone === 0 && left.length === 0 && !isStopped;
  notice(io, isDone ? `batch ${batch} is already undone` : `undid ${counted(undone, 'book')}`);
  if (left.length > 0) notice(io, `skipped ${counted(left.length, 'book')}: ${listIds(left)}`);
}
