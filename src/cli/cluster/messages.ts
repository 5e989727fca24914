import type { Worker } from 'node:cluster';
import type { ServiceSettings } from '../../config.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Numbers } from '../../server/metrics.ts';

/** Set in the environment of our workers, so that a worker of another program's cluster is not taken for one. */
export const workerVariable = 'SHELFLIST_WORKER';

/** From the primary to a worker. Settings come this way so that all workers have the same, whatever a file says by then. */
export type Order =
  | {
      readonly order: 'start';
      readonly settings: ServiceSettings;
      /** Of several workers one is enough to say what is true of all. */
      readonly warn: boolean;
    }
  | { readonly order: 'stop' }
  /** To say what it has counted, for this round. */
  | { readonly order: 'tell'; readonly round: number }
  /** To answer with what all have counted, as it has asked. */
  | { readonly order: 'show'; readonly ask: number; readonly text: string }
  /** To count a login that failed at another worker. */
  | { readonly order: 'count'; readonly address: string };

/**
 * From a worker to the primary: that it takes orders from now on, then how its start went; later, that it was asked
 * for what all workers have counted, and what itself has; and each login that failed.
 */
export type Report =
  | { readonly report: 'ready' }
  | { readonly report: 'listening'; readonly url: string }
  | { readonly report: 'failed'; readonly code: ErrorCode; readonly message: string }
  | { readonly report: 'asked'; readonly ask: number }
  | { readonly report: 'login failed'; readonly address: string }
  | { readonly report: 'told'; readonly round: number; readonly numbers: Numbers };

/** Both ends are this program, but others may write to the channel too (a debugger, a loader of modules). */
export function isOrder(message: unknown): message is Order {
  return typeof message === 'object' && message !== null && 'order' in message;
}

export function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'report' in message;
}

/** One that is about to end may be unreachable already; its end is seen all the same. */
export function sendOrder(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order, undefined, () => undefined);
}

/** Resolves once it is sent, or cannot be: a primary that is gone needs no report. */
export async function sendReport(message: Report): Promise<void> {
  if (!process.connected) return;
  await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
}
