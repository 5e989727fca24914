import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { isDisconnected } from './disconnect-signal.ts';
import type { Frame } from './reply.ts';

/**
 * Writes pages in their frame while they arrive, and ends the response. A failure breaks the connection, so that the client
 * sees it. The client sets the pace: the next page is requested when it has taken the previous one.
 *
 * @param first The pages already read.
 * @param write Writes to the response, and waits until the client has taken enough, or is gone.
 */
export async function writePages(
  response: ServerResponse,
  first: readonly string[],
  rest: AsyncIterator<string>,
  { head, between, foot }: Frame,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let before = head;
  let count = 0;
  const writePage = async (page: string) => {
    if (page === '') return;
    await write(before + page);
    before = between;
    count++;
  };
  for (const page of first) await writePage(page);
  for (;;) {
    const page = await rest.next();
    if (page.done === true || isDisconnected(response)) break;
    await writePage(page.value);
  }
  response.end((count === 0 ? head : '') + foot(count === 0));
}

/** Writes, and waits until the client has taken enough, or is gone. */
export async function writeText(response: ServerResponse, text: string | Buffer): Promise<void> {
  if (isDisconnected(response) || response.write(text)) return;
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
    // A response that waits for an earlier one on its connection gets no event when the connection closes.
    once(response.req.socket, 'close', { signal }),
  ])
    .catch((error: unknown) => {
      if (!isDisconnected(response)) throw error as Error;
    })
    .finally(() => {
      done.abort();
    });
}
