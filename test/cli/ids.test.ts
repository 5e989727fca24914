import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Book } from '../../src/catalogue/book.ts';
import { booksOfIds } from '../../src/cli/ids.ts';
import type { Client } from '../../src/client/client.ts';

test('a record that is not a book, named beside a large range, is not left out', async () => {
  const book: Book = { id: 3, title: 'Nana', author: 'Zola', year: 1880 };
  // The list of all books has no records that are not books.
  const client = { iterate: () => [book] } as unknown as Client;
  const find = (_: Client, id: number) => Promise.resolve(id === 3 ? book : { id });
  const ids = [];
  for await (const { id } of booksOfIds(
    client,
    [3, 7].map((id) => ({ first: id, last: id })).concat({ first: 10, last: 5000 }),
    find,
  ))
    ids.push(id);
  assert.deepEqual(ids, [3, 7]);
});
