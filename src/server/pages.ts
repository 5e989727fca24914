import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { isAbandoned } from './abandoned.ts';

/**
 * Writes pages of JSON elements as they arrive, as one array, and ends the answer. A later failure breaks the connection,
 * which every client sees as a failure. The reader sets the pace: no page is requested before the previous one was taken.
 *
 * @param first The pages already read.
 * @param start The text before the array, and `end` after it.
 */
export async function writePages(
  response: ServerResponse,
  first: readonly string[],
  rest: AsyncIterator<string>,
  { start, end }: { start: string; end: string },
): Promise<void> {
  await write(response, `${start}[`);
  let separator = '';
  const writePage = async (page: string) => {
    if (page === '') return;
    await write(response, separator + page);
    separator = ',';
  };
  for (const page of first) await writePage(page);
  for (;;) {
    const page = await rest.next();
    if (page.done === true || isAbandoned(response)) break;
    await writePage(page.value);
  }
  response.end(`]${end}`);
}

/** Waits until the reader has taken enough; a reader that is gone holds nobody up. */
async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.write(text) || isAbandoned(response)) return;
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
    // An answer that waits for an earlier one on its connection is told nothing when that connection ends.
    once(response.req.socket, 'close', { signal }),
  ])
    .catch((error: unknown) => {
      if (!isAbandoned(response)) throw error as Error;
    })
    .finally(() => {
      done.abort();
    });
}
