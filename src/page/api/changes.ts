import type { WatchEvent } from '../../catalogue/changes.ts';
import { openChanges, watchChanges } from '../../client/watch.ts';
import { chunksOf, exchangeStream } from '../../client/wire.ts';
import { freshToken } from './renewal.ts';
import { wire } from './wire.ts';

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
  async function* read(position?: string) {
    const headers = position === undefined ? {} : { 'Last-Event-ID': position };
    const exchange = { path: '/changes', headers, signal, token: await freshToken() };
    const answer = openChanges(await exchangeStream(wire, exchange));
    onConnect();
    yield* chunksOf(wire, answer, (chunk) => chunk, signal);
  }
  // A login that has ended shows in the next request of somebody at work.
  const isTransient = () => true;
  for await (const event of watchChanges({ read, isTransient, pause, signal })) onEvent(event);
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
