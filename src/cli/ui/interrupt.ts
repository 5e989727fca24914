import { once } from 'node:events';
import type { Book } from '../../catalogue/book.ts';
import type { Client } from '../../client/client.ts';

/** A request to stop: Ctrl-C (SIGINT), or SIGTERM from a supervisor. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Waits for the copy of a signal that npm sends: it would kill a process that is about to exit. */
  settled(): Promise<void>;
  /** Restores the default handling of the signals. */
  release(): void;
}

/** npm forwards Ctrl-C to a child that the terminal has signalled already. A second signal this soon is that copy. */
const copyDelayMs = 500;

const parentCheckMs = 500;

/**
 * Turns the first SIGINT or SIGTERM into an abort. A second one ends the process at once, whatever it waits for.
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
    timer = setTimeout(release, copyDelayMs);
    timer.unref();
  };
  const settled = async () => {
    if (env.npm_execpath === undefined || !first.signal.aborted || last.signal.aborted) return;
    timer?.ref();
    await once(last.signal, 'abort');
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  if (env.npm_lifecycle_event === 'start') watchParent(onSignal, last.signal);
  return { signal: first.signal, settled, release };
}

/** The shell between `npm start` and this process keeps SIGTERM to itself: it ends, and this process gets another parent. */
function watchParent(onEnd: () => void, released: AbortSignal): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, parentCheckMs);
  timer.unref();
  released.addEventListener('abort', () => {
    clearInterval(timer);
  });
}

/** Reads every book of a service until the signal aborts, which also aborts the pending request. */
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
