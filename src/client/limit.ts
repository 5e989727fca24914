import { ShelflistError } from '../catalogue/errors.ts';

/** Ends what takes too long, or is no longer wanted. */
export interface Limit {
  /** Aborts with a `timeout`, with the reason of one of the given signals, or with that of `abort`. */
  readonly signal: AbortSignal;
  /** Waits for a promise, at most for the given time. @throws The reason of the signal, as soon as it aborts. */
  wait<T>(milliseconds: number, problem: string, promise: Promise<T>): Promise<T>;
  abort(reason: unknown): void;
  /** Forgets the given signals. */
  end(): void;
}

/** Combines signals and a time limit. */
export function createLimit(...signals: readonly (AbortSignal | undefined)[]): Limit {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (reason: unknown) => {
    controller.abort(reason);
  };
  const ends = signals.map((each) => {
    const forward = () => {
      abort(each?.reason);
    };
    if (each?.aborted) forward();
    each?.addEventListener('abort', forward);
    return () => {
      each?.removeEventListener('abort', forward);
    };
  });
  return {
    signal,
    abort,
    wait: (milliseconds, problem, promise) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          abort(new ShelflistError('timeout', { message: `${problem} ${milliseconds / 1000} s` }));
        }, milliseconds);
        const fail = () => {
          reject(signal.reason as Error);
        };
        if (signal.aborted) fail();
        signal.addEventListener('abort', fail);
        promise.then(resolve, reject).finally(() => {
          clearTimeout(timer);
          signal.removeEventListener('abort', fail);
        });
      }),
    end: () => {
      for (const end of ends) end();
    },
  };
}
