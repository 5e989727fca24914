import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { BookFields } from '../../src/index.ts';
import { connect } from '../support/client.ts';
import { startStranger } from '../support/session.ts';

const scope = { after };
const server = await startStranger(scope);
const client = connect(scope, server.url, { token: 'the-token' });

describe('what is no book is a TypeError before anything is sent', () => {
  const wrong: [value: unknown, message: RegExp][] = [
    [null, /^a book is a JSON object with /],
    [undefined, /^a book is a JSON object with /],
    ['Emma', /^a book is a JSON object with /],
    [[], /^a book is a JSON object with /],
    [{ year: 'x' }, /^year is not an integer /],
    [{ year: null }, /^year is not an integer /],
    [{ title: 1 }, /^title is not a string$/],
    [{ author: '\ud800' }, /^author is not Unicode text/],
  ];
  for (const [value, message] of wrong)
    test(value === undefined ? 'undefined' : JSON.stringify(value), async () => {
      const fields = value as BookFields;
      await assert.rejects(client.create(fields), { name: 'TypeError', message });
      await assert.rejects(client.update(1, fields), { name: 'TypeError', message });
      assert.deepEqual(server.requests, []);
    });

  test('several books, or what is looked up, that is no array', async () => {
    for (const value of [null, undefined, {}, 'x']) {
      const books = value as BookFields[];
      const error = { name: 'TypeError', message: 'books: expected an array' };
      await assert.rejects(client.createMany(books), error);
      await assert.rejects(client.lookup(books), error);
    }
    assert.deepEqual(server.requests, []);
  });

  test('a username or password', async () => {
    const error = { name: 'TypeError', message: /^(username|password|newPassword): expected a string$/ };
    await assert.rejects(client.login(undefined as never, 'x'), error);
    await assert.rejects(client.login('x', 1 as never), error);
    await assert.rejects(client.changePassword('x', null as never), error);
    assert.deepEqual(server.requests, []);
  });
});
