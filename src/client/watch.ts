import { unwrap, type RawResponse } from '../api/envelope.ts';
import { hasCode, type ErrorCode } from '../catalogue/errors.ts';
import { notAStream, readFrames, type WatchEvent } from '../catalogue/changes.ts';
import type { StreamedAnswer } from './wire.ts';

export type { WatchEvent, WatchReset } from '../catalogue/changes.ts';

/** What {@link watchChanges} needs of a client. */
interface Watched {
  /** Sends `GET /changes` after a position, and reads its response. @param onOpen Called when that is a stream of changes. */
  readonly read: (after: string | undefined, onOpen: () => void) => AsyncIterable<Uint8Array>;
  /** Called after each block of the stream. */
  readonly onFrame?: () => Promise<unknown>;
  /** Whether the next connection may succeed after this error. @param isFirst Whether none has succeeded. */
  readonly isTransient: (error: unknown, isFirst: boolean) => boolean;
  /** Waits before the next connection, at most until the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
}

/** The pause before a new attempt: the first, and the longest, in milliseconds. */
const retryMs = { first: 200, longest: 30_000 };
/** A connection of this length was not a failure, in milliseconds. */
const stableMs = 5000;
/** Transient errors of a connection. */
const transientCodes: readonly ErrorCode[] = ['unreachable', 'timeout', 'unavailable', 'internal'];

/**
 * Yields the changes; connects again after the last position whenever the stream ends.
 *
 * @throws An error that is not transient.
 */
export async function* watchChanges(
  { read, onFrame, isTransient, pause, signal }: Watched,
  after?: string,
): AsyncGenerator<WatchEvent, void, undefined> {
  let position = after;
  let isFirst = true;
  const isOver = () => signal.aborted;
  for (let failures = 0; !isOver(); failures++) {
    const begun = performance.now();
    try {
      const chunks = read(position, () => {
        isFirst = false;
      });
      for await (const frame of readFrames(chunks)) {
        position = frame.position ?? position;
        if (frame.event !== undefined) yield frame.event;
        await onFrame?.();
      }
    } catch (error) {
      if (isOver()) return;
      if (!isTransient(error, isFirst)) throw error;
    }
    if (performance.now() - begun >= stableMs) failures = 0;
    // Spreads the reconnects of many clients after a restart of the service.
    await pause(Math.min(retryMs.first * 2 ** failures, retryMs.longest) * (0.5 + Math.random() / 2), signal);
  }
}

/** The response to `GET /changes`. @throws {ShelflistError} The error of the service; or `bad_response`. */
export function openChanges<Stream extends StreamedAnswer>(answer: RawResponse | Stream): Stream {
  if ('text' in answer) unwrap(answer);
  if ('text' in answer || !/^text\/event-stream\b/.test(answer.headers.get('Content-Type') ?? ''))
    throw notAStream('it has another type');
  return answer;
}

/** The first connection has to succeed: its address or token may be wrong. */
export function isTransientError(error: unknown, isFirst: boolean): boolean {
  return !isFirst && hasCode(error, ...transientCodes);
}
