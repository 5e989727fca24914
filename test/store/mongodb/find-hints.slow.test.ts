import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBooks } from '../../../src/store/mongodb/find.ts';
import { bookOf } from '../../support/books.ts';
import { openReading, useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

test(
  'books with a word of the field that orders them are found by the index of words, or without it',
  { skip },
  async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    for (const author of ['Stephen King', 'Ann King', 'King', 'Queen'])
      await store.create(bookOf({ author }));
    const { client, reading } = await openReading(t, url);
    const hints: unknown[] = [];
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') hints.push((command as { hint?: object }).hint);
    });
    const authorsOf = async (query: Parameters<typeof findBooks>[1]) =>
      (await findBooks(reading, query, { limit: 10 })).books.map(({ author }) => author);
    const kings = ['King', 'Ann King', 'Stephen King'];
    assert.deepEqual(await authorsOf({ authorWords: 'king', sort: 'author' }), kings);
    assert.deepEqual(hints.splice(0), [{ 'index.words': 1 }]);
    await authorsOf({ authorWords: 'king', sort: 'title' });
    await authorsOf({ authorWords: 'king', sort: 'author', yearFrom: -9000 });
    assert.deepEqual(hints.splice(0), [undefined, undefined]);
    await client.db().collection('books').dropIndex('shelflist_words');
    assert.deepEqual(await authorsOf({ authorWords: 'king', sort: '-author' }), kings.toReversed());
    assert.deepEqual(hints, [undefined]);
  },
);
