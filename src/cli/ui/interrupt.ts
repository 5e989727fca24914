import { once } from 'node:events';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { Io } from '../io.ts';

/**
 * Runs an action whose signal aborts at Ctrl-C (SIGINT), or at SIGTERM from a supervisor.
 *
 * @param ifStopped The message of the error if the action fails after that. Default: that of the action.
 * @throws {ShelflistError} `interrupted`, with this message.
 */
export async function withInterrupt<T>(
  { env }: Io,
  action: (signal: AbortSignal) => Promise<T>,
  ifStopped?: string,
): Promise<T> {
  const { signal, settled, release } = watchInterrupt(env);
  try {
    return await action(signal);
  } catch (error) {
    if (ifStopped === undefined || !signal.aborted) throw error;
    throw new ShelflistError('interrupted', { message: ifStopped });
  } finally {
    await settled();
    release();
  }
}

/** npm forwards Ctrl-C to a child that the terminal has signalled already. A second signal this soon is that copy. */
const copyDelayMs = 500;

const parentCheckMs = 500;

/** Turns the first SIGINT or SIGTERM into an abort. A second one ends the process at once, whatever it waits for. */
function watchInterrupt(env: Io['env']) {
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
  /** Waits for the copy of a signal that npm sends: it would kill a process that is about to exit. */
  const settled = async () => {
    if (env.npm_execpath === undefined || !first.signal.aborted || last.signal.aborted) return;
    timer?.ref();
    await once(last.signal, 'abort');
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  if (env.npm_lifecycle_event === 'start') watchParent(onSignal, last.signal);
  return { signal: first.signal, settled, release };
}

/** The shell between `npm start` and this process does not forward SIGTERM: it exits, and this process gets another parent. */
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
