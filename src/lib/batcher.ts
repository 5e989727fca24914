import { setImmediate } from 'node:timers/promises';
import { withTimeout } from './timeout.ts';

/** What became of one of the requests that shared a call. */
export type Verdict<Result> = { value: Result } | { error: Error };

interface Waiting<Request, Result> {
  readonly request: Request;
  /** When its waiting time began. */
  since: number;
  readonly settle: (verdict: Verdict<Result>) => void;
}

export interface BatcherOptions {
  /** A call that has not answered by then has failed; a request that waited this long is not sent any more. Default: never. */
  deadlineMs?: number;
  /** Requests that share one call at the most. Default 1000. */
  maxAtOnce?: number;
}

/** So long a call waits for others to share it, while each turn of the event loop brings some. */
const maxCollectMs = 2;

/** A timer may fire this much before the clock says so. */
const timerSlackMs = 2;

/**
 * Lets requests that wait at the same moment share one call: those that come one turn of the event loop after the other, and
 * those that come while a call is under way, of which there is one at a time. They go in the order in which they came.
 * A request that comes alone waits for nobody.
 *
 * @param call Gives a verdict for each request, in their order; if it rejects, that is the verdict for all.
 */
export function createBatcher<Request, Result>(
  call: (requests: readonly Request[]) => Promise<readonly Verdict<Result>[]>,
  { deadlineMs = Infinity, maxAtOnce = 1000 }: BatcherOptions = {},
): (request: Request) => Promise<Result> {
  const waiting: Waiting<Request, Result>[] = [];
  let isCalling = false;

  /**
   * Restarts the waiting time of requests if the deadline has passed and no timer has fired: then this process stalled, not
   * the store.
   */
  function forgiveStall(begun: number): void {
    const now = performance.now();
    if (now - begun < deadlineMs) return;
    for (const each of waiting) each.since = now;
  }

  async function callTogether(together: readonly Waiting<Request, Result>[]): Promise<void> {
    const begun = performance.now();
    let isOver = false;
    try {
      const answer = call(together.map(({ request }) => request)).finally(() => {
        if (!isOver) forgiveStall(begun);
      });
      const verdicts = await (deadlineMs === Infinity ? answer : withTimeout(deadlineMs, answer));
      together.forEach(({ settle }, i) => {
        settle(verdicts[i] ?? { error: new Error('no verdict') });
      });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error('the call failed', { cause });
      for (const { settle } of together) settle({ error });
    } finally {
      isOver = true;
    }
  }

  /** Resolves when a turn of the event loop has brought no more of them, and soon in any case. */
  async function othersHaveCome(): Promise<void> {
    const begun = performance.now();
    const end = begun + maxCollectMs;
    for (let before = 0; waiting.length > before && performance.now() < end;) {
      before = waiting.length;
      await setImmediate();
    }
    forgiveStall(begun);
  }

  async function work(): Promise<void> {
    isCalling = true;
    while (waiting.length > 0) {
      await othersHaveCome();
      const oldest = performance.now() - deadlineMs + timerSlackMs;
      const together = waiting.splice(0, maxAtOnce);
      const wanted = together.filter(({ since }) => since > oldest);
      for (const { settle, since } of together) {
        if (since <= oldest) settle({ error: new Error(`waited ${deadlineMs} ms for its turn`) });
      }
      if (wanted.length > 0) await callTogether(wanted);
    }
    isCalling = false;
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const settle = (verdict: Verdict<Result>) => {
        if ('value' in verdict) resolve(verdict.value);
        else reject(verdict.error);
      };
      waiting.push({ request, since: performance.now(), settle });
      if (!isCalling) void work();
    });
}

/** {@link createBatcher} for a call without arguments: callers that wait at the same moment share its result. */
export function coalesce<Result>(
  call: () => Promise<Result>,
  options?: BatcherOptions,
): () => Promise<Result> {
  const ask = createBatcher(async (requests: readonly undefined[]) => {
    const value = await call();
    return requests.map(() => ({ value }));
  }, options);
  return () => ask(undefined);
}
