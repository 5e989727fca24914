// Answers that need every book: computed once for a version of the store, kept, and brought up to date in the background.
import { coalesce } from '../lib/coalesce.ts';
import type { Logger } from '../lib/logger.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { toBackground, type PrioritySignal } from '../lib/scheduler.ts';
import type { CompleteStore } from '../store/contract/store.ts';
import { NotReadyError } from './not-ready.ts';

/** The maximum wait of a request. Computing a small catalogue takes less. */
const maxWaitMs = 2000;
/**
 * A value that took longer than a request waits is used for this multiple of the time that it took; for readers without a token,
 * every value is. Their requests thus never take more than a fraction of the processor time, however often books change.
 */
const maxAgeFactor = 10;

/** What a computation receives. */
export interface Computation {
  /** Aborted when the service closes. Its priority is `background`: questions go first. */
  readonly signal: PrioritySignal;
  /** Called with the part that is done, 0 to 1: the time that is left is estimated from it. */
  readonly onProgress: (fraction: number) => void;
}

export interface ComputedOptions {
  readonly store: Pick<CompleteStore, 'version'>;
  /** What is being computed, for people: `the authors are being counted`. */
  readonly what: string;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
  /** Receives failures of background work. */
  readonly logger: Pick<Logger, 'warn'>;
  /** Values that share a queue are computed one at a time. Default: a queue of its own. */
  readonly queue?: Semaphore;
  /** Default 2 s. */
  readonly maxWaitMs?: number;
}

interface Kept<Value> {
  readonly value: Value;
  readonly version: string;
  readonly tookMs: number;
  /** When it was computed, or could not be computed again; by `performance.now()`. */
  at: number;
}

/**
 * A value that is computed from all books, outside the deadline of a request. A request waits a short time for the value of the
 * current version. If computing takes longer, the first requests fail with {@link NotReadyError}; later ones get the kept value
 * at once, while a newer one is computed in the background.
 *
 * Do not read it in the queue of pages (`ReadQueue.run`): an `unavailable` there fails all waiting pages.
 */
export class StaleWhileRevalidate<Value> {
  readonly #options: ComputedOptions;
  readonly #maxWaitMs: number;
  readonly #queue: Semaphore;
  readonly #signal: PrioritySignal;
  readonly #compute: (computation: Computation) => Promise<Value>;
  /** Starts after all its callers have called, so that each sees the writes acknowledged before. */
  readonly #refreshOnce: () => Promise<Value>;
  #kept: Kept<Value> | undefined;
  /** The computation that runs. */
  #running: { readonly since: number; fraction: number } | undefined;
  /** Why no value was computed, for the next request: the others were told to come back. */
  #failure: { readonly error: unknown } | undefined;
  #waiting = 0;
  /** Whether a newer value is computed in the background. */
  #isRefreshing = false;

  constructor(compute: (computation: Computation) => Promise<Value>, options: ComputedOptions) {
    this.#compute = compute;
    this.#options = options;
    this.#maxWaitMs = options.maxWaitMs ?? maxWaitMs;
    this.#queue = options.queue ?? new Semaphore(1);
    this.#signal = toBackground(AbortSignal.any([options.closing]));
    this.#refreshOnce = coalesce(() => this.#queue.run(() => this.#refresh(), options.closing));
  }

  /**
   * The value at the current version of the store, or at a newer one; at an older one if computing it takes long.
   *
   * @param options `mayBeOld`: also accept a kept value, of an age that depends on the time that it took. Default false.
   * @throws {NotReadyError} The first computation goes on, and a later call gets its result.
   * @throws What the store and the computation throw; and the signal's reason when it is aborted.
   */
  async read(signal: AbortSignal, { mayBeOld = false }: { mayBeOld?: boolean } = {}): Promise<Value> {
    const kept = this.#keptAt(await this.#options.store.version(), mayBeOld);
    if (kept !== undefined) return kept.value;
    if (this.#kept !== undefined && this.#isSlow(this.#kept)) {
      this.#refreshInBackground();
      return this.#kept.value;
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    const value = this.#wait(this.#refreshOnce());
    const leftMs = this.#leftMs;
    return this.#inTime(
      value,
      signal,
      leftMs !== undefined && leftMs > this.#maxWaitMs ? 0 : this.#maxWaitMs,
    );
  }

  /** Whether computing the value is known to take longer than a request waits. */
  get isSlow(): boolean {
    return this.#kept !== undefined && this.#isSlow(this.#kept);
  }

  /** The kept value, if requests at this version may get it without a new computation. */
  #keptAt(version: string, mayBeOld = false): Kept<Value> | undefined {
    const kept = this.#kept;
    if (kept === undefined || kept.version === version) return kept;
    const isYoung = performance.now() - kept.at < maxAgeFactor * kept.tookMs;
    return (mayBeOld || this.#isSlow(kept)) && isYoung ? kept : undefined;
  }

  #isSlow({ tookMs }: Kept<Value>): boolean {
    return tookMs > this.#maxWaitMs;
  }

  async #refresh(): Promise<Value> {
    // Read before the books, which may be newer.
    const version = await this.#options.store.version();
    const kept = this.#keptAt(version);
    if (kept !== undefined) return kept.value; // It was computed while this waited.
    const running = { since: performance.now(), fraction: 0 };
    this.#running = running;
    try {
      const onProgress = (fraction: number) => {
        running.fraction = fraction;
      };
      const value = await this.#compute({ signal: this.#signal, onProgress });
      const at = performance.now();
      this.#kept = { value, version, tookMs: at - running.since, at };
      return value;
    } finally {
      this.#running = undefined;
    }
  }

  #refreshInBackground(): void {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    this.#wait(this.#refreshOnce())
      .catch((error: unknown) => {
        this.#warn(error);
      })
      .finally(() => {
        this.#isRefreshing = false;
      });
  }

  /** Remembers a failure if no request waits for the value any more. */
  async #wait(value: Promise<Value>): Promise<Value> {
    try {
      return await value;
    } catch (error) {
      if (this.#kept !== undefined)
        this.#kept.at = performance.now(); // Not again with every request.
      else if (this.#waiting === 0) this.#failure = { error };
      throw error;
    }
  }

  #warn(error: unknown): void {
    const { closing, logger, what } = this.#options;
    if (closing.aborted) return;
    try {
      logger.warn({ cause: String(error) }, `${what}: this failed; the earlier result stays in use`);
    } catch {
      // A failing logger of an embedder must not affect the service.
    }
  }

  /** The time that is left for the computation that runs, in milliseconds; `undefined` while that is unknown. */
  get #leftMs(): number | undefined {
    if (this.#running === undefined || this.#running.fraction <= 0) return undefined;
    const { since, fraction } = this.#running;
    return ((performance.now() - since) * Math.max(0, 1 - fraction)) / fraction;
  }

  /** The value, if it is there in time; else the kept one, or an error that says when to come back. */
  #inTime(value: Promise<Value>, signal: AbortSignal, waitMs: number): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting++;
      let isWaiting = true;
      const end = () => {
        if (isWaiting) this.#waiting--;
        isWaiting = false;
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      };
      const leave = () => {
        end();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        end();
        if (this.#kept === undefined) reject(this.#notReady());
        else resolve(this.#kept.value);
      }, waitMs);
      signal.addEventListener('abort', leave, { once: true });
      value.then(resolve, reject).finally(end);
      if (signal.aborted) leave();
    });
  }

  #notReady(): NotReadyError {
    const running = this.#running;
    const elapsedMs = running === undefined ? this.#maxWaitMs : performance.now() - running.since;
    // Without progress, it may take as long again.
    const seconds = Math.max(1, Math.ceil((this.#leftMs ?? elapsedMs) / 1000));
    const percent = Math.floor(100 * Math.min(0.99, running?.fraction ?? 0));
    const { what } = this.#options;
    return new NotReadyError(
      `${what}, for the first time since the service started (${percent} %); repeat the request in ${seconds} s`,
      seconds,
      percent,
    );
  }
}
