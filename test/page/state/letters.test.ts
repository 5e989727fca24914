import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorAt, digits } from '../../../src/page/state/letters.ts';
import { bookOf } from '../../support/books.ts';
import { connect } from '../../support/client.ts';
import { startService } from '../../support/service.ts';

/** In their order: numbers by value, then the family names. */
const authors = [
  ...['50', '808', 'Jane Austen', 'Agatha Christie', 'Ursula K. Le Guin', 'Thomas Mann'],
  ...['Iris Murdoch', 'Anaïs Nin', 'Evelyn Waugh', 'Émile Zola'],
];

test('a list by author begins at a letter of the family names, beyond numbers, whatever its cursor', async (t) => {
  const service = await startService({ after: t.after.bind(t) });
  const client = connect({ after: t.after.bind(t) }, service.url, { token: service.token });
  await client.createMany(authors.toSorted().map((author) => bookOf({ author, title: author })));
  const begin = async (sort: 'author' | '-author' | 'title' | '-title', letter: string, limit: number) => {
    const { next = assert.fail() } = await client.page({ sort, limit });
    const after = cursorAt(next, letter, sort.startsWith('-'));
    const { items: books } = await client.page({ sort, limit: 1, after });
    return books[0]?.author;
  };
  for (const limit of [1, 7]) {
    assert.equal(await begin('author', 'A', limit), 'Jane Austen');
    assert.equal(await begin('author', 'L', limit), 'Ursula K. Le Guin');
    assert.equal(await begin('author', 'M', limit), 'Thomas Mann');
    assert.equal(await begin('author', 'O', limit), 'Evelyn Waugh');
    assert.equal(await begin('author', 'Z', limit), 'Émile Zola');
    assert.equal(await begin('-author', 'M', limit), 'Iris Murdoch');
    assert.equal(await begin('-author', 'B', limit), 'Jane Austen');
    assert.equal(await begin('-title', 'J', limit), 'Jane Austen');
    assert.equal(await begin('author', digits, limit), '50');
    assert.equal(await begin('-author', digits, limit), '808');
    assert.equal(await begin('title', digits, limit), '50');
  }
  const { items: books } = await client.page({ sort: 'author', limit: 20 });
  assert.deepEqual(
    books.map(({ author }) => author),
    authors,
  );
});
