import { setTimeout } from 'node:timers/promises';
import { computingOf, type Computing } from '../../catalogue/errors.ts';
import type { Io } from '../io.ts';
import { withInterrupt } from './interrupt.ts';
import { createStatusLine } from './progress.ts';

type Ask<Answer> = (signal?: AbortSignal) => Promise<Answer>;

/**
 * Asks the service, and again while it is still computing the answer. A terminal shows what it does, and about how long.
 *
 * @param what What the service does: `comparing the books`.
 * @throws {CommandError} `interrupted`: Ctrl-C. Any other error of the service but the one that it is computing.
 */
export async function waitUntilComputed<Answer>(io: Io, what: string, ask: Ask<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const first = computingOf(error);
    if (first === undefined) throw error;
    return await withInterrupt(io, (signal) => askAgain(io, what, ask, first, signal), {
      ifStopped: `stopped; the service goes on ${what}`,
    });
  }
}

async function askAgain<Answer>(
  io: Io,
  what: string,
  ask: Ask<Answer>,
  first: Computing,
  signal: AbortSignal,
): Promise<Answer> {
  const line = createStatusLine(io);
  try {
    for (let { seconds, pauseMs } = first; ;) {
      line.show(`${what}: about ${seconds} s left`);
      await setTimeout(pauseMs, undefined, { signal });
      try {
        return await ask(signal);
      } catch (error) {
        const next = computingOf(error);
        if (next === undefined) throw error;
        ({ seconds, pauseMs } = next);
      }
    }
  } finally {
    line.clear();
  }
}
