import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Scope } from './temp.ts';

/** A block of a stream of server-sent events. */
export interface Frame {
  /** `undefined` in a frame without data, such as a heartbeat. */
  event: string | undefined;
  id: string | undefined;
  data: unknown;
}

/** The changes that a client follows. */
export interface EventStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Every frame so far that is an event. */
  events: Frame[];
  /** The id of the last frame that has one. */
  lastId(): string;
  /** Waits for this many events in all. */
  until(count: number): Promise<Frame[]>;
  /** Resolves when the connection ends. */
  ended: Promise<void>;
  close(): void;
}

/** Those over a connection of its own. */
export interface Stream extends EventStream {
  response: IncomingMessage;
}

/** Opens `GET /changes`, and reads it until the test ends. */
export async function openStream(
  scope: Scope,
  url: string,
  token?: string,
  { after, agent = false }: { after?: string | undefined; agent?: http.Agent | false } = {},
): Promise<Stream> {
  const headers = {
    ...(token !== undefined && { Authorization: token }),
    ...(after !== undefined && { 'Last-Event-ID': after }),
  };
  const request = http.request(`${url}/changes`, { headers, agent }).end();
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { begun, ...collected } = collectEvents(response);
  const close = () => request.destroy();
  scope.after(close);
  if (response.statusCode === 200) await begun(after !== undefined);
  return { status: response.statusCode ?? 0, headers: response.headers, response, ...collected, close };
}

/** Collects the events of a stream. */
export function collectEvents(body: Readable): Pick<EventStream, 'events' | 'lastId' | 'until' | 'ended'> & {
  /** Waits for the first position, unless the reader has one. */
  begun: (hasPosition: boolean) => Promise<void>;
} {
  const events: Frame[] = [];
  let text = '';
  let lastId = '';
  let isOver = false;
  let wake = (): void => undefined;
  body.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = parse(block);
      lastId = frame.id ?? lastId;
      if (frame.event !== undefined) events.push(frame);
    }
    wake();
  });
  body.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    body.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  const wait = async (isDone: () => boolean) => {
    while (!isDone()) {
      assert.ok(!isOver, `the stream ended after ${events.length} events`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    events,
    lastId: () => lastId,
    async until(count) {
      await wait(() => events.length >= count);
      return events;
    },
    ended,
    begun: (hasPosition) => wait(() => lastId !== '' || hasPosition),
  };
}

function parse(block: string): Frame {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => /^([^:]*):? ?(.*)$/.exec(line)?.slice(1) as [string, string]),
  );
  const data = fields.get('data');
  return {
    event: data === undefined ? undefined : (fields.get('event') ?? 'message'),
    id: fields.get('id'),
    data: data === undefined ? undefined : (JSON.parse(data) as unknown),
  };
}
