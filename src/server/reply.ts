import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Book } from '../book.ts';
import { wrap, wrapStart } from '../envelope.ts';
import type { ShelflistError } from '../errors.ts';
import { askedAgain, notStored, type Headers } from './headers.ts';
import type { Data, Reply } from './answer.ts';
import type { Route } from './route.ts';

const contentType = 'application/json';

/** Sends what a handler has answered. */
export async function sendReply(
  response: ServerResponse,
  { public: isPublic, status, message, headers: own }: Route,
  { data, tag, headers: special, isNotModified }: Reply,
  common: Headers,
): Promise<void> {
  const kept = isPublic === true ? notStored : askedAgain;
  const headers = { ...common, ...kept, ...own, ...special, ...(tag !== undefined && { ETag: tag }) };
  if (isNotModified === true) response.writeHead(304, headers).end();
  else if (typeof data === 'string') sendText(response, status, data, headers);
  else if (isPages(data)) await sendPages(response, status, message, data, headers);
  else sendEnvelope(response, status, message, data, headers);
}

function isPages(data: Data): data is Extract<Data, AsyncIterable<unknown>> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

/** Sends an envelope as one write. */
function sendEnvelope(
  response: ServerResponse,
  status: number,
  message: string,
  data: unknown,
  headers?: Headers,
): void {
  const text = wrap(status, message, data);
  response.writeHead(status, {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Sends text as it is, in one write; the headers say of which type it is. */
function sendText(response: ServerResponse, status: number, text: string, headers: Headers): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** Sends an error's envelope. */
export function sendError(response: ServerResponse, error: ShelflistError, headers?: Headers): void {
  sendEnvelope(response, error.status, error.wireMessage, null, { ...error.headers, ...headers });
}

/**
 * Sends books as they come, in one array. Nothing is sent before the first page is there, so that a store that
 * fails at once is answered with an error; one that fails later breaks the connection, which every client
 * sees as a failure. The reader sets the pace: no page is asked for while the one before is not taken.
 */
async function sendPages(
  response: ServerResponse,
  status: number,
  message: string,
  pages: AsyncIterable<readonly Book[]>,
  headers?: Headers,
): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  const second = first.done === true ? first : await iterator.next();
  if (first.done === true || second.done === true) {
    sendEnvelope(response, status, message, first.done === true ? [] : first.value, headers);
    return;
  }
  try {
    response.writeHead(status, { ...headers, 'Content-Type': contentType });
    if (response.req.method !== 'HEAD') {
      await write(response, `${wrapStart(status, message)}[`);
      let separator = '';
      for (const page of [first.value, second.value]) separator = await writeItems(response, separator, page);
      for (;;) {
        const page = await iterator.next();
        if (page.done === true || isGone(response)) break;
        separator = await writeItems(response, separator, page.value);
        await setImmediate(); // However fast the reader is, others have their turn.
      }
      response.write(']}');
    }
    response.end();
  } finally {
    await iterator.return?.();
  }
}

/** Writes the elements of an array without its brackets; gives what must stand before the next ones. */
async function writeItems(
  response: ServerResponse,
  separator: string,
  books: readonly Book[],
): Promise<string> {
  if (books.length === 0) return separator;
  await write(response, separator + JSON.stringify(books).slice(1, -1));
  return ',';
}

/** Waits until the reader has taken enough; a reader that is gone holds nobody up. */
async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.write(text) || isGone(response)) return;
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
    // An answer that waits for an earlier one on its connection is told nothing when that connection ends.
    once(response.req.socket, 'close', { signal }),
  ])
    .catch((error: unknown) => {
      if (!isGone(response)) throw error as Error;
    })
    .finally(() => {
      done.abort();
    });
}

function isGone(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}
