import type { ServerResponse } from 'node:http';
import { isDisconnected, writeOrDrop } from '../http/writing.ts';
import type { Follower } from './change-feed.ts';
import type { Announcement } from './recent-events.ts';

interface EventStreamOptions {
  /** When the stream ends, in Unix seconds. Default: never. */
  readonly endSeconds?: number | undefined;
  /** The time between two heartbeats, in milliseconds. Default 15,000. */
  readonly heartbeatMs?: number;
  /** Whether the reader may still follow. Default: until the end. */
  readonly isStillAllowed?: (() => Promise<boolean>) | undefined;
  /** The time between two such questions, in milliseconds. Default 15,000. */
  readonly recheckMs?: number;
  /** A client that reads nothing for this long is disconnected. Default 30,000. */
  readonly maxStallMs?: number;
}

/** How long a browser waits before it connects again, in milliseconds. */
const reconnectMs = 1000;
/** The maximum delay of timers. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Sends the announcements of a follower as server-sent events (HTML standard, section 9.2) until the follower or its time
 * ends, or the client disconnects. The client reads at its own pace. The headers have been written.
 */
export async function writeEventStream(
  response: ServerResponse,
  follower: Follower,
  {
    endSeconds,
    heartbeatMs = 15_000,
    isStillAllowed,
    recheckMs = 15_000,
    maxStallMs = 30_000,
  }: EventStreamOptions = {},
): Promise<void> {
  let isWriting = false;
  let sentPosition = '';
  const write = async (text: string | Buffer) => {
    isWriting = true;
    await writeOrDrop(response, text, maxStallMs);
    isWriting = false;
  };
  /** A comment; with the position, if a client that connects again can continue from there. */
  const heartbeat = () => {
    const { position } = follower;
    const isKnown = position === sentPosition;
    sentPosition = position;
    return isKnown ? ':\n\n' : `id: ${position}\n\n`;
  };
  const beat = setInterval(() => {
    if (!isWriting && !isDisconnected(response)) response.write(heartbeat());
  }, heartbeatMs);
  const end = setTimeout(() => {
    follower.close();
  }, millisecondsUntil(endSeconds));
  let isAsking = false;
  const recheck = setInterval(() => {
    if (isStillAllowed === undefined || isAsking) return;
    isAsking = true;
    void isStillAllowed().then((isAllowed) => {
      isAsking = false;
      if (!isAllowed) follower.close();
    });
  }, recheckMs);
  try {
    await write(`retry: ${reconnectMs}\n${heartbeat()}`);
    if (isDisconnected(response)) return;
    for await (const announcements of follower.announcements()) {
      await write(encode(announcements));
      sentPosition = announcements.at(-1)?.position ?? sentPosition;
      if (isDisconnected(response)) return;
    }
  } finally {
    clearInterval(beat);
    clearInterval(recheck);
    clearTimeout(end);
    follower.close();
    response.end();
  }
}

function millisecondsUntil(seconds = Infinity): number {
  return Math.max(0, Math.min(seconds * 1000 - Date.now(), maxTimerMs));
}

/** The bytes of announcements. Readers at the same place share the array, so each is encoded once. */
const encoded = new WeakMap<readonly Announcement[], Buffer>();

function encode(announcements: readonly Announcement[]): Buffer {
  const bytes = encoded.get(announcements) ?? Buffer.from(announcements.map(format).join(''));
  encoded.set(announcements, bytes);
  return bytes;
}

function format(announcement: Announcement): string {
  const { position } = announcement;
  if ('isReset' in announcement) return `id: ${position}\nevent: reset\ndata: {}\n\n`;
  const { id, change } = announcement;
  return `id: ${position}\nevent: change\ndata: ${JSON.stringify({ id, change })}\n\n`;
}
