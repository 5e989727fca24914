import { eachAtOnce } from '../lib/semaphore.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { notice, programName, type Io } from './io.ts';
import { ask } from './prompt.ts';

/** The maximum number of changes that a command has in flight: the service writes them together. */
const maxInFlight = 32;
/** The maximum number of ranges in a message. */
const maxListedRanges = 20;

/** Says how to take back what a command did. */
export function adviseUndo(io: Io, batch: string): void {
  notice(io, `to take this back: ${programName(io)} undo ${batch}`);
}

/** Adds advice on how to complete the work, except to an error that would recur (`failed`). */
export function withAdvice(error: unknown, advice: string): unknown {
  if (!(error instanceof ShelflistError) || error.code === 'failed') return error;
  const { code, message, headers, requestId } = error;
  return new ShelflistError(code, { message: `${message}; ${advice}`, headers, requestId, cause: error });
}

/** Changes items concurrently. @throws The first error, after the changes in flight have ended. */
export function changeAll<T>(items: readonly T[], change: (item: T) => Promise<void>): Promise<void> {
  return eachAtOnce(items, maxInFlight, change);
}

/** Lists ids as ranges: `3, 28..18212`. */
export function listIds(ids: readonly number[], maxRanges = maxListedRanges): string {
  const ranges: { first: number; last: number }[] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && id <= range.last + 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}..${last}`));
  const more = texts.length > maxRanges ? [`… (${texts.length - maxRanges} more)`] : [];
  return [...texts.slice(0, maxRanges), ...more].join(', ');
}

/**
 * Asks for confirmation on a terminal.
 *
 * @param ifStopped What the error says if the user declines.
 * @throws {ShelflistError} `failed`: declined; `interrupted`.
 */
export async function confirm(io: Io, question: string, ifStopped: string): Promise<void> {
  const answer = await ask(io, `${question} [y/N] `, { ifStopped });
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new ShelflistError('failed', { message: ifStopped });
}

/** Requires `--yes` without a terminal. @throws {ShelflistError} `usage` */
export function requireTerminal(io: Io, action: string): void {
  if (io.stdin.isTTY === true) return;
  throw new ShelflistError('usage', { message: `${action} without a terminal needs --yes` });
}
