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
  call: Call<Request, Result>,
  options: CoalesceOptions = {},
): (request: Request) => Promise<Result> {
  const queue = new Queue(call, options);
  return (request) => queue.ask(request);
}

type Call<Request, Result> = (
  requests: readonly Request[],
  timeoutMs: number,
) => Promise<readonly CallResult<Result>[]>;

/** The requests that wait for a call. */
class Queue<Request, Result> {
  readonly #call: Call<Request, Result>;
  readonly #deadlineMs: number;
  readonly #maxAtOnce: number;
  readonly #maxCollectMs: number;
  readonly #waiting: Waiting<Request, Result>[] = [];
  #isCalling = false;

  constructor(
    call: Call<Request, Result>,
    { deadlineMs = Infinity, maxAtOnce = 1000, maxCollectMs = 0 }: CoalesceOptions,
  ) {
    this.#call = call;
    this.#deadlineMs = deadlineMs;
    this.#maxAtOnce = maxAtOnce;
    this.#maxCollectMs = maxCollectMs;
  }

  ask(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (result: CallResult<Result>) => {
        if ('value' in result) resolve(result.value);
        else reject(result.error);
      };
      this.#waiting.push({ request, since: performance.now(), settle });
      if (!this.#isCalling) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isCalling = true;
    while (this.#waiting.length > 0) {
      await this.#collect();
      const oldest = performance.now() - this.#deadlineMs + minTimeMs;
      const group = this.#waiting.splice(0, this.#maxAtOnce);
      const current = group.filter(({ since }) => since > oldest);
      for (const { settle, since } of group) {
        if (since <= oldest) settle({ error: new Error(`not sent: waited ${this.#deadlineMs} ms`) });
      }
      if (current.length > 0) await this.#callWith(current);
    }
    this.#isCalling = false;
  }

  async #collect(): Promise<void> {
    const begun = performance.now();
    const end = begun + this.#maxCollectMs;
    let before: number;
    do {
      before = this.#waiting.length;
      await setImmediate();
    } while (this.#waiting.length > before && performance.now() < end);
    this.#forgiveStall(begun);
  }

  async #callWith(group: readonly Waiting<Request, Result>[]): Promise<void> {
    const begun = performance.now();
    const timeoutMs = this.#deadlineMs - (begun - (group[0]?.since ?? begun));
    let isOver = false;
    try {
      const asked = group.map(({ request }) => request);
      const promise = this.#call(asked, timeoutMs).finally(() => {
        if (!isOver) this.#forgiveStall(begun);
      });
      const results = await (this.#deadlineMs === Infinity ? promise : withTimeout(timeoutMs, promise));
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

  /** Restarts the waiting times if the deadline has passed and no timer has fired: this process stalled, not the call. */
  #forgiveStall(begun: number): void {
    const now = performance.now();
    if (now - begun < this.#deadlineMs) return;
    for (const each of this.#waiting) each.since = now;
  }
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
