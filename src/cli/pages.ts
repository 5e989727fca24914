import { ShelflistError } from '../catalogue/errors.ts';
import { maxLimit } from '../catalogue/query-string.ts';
import type { PageOptions } from '../client/operations.ts';

/** A page of a listing, and the cursor of the next one. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/**
 * Reads the first items of a listing, page by page. A page may be shorter than requested without being the last.
 *
 * @param readPage Requests a page.
 * @throws {ShelflistError} `bad_response`: a page does not lead to the next.
 */
export async function* firstItems<T>(
  readPage: (page: PageOptions) => Promise<Page<T>>,
  count = Infinity,
): AsyncGenerator<T, void, undefined> {
  let after: string | undefined;
  for (let left = count; left > 0;) {
    const { items, next } = await readPage({
      limit: Math.min(left, maxLimit),
      ...(after !== undefined && { after }),
    });
    yield* items.slice(0, left);
    left -= items.length;
    if (next === undefined) return;
    if (next === after)
      throw new ShelflistError('bad_response', {
        message: "the server's answer does not lead to the next page",
      });
    after = next;
  }
}
