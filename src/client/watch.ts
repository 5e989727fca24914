import { setTimeout } from 'node:timers/promises';
import { isPosition } from '../catalogue/changes.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { notAStream, readFrames, type WatchEvent } from '../catalogue/live/change-frames.ts';
import type { Answer, StreamedAnswer } from './transport.ts';

export type { WatchEvent, WatchReset } from '../catalogue/live/change-frames.ts';

/** Where a watch begins, and when it ends. */
export interface WatchOptions {
  /** The position of an earlier event, to continue after it. Default: begin now. */
  after?: string | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/** What {@link watchChanges} needs of a client. */
export interface Watched {
  /** Sends `GET /changes` with the token, after a position. */
  readonly open: (after: string | undefined) => Promise<Answer | StreamedAnswer>;
  /** Renews the token if that is due: a stream ends with its token. */
  readonly keepToken: () => Promise<unknown>;
  /** Throws the error in a response. */
  readonly check: (answer: Answer) => unknown;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
}

/** The pause before a new attempt: the first, and the longest, in milliseconds. */
const retryMs = { first: 200, longest: 30_000 };
/** A connection of this length was not a failure, in milliseconds. */
const stableMs = 5000;
/** Errors of a connection that will fail again. Others may pass. */
const transientCodes = ['unreachable', 'unavailable', 'internal'];
/**
 * Yields the changes; connects again after the last position whenever the stream ends.
 *
 * @throws {ShelflistError} The first connection fails; or a later one, for a reason that does not pass.
 */
export async function* watchChanges(
  { open, keepToken, check, signal }: Watched,
  after: string | undefined,
): AsyncGenerator<WatchEvent, void, undefined> {
  let position = after;
  let isFirst = true;
  const isOver = () => signal.aborted;
  for (let failures = 0; !isOver(); failures++) {
    const begun = performance.now();
    try {
      const response = await open(position);
      if (!('chunks' in response)) check(response);
      if (!('chunks' in response) || !/^text\/event-stream\b/.test(response.headers['content-type'] ?? ''))
        throw notAStream('it has another type');
      isFirst = false;
      for await (const frame of readFrames(response.chunks)) {
        position = frame.position ?? position;
        if (frame.event !== undefined) yield frame.event;
        await keepToken();
      }
    } catch (error) {
      if (isOver()) return;
      const isTransient = error instanceof ShelflistError && transientCodes.includes(error.code);
      if (isFirst || !isTransient) throw error;
    }
    if (performance.now() - begun >= stableMs) failures = 0;
    // Many clients of one service, which has restarted, do not come back at the same moment.
    const pauseMs = Math.min(retryMs.first * 2 ** failures, retryMs.longest) * (0.5 + Math.random() / 2);
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** @throws {TypeError} It is not a set of options. */
export function checkWatchOptions(options: WatchOptions): WatchOptions {
  if (typeof options !== 'object' || options === (null as unknown))
    throw new TypeError('options: expected an object such as { after }');
  const unknown = Object.keys(options).find((name) => !['after', 'signal'].includes(name));
  if (unknown !== undefined) throw new TypeError(`options.${unknown}: unknown option`);
  const { after, signal } = options as Record<keyof WatchOptions, unknown>;
  if (after !== undefined && !(typeof after === 'string' && isPosition(after)))
    throw new TypeError('options.after: expected the position of an event');
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError('options.signal: expected an AbortSignal');
  return options;
}
