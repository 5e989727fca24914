/** The event loop runs at least this often, in milliseconds: a page reacts to clicks, a command to Ctrl-C. */
const maxBusyMs = 50;

/**
 * For long work in a page or a command, which has an event loop for itself: the function that is returned lets the event loop run
 * if it has not for a while. The work calls it often.
 *
 * @param signal When it is aborted, the work ends with its reason.
 */
export function createPauses(signal?: AbortSignal): () => Promise<void> {
  let pausedAt = performance.now();
  return async () => {
    if (performance.now() - pausedAt < maxBusyMs) return;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    signal?.throwIfAborted();
    pausedAt = performance.now();
  };
}
