import { readFrames, notAStream, type WatchEvent } from '../../catalogue/live/change-frames.ts';
import { freshToken } from './renewal.ts';
import { open, read } from './transport.ts';

/** The pause before a new attempt: the first, and the longest, in milliseconds. */
const retryMs = { first: 500, longest: 30_000 };
/** A connection of this length was not a failure, in milliseconds. */
const stableMs = 5000;

export interface ChangesReader {
  readonly onEvent: (event: WatchEvent) => void;
  /** Called when the stream is connected: changes before it may have been missed if it has no position to continue from. */
  readonly onConnect: () => void;
}

/** Follows the changes of the catalogue until it is told to stop; connects again after the last position. */
export async function followChanges(
  { onEvent, onConnect }: ChangesReader,
  signal: AbortSignal,
): Promise<void> {
  let position: string | undefined;
  for (let failures = 0; !signal.aborted; failures++) {
    const begun = performance.now();
    try {
      const headers = position === undefined ? {} : { 'Last-Event-ID': position };
      const response = await open('changes', { headers, signal }, await freshToken());
      if (!response.ok || response.body === null) await read(response);
      if (response.body === null) throw notAStream('it is empty');
      onConnect();
      for await (const frame of readFrames(chunksOf(response.body))) {
        position = frame.position ?? position;
        if (frame.event !== undefined) onEvent(frame.event);
      }
    } catch {
      // Connected again below. A login that has ended shows in the next request of somebody at work.
    }
    if (performance.now() - begun >= stableMs) failures = 0;
    // Many pages of one service, which has restarted, do not come back at the same moment.
    await pause(Math.min(retryMs.first * 2 ** failures, retryMs.longest) * (0.5 + Math.random() / 2), signal);
  }
}

/** The chunks of a stream. Not every browser can iterate over one. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined); // It may have failed already.
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
