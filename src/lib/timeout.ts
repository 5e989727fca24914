/**
 * Rejects when `promise` has not settled within the given milliseconds; a later result is ignored.
 *
 * If the event loop stalls, the deadline is extended by the delay of its timer, up to its own length. The answer may have
 * arrived meanwhile, or the call may not have been sent.
 */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const due = performance.now() + milliseconds;
    let isSettled = false;
    const fail = () => {
      if (!isSettled) reject(new Error(`no answer within ${Math.round(milliseconds)} ms`));
    };
    let timer = setTimeout(() => {
      const stalledMs = Math.min(performance.now() - due, milliseconds);
      afterArrivals(() => {
        if (stalledMs < 1) fail();
        else if (!isSettled) timer = setTimeout(afterArrivals, stalledMs, fail);
      });
    }, milliseconds);
    promise.then(resolve, reject).finally(() => {
      isSettled = true;
      clearTimeout(timer);
    });
  });
}

/** Timers run before the event loop reads incoming data, immediates after it. */
function afterArrivals(callback: () => void): void {
  setImmediate(callback);
}
