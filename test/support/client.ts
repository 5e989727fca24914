import { createClient, type Book, type Client } from '../../src/index.ts';
import type { Scope } from './temp.ts';

/** A client that is closed when the test ends. */
export function connect(context: Scope, url: string, options: object = {}): Client {
  const client = createClient({ url, ...options });
  context.after(() => {
    client.close();
  });
  return client;
}

export async function collect(books: AsyncIterable<Book>): Promise<Book[]> {
  const all: Book[] = [];
  for await (const book of books) all.push(book);
  return all;
}
