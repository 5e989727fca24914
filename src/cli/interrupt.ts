import { once } from 'node:events';
import type { Book } from '../book.ts';
import type { Client } from '../client/client.ts';

/** A request to stop: Ctrl-C (SIGINT), or SIGTERM from a supervisor. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Waits until the request, if it came through npm, has come a second time: that copy would kill a process at its end. */
  settled(): Promise<void>;
  /** Gives the signals back to the system. */
  release(): void;
}

/** npm passes Ctrl-C on to a child that the terminal has told already: what comes this soon is the same request. */
const sameRequestMs = 500;

/**
 * Turns the first SIGINT or SIGTERM into an abort. After that the signals are the system's again, so that a
 * second one ends the process at once, whatever it waits for.
 */
export function watchInterrupt(env: NodeJS.ProcessEnv = {}): Interrupt {
  const first = new AbortController();
  const last = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(timer);
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    last.abort();
  };
  const onSignal = () => {
    if (first.signal.aborted) {
      last.abort();
      return;
    }
    first.abort();
    timer = setTimeout(release, sameRequestMs);
    timer.unref();
  };
  const settled = async () => {
    if (env.npm_execpath === undefined || !first.signal.aborted || last.signal.aborted) return;
    timer?.ref();
    await once(last.signal, 'abort');
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return { signal: first.signal, settled, release };
}

/** Every book of a service, until it is told to stop: then the answer that is waited for breaks off. */
export async function* booksUntil(
  signal: AbortSignal,
  client: Client,
): AsyncGenerator<Book, void, undefined> {
  const stop = () => {
    client.close();
  };
  signal.addEventListener('abort', stop);
  try {
    yield* client.books();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
