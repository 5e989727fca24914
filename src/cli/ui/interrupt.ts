import { once } from 'node:events';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';

interface InterruptOptions {
  /** The message of the error if the action fails after a signal. Default: that of the action. */
  readonly ifStopped?: string;
  /** Called before a second signal ends the process. */
  readonly onSecond?: () => void;
  /** Whether SIGHUP, from a terminal that is closed, is a signal to end, too. Default true. */
  readonly endsOnHangUp?: boolean;
}

/**
 * Runs an action whose signal aborts at Ctrl-C (SIGINT), at SIGTERM from a supervisor, or when the terminal is closed (SIGHUP).
 *
 * @throws {CommandError} `interrupted`, with the message `ifStopped`.
 */
export async function withInterrupt<T>(
  { env }: Io,
  action: (signal: AbortSignal) => Promise<T>,
  options: InterruptOptions = {},
): Promise<T> {
  const { signal, settled, release } = watchInterrupt(env, options);
  try {
    return await action(signal);
  } catch (error) {
    if (options.ifStopped === undefined || !signal.aborted) throw error;
    throw new CommandError('interrupted', { message: options.ifStopped });
  } finally {
    await settled();
    release();
  }
}

/** npm forwards Ctrl-C to a child that the terminal has signalled already. A second signal this soon is that copy. */
const copyDelayMs = 500;

const parentCheckMs = 500;

/** Turns the first signal into an abort. A second one ends the process at once, whatever it waits for. */
function watchInterrupt(env: Io['env'], { onSecond, endsOnHangUp = true }: InterruptOptions) {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', ...(endsOnHangUp ? (['SIGHUP'] as const) : [])];
  const first = new AbortController();
  const copied = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(timer);
    for (const name of signals) process.off(name, onSignal);
    copied.abort();
  };
  const onSignal = (name: NodeJS.Signals) => {
    if (!first.signal.aborted) {
      first.abort();
      timer = setTimeout(() => {
        copied.abort();
      }, copyDelayMs).unref();
    } else if (copied.signal.aborted) {
      onSecond?.();
      release();
      process.kill(process.pid, name);
    } else copied.abort();
  };
  /** Waits for the copy of a signal that npm sends: it would kill a process that is about to exit. */
  const settled = async () => {
    if (env.npm_execpath === undefined || !first.signal.aborted || copied.signal.aborted) return;
    timer?.ref();
    await once(copied.signal, 'abort');
  };
  for (const name of signals) process.on(name, onSignal);
  if (env.npm_lifecycle_event === 'start')
    watchParent(() => {
      onSignal('SIGTERM');
    }, copied.signal);
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
