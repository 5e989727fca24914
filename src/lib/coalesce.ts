import { setImmediate } from 'node:timers/promises';
import { withTimeout } from './timeout.ts';

/** The result of one request of a shared call. */
export type CallResult<Result> = { value: Result } | { error: Error };

interface Waiting<Request, Result> {
  readonly request: Request;
  /** The start of its waiting time. */
  since: number;
  readonly settle: (result: CallResult<Result>) => void;
}

interface CoalesceOptions {
  /** The maximum time of a request, from its arrival to its result. A call ends with that of its oldest one. Default: unlimited. */
  deadlineMs?: number;
  /** The maximum number of requests per call. Default 1000. */
  maxAtOnce?: number;
  /**
   * The maximum time to collect requests, while each turn of the event loop brings more. Default 0: a call takes those of one
   * turn, and answered callers ask again while the next call runs. Collecting pays if a call costs much more than a request.
   */
  maxCollectMs?: number;
}

/** A request with less time left fails without being sent: its call would hardly end in time. */
const minTimeMs = 10;

/**
 * Combines concurrent requests into shared calls: those of one turn of the event loop, and those that arrive during a call.
 * One call runs at a time, and requests keep their order. A single request does not wait for others.
 *
 * @param call Returns a result for each request, in order. If it rejects, all requests do. `timeoutMs` is the time that it has.
 */
export function coalesceRequests<Request, Result>(
  call: (requests: readonly Request[], timeoutMs: number) => Promise<readonly CallResult<Result>[]>,
  { deadlineMs = Infinity, maxAtOnce = 1000, maxCollectMs = 0 }: CoalesceOptions = {},
): (request: Request) => Promise<Result> {
  const waiting: Waiting<Request, Result>[] = [];
  let isCalling = false;

  /** Restarts the waiting times if the deadline has passed and no timer has fired: this process stalled, not the call. */
  function forgiveStall(begun: number): void {
    const now = performance.now();
    if (now - begun < deadlineMs) return;
    for (const each of waiting) each.since = now;
  }

  async function callWith(group: readonly Waiting<Request, Result>[]): Promise<void> {
    const begun = performance.now();
    const timeoutMs = deadlineMs - (begun - (group[0]?.since ?? begun));
    let isOver = false;
    try {
      const asked = group.map(({ request }) => request);
      const promise = call(asked, timeoutMs).finally(() => {
        if (!isOver) forgiveStall(begun);
      });
      const results = await (deadlineMs === Infinity ? promise : withTimeout(timeoutMs, promise));
      group.forEach(({ settle }, i) => {
        settle(results[i] ?? { error: new Error('the call returned too few results') });
      });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error('the call failed', { cause });
      for (const { settle } of group) settle({ error });
    } finally {
      isOver = true;
    }
  }

  async function collect(): Promise<void> {
    const begun = performance.now();
    const end = begun + maxCollectMs;
    let before: number;
    do {
      before = waiting.length;
      await setImmediate();
    } while (waiting.length > before && performance.now() < end);
    forgiveStall(begun);
  }

  async function work(): Promise<void> {
    isCalling = true;
    while (waiting.length > 0) {
      await collect();
      const oldest = performance.now() - deadlineMs + minTimeMs;
      const group = waiting.splice(0, maxAtOnce);
      const current = group.filter(({ since }) => since > oldest);
      for (const { settle, since } of group) {
        if (since <= oldest) settle({ error: new Error(`not sent: waited ${deadlineMs} ms`) });
      }
      if (current.length > 0) await callWith(current);
    }
    isCalling = false;
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const settle = (result: CallResult<Result>) => {
        if ('value' in result) resolve(result.value);
        else reject(result.error);
      };
      waiting.push({ request, since: performance.now(), settle });
      if (!isCalling) void work();
    });
}

/** {@link coalesceRequests} for a call without arguments: concurrent callers share its result. */
export function coalesce<Result>(
  call: () => Promise<Result>,
  options?: CoalesceOptions,
): () => Promise<Result> {
  const ask = coalesceRequests(async (requests: readonly undefined[]) => {
    const value = await call();
    return requests.map(() => ({ value }));
  }, options);
  return () => ask(undefined);
}
