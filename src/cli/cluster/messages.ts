import type { ServiceSettings } from '../../config.ts';
import type { ErrorCode } from '../../errors.ts';

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
  | { readonly order: 'stop' };

/** From a worker to the primary: that it takes orders from now on, then how its start went. */
export type Report =
  | { readonly report: 'ready' }
  | { readonly report: 'listening'; readonly url: string }
  | { readonly report: 'failed'; readonly code: ErrorCode; readonly message: string };

/** Both ends are this program, but others may write to the channel too (a debugger, a loader of modules). */
export function isOrder(message: unknown): message is Order {
  return typeof message === 'object' && message !== null && 'order' in message;
}

export function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'report' in message;
}
