import { setTimeout } from 'node:timers/promises';

/** Waits so long, or until the signal; keeps no process alive. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Does what nobody waits for until it succeeds, with a pause after each failure, or until the signal. Never rejects. */
export async function untilDone(action: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await action();
      return;
    } catch {
      await pause(1000, signal);
    }
  }
}
