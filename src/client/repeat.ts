import { ShelflistError } from '../catalogue/errors.ts';
import { pause } from './watch.ts';

/** How often a request is sent again, at most. */
const maxRepeats = 3;
/** The pauses before, in milliseconds, grow by this factor. */
const pauseMs = { first: 250, factor: 3 };

/** Errors after which the service may have done what it was asked to do, or may do it soon. */
const openCodes = ['unreachable', 'timeout', 'unavailable', 'request_in_progress'];
/** The maximum that is waited for a `Retry-After`, in milliseconds. */
const maxRetryAfterMs = 2000;
/** A first request that never left is not repeated: its address is wrong, or the service does not run. */
const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * Repeats a request that the service recognises, while its outcome is open.
 *
 * @param signal Ends the pauses.
 */
export async function repeat<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await send();
    } catch (error) {
      if (repeats === maxRepeats || signal.aborted || !isOpen(error)) throw error;
      // After a broken connection, the service may be starting again.
      if (repeats === 0 && wasUnsent(error)) throw error;
      // Clients that failed together do not come back together.
      const growingMs = pauseMs.first * pauseMs.factor ** repeats * (0.5 + Math.random());
      await pause(Math.max(growingMs, retryAfterMs(error)), signal);
      signal.throwIfAborted();
    }
  }
}

function isOpen(error: unknown): error is ShelflistError {
  return error instanceof ShelflistError && openCodes.includes(error.code);
}

/** The pause that the service asks for, in milliseconds. */
function retryAfterMs({ code, headers }: ShelflistError): number {
  if (code === 'unreachable' || code === 'timeout') return 0; // Nobody has sent its header.
  return Math.min((Number(headers['Retry-After']) || 0) * 1000, maxRetryAfterMs);
}

/** Whether an error, or one that it wraps, says that the request was not sent. */
function wasUnsent(error: unknown): boolean {
  if (error === undefined) return false;
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  return unsentCodes.includes(String(code)) || wasUnsent(cause);
}
