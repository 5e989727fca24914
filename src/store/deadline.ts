/**
 * Rejects when `promise` has not settled after so many milliseconds; what it settles to later is dropped.
 *
 * Time in which the event loop stalled does not count, up to the deadline itself: the answer may have arrived in it, or the
 * call may not have left. A stall of 6 s therefore rejects nobody whose store answers within the 5 s that follow.
 */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const due = performance.now() + milliseconds;
    let isSettled = false;
    const fail = () => {
      if (!isSettled) reject(new Error(`no answer within ${milliseconds} ms`));
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

/** Timers run before the event loop reads what has arrived, immediates after it. */
function afterArrivals(callback: () => void): void {
  setImmediate(callback);
}
