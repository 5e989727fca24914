import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Book } from '../book.ts';

/**
 * Writes books as they come, in one array, and ends the answer. One that fails later breaks the connection, which every
 * client sees as a failure. The reader sets the pace: no page is asked for while the one before is not taken.
 *
 * @param start What comes before the array, and `end` after it.
 */
export async function writePages(
  response: ServerResponse,
  first: readonly (readonly Book[])[],
  rest: AsyncIterator<readonly Book[]>,
  { start, end }: { start: string; end: string },
): Promise<void> {
  await write(response, `${start}[`);
  let separator = '';
  for (const page of first) separator = await writeItems(response, separator, page);
  for (;;) {
    const page = await rest.next();
    if (page.done === true || isGone(response)) break;
    separator = await writeItems(response, separator, page.value);
    await setImmediate(); // However fast the reader is, others have their turn.
  }
  response.end(`]${end}`);
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
