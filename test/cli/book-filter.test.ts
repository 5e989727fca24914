import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksToChange } from '../../src/cli/book-filter.ts';
import type { Client } from '../../src/client/client.ts';

test('books to change are refused if words begin no word from the second page on', async () => {
  const book = { id: 1, title: 'Ant', author: '', year: 1 };
  const page: Client['page'] = ({ after, sort }) => {
    assert.equal(sort, 'id');
    return Promise.resolve(
      after === undefined
        ? { books: [book], next: 'second', total: undefined }
        : { books: [{ ...book, id: 2, title: 'Giant' }], next: undefined, total: undefined, match: 'parts' },
    );
  };
  const books = booksToChange({ page }, { q: 'ant' });
  assert.deepEqual((await books.next()).value, book);
  await assert.rejects(books.next(), {
    code: 'usage',
    message:
      /^at least one of these words begins no word of any book; write whole words, as `shelflist list` shows them$/,
  });
});
