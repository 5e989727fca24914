import process from 'node:process';

/** A request to stop: Ctrl-C (SIGINT), or SIGTERM from a supervisor. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Gives the signals back to the system. */
  release(): void;
}

/** npm passes Ctrl-C on to a child that the terminal has told already: what comes this soon is the same request. */
const sameRequestMs = 500;

/**
 * Turns the first SIGINT or SIGTERM into an abort. After that the signals are the system's again, so that a
 * second one ends the process at once, whatever it waits for.
 */
export function watchInterrupt(): Interrupt {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(timer);
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  };
  const onSignal = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    timer = setTimeout(release, sameRequestMs);
    timer.unref();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return { signal: controller.signal, release };
}
