import type { Book } from '../book.ts';
import type { Client } from '../client/client.ts';
import { ShelflistError } from '../errors.ts';
import { maxLimit } from '../query/parameters.ts';
import type { BookQuery } from '../query/query.ts';

/**
 * So many of the books that a query fits, page by page. A page may be shorter than it was asked for and yet not the
 * last one.
 *
 * @throws {ShelflistError} `bad_response`: a page leads to no other one.
 */
export async function* firstBooks(
  client: Client,
  query: BookQuery,
  count: number,
): AsyncGenerator<Book, void, undefined> {
  let after: string | undefined;
  for (let left = count; left > 0;) {
    const limit = Math.min(left, maxLimit);
    const { books, next } = await client.page({ ...query, limit, ...(after !== undefined && { after }) });
    yield* books.slice(0, left);
    left -= books.length;
    if (next === undefined) return;
    if (books.length === 0 || next === after) {
      throw new ShelflistError('bad_response', {
        message: "the server's answer does not lead to the next page of books",
      });
    }
    after = next;
  }
}
