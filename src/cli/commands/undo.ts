import { InvalidArgumentError, type Command } from 'commander';
import { isBatch } from '../../catalogue/batch.ts';
import { changeKinds, type BatchSummary } from '../../catalogue/changes.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { adviseUndo, confirm, listIds, requireTerminal, withAdvice } from '../batches.ts';
import { type Io, counted, formatTime, notice, writeJson } from '../io.ts';
import { createProgress } from '../ui/progress.ts';
import { withInterrupt } from '../ui/interrupt.ts';
import type { Client, UndoResult } from '../../client/client.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Takes back what \`import\`, \`change\`, \`delete\` or \`merge\` did: each book gets the state
it had before. These commands print the id of their batch when they end.

Books that were changed since are skipped and listed, and the exit status is 1. An undo
prints the id of a batch, too: undo that to get the changes back. If an undo is
interrupted, run it again to undo the rest. It then prints an id for the rest only.

Examples:
  $ shelflist undo 8c1f0e6d2b7a94c35d10
  $ shelflist undo 8c1f0e6d2b7a94c35d10 --yes --json
  $ shelflist undo 8c1f0e6d2b7a94c35d10 --url https://books.example.org --username ada`;

interface UndoCommandOptions extends SessionOptions {
  yes?: boolean;
  json?: boolean;
}

export function defineUndo(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .argument('<batch>', 'the id of a batch', parseBatch)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action((batch: string, options: UndoCommandOptions) => undoBatch(io, batch, options));
}

function parseBatch(value: string): string {
  if (isBatch(value)) return value;
  throw new InvalidArgumentError('expected 8 to 64 letters, digits, _ and -');
}

async function undoBatch(io: Io, batch: string, options: UndoCommandOptions): Promise<void> {
  if (options.yes !== true) requireTerminal(io, 'undoing a batch');
  await withSession(io, options, async (client) => {
    const summary = await findBatch(client, batch);
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

function describe(summary: BatchSummary): string {
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
  progress.start();
  let result: UndoResult;
  try {
    const onProgress = ({ undone, left }: { undone: number; left: number }) => {
      progress.update(undone + left, undone);
    };
    result = await withInterrupt(io, (signal) => client.undo(summary.id, { signal, onProgress }));
  } catch (error) {
    throw withAdvice(error, advice);
  } finally {
    progress.stop();
  }
  const { batch = null, undone, left, isStopped } = result;
  if (json) await writeJson(io, { batch, undone, left });
  else {
    const isDone = undone === 0 && left.length === 0 && !isStopped;
    notice(io, isDone ? `batch ${summary.id} is already undone` : `undid ${counted(undone, 'book')}`);
    if (left.length > 0) notice(io, `skipped ${counted(left.length, 'book')}: ${listIds(left)}`);
    if (batch !== null && undone > 0) adviseUndo(io, batch);
  }
  if (isStopped)
    throw withAdvice(new ShelflistError('interrupted', { message: 'interrupted before the end' }), advice);
  if (left.length > 0)
    throw new ShelflistError('failed', {
      message: `skipped ${counted(left.length, 'book')} that ${left.length === 1 ? 'was' : 'were'} changed since`,
    });
}
