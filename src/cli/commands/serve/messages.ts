import type { Worker } from 'node:cluster';
import type { BookFields } from '../../../catalogue/book.ts';
import type { LiveSettings, SettingsPatch, SettingsReport } from '../../../catalogue/changeable-settings.ts';
import type { ServiceSettings } from '../../../config/read-settings.ts';
import { asFailure, type FailureCode } from '../../command-error.ts';
import type { Certificate } from '../../../server/config.ts';
import type { Numbers } from '../../../server/observability/metrics.ts';

/** Reports the state of the service, or a problem. */
export type Say = (text: string, level?: 'info' | 'warn') => void;

/** Set in the environment of workers, to distinguish them from workers of another program's cluster. */
export const workerVariable = 'SHELFLIST_WORKER';

/**
 * A listening socket that systemd has passed (`sd_listen_fds`). The service listens on it instead of on the address in the
 * settings.
 */
export interface PassedSocket {
  readonly fd: number;
  /** The path of a unix socket; `undefined` for TCP, and if it is not known. */
  readonly path: string | undefined;
}

/** A message from the primary to a worker. It includes the settings, so that all workers have the same. */
export type Order =
  | {
      readonly order: 'start';
      readonly settings: ServiceSettings;
      /** Whether to log warnings; one worker is enough. */
      readonly warn: boolean;
      /** A descriptor of the primary: node:cluster shares it. */
      readonly passed: PassedSocket | undefined;
    }
  | { readonly order: 'stop' }
  /** Uses another certificate for new connections. */
  | { readonly order: 'secure'; readonly certificate: Certificate }
  /** Asks for the worker's metrics, for this round. */
  | { readonly order: 'tell'; readonly round: number }
  /** Returns the metrics of all workers, for this request. */
  | { readonly order: 'show'; readonly ask: number; readonly text: string }
  /** Returns the seconds that an address must wait before a login, if any, for this request. */
  | { readonly order: 'limit'; readonly ask: number; readonly seconds?: number | undefined }
  /** Returns the code for a token, or the token of a code, if there is one, for this request. */
  | { readonly order: 'code'; readonly ask: number; readonly text?: string | undefined }
  /** Returns the book with an ISBN, if one is known, or why nobody knows, for this request. */
  | {
      readonly order: 'found';
      readonly ask: number;
      readonly book?: BookFields | undefined;
      readonly failure?: SentFailure;
    }
  /** Accepts another password from now on. */
  | { readonly order: 'accept'; readonly password: string }
  /** Uses other settings from now on. */
  | { readonly order: 'apply'; readonly live: LiveSettings }
  /** Returns the settings, or why they cannot be read or changed, for this request. */
  | {
      readonly order: 'settings';
      readonly ask: number;
      readonly settings?: SettingsReport;
      readonly failure?: SentFailure;
    }
  /** Reports that a new password is stored, or why not, for this request. */
  | { readonly order: 'stored'; readonly ask: number; readonly failure?: SentFailure };

/** An error, between processes. */
interface SentFailure {
  readonly code: FailureCode;
  readonly message: string;
}

export function failureOf(error: unknown): SentFailure {
  const { code, message } = asFailure(error);
  return { code, message };
}

/**
 * A message from a worker to the primary: that it is ready for orders; the result of its start; requests for the metrics of
 * all workers, and its own metrics; logins and codes; new passwords; settings; and books to look up.
 */
export type Report =
  | { readonly report: 'ready' }
  | { readonly report: 'listening'; readonly url: string }
  | ({ readonly report: 'failed' } & SentFailure)
  | { readonly report: 'asked'; readonly ask: number }
  /** Asks whether an address must wait before a login, and counts a failed one. */
  | {
      readonly report: 'login';
      readonly ask: number;
      readonly address: string;
      readonly hasFailed: boolean;
    }
  /** Asks for a code for a token, or for the token of a code. */
  | { readonly report: 'code'; readonly ask: number; readonly token: string }
  | { readonly report: 'exchange'; readonly ask: number; readonly code: string }
  | { readonly report: 'lookup'; readonly ask: number; readonly isbn: string }
  /** Asks to store a new password in the place of another one, which this worker accepts. */
  | {
      readonly report: 'password';
      readonly ask: number;
      readonly password: string;
      readonly previous: string;
    }
  /** Asks for the settings, after these changes of them. */
  | { readonly report: 'settings'; readonly ask: number; readonly patch?: SettingsPatch }
  | { readonly report: 'told'; readonly round: number; readonly numbers: Numbers };

/** Other code may write to the channel too (a debugger, a module loader). */
export function isOrder(message: unknown): message is Order {
  return typeof message === 'object' && message !== null && 'order' in message;
}

export function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'report' in message;
}

/** Sends an order. A worker that is exiting may be unreachable; its exit is observed elsewhere. */
export function sendOrder(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order, undefined, () => undefined);
}

/** Resolves when the report is sent, or if the primary has gone. */
export async function sendReport(message: Report): Promise<void> {
  if (!process.connected) return;
  await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
}
