import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startBookSource } from '../support/book-source.ts';
import { startService } from '../support/service.ts';

const source = await startBookSource(
  { after },
  { '9780141439587': { title: 'Emma', authors: [{ name: 'Jane Austen' }], publish_date: 'March 2003' } },
);
const service = await startService({ after }, { bookLookup: source.openLibrary, publicRead: true });

async function lookUp(query: string, token: string | undefined = service.token) {
  const { status, envelope } = await service.request('GET', `/lookup${query}`, { token });
  return [status, envelope?.message, envelope?.data] as const;
}

describe('GET /lookup', () => {
  test('answers with the book of an ISBN of 13 or 10 digits, asks the source once, and stores nothing', async () => {
    const book = { title: 'Emma', author: 'Jane Austen', year: 2003 };
    for (const isbn of ['9780141439587', '0141439580', '978-0-14-143958-7', '0%2014%20143958%200'])
      assert.deepEqual(await lookUp(`?isbn=${isbn}`), [200, 'Book looked up', book]);
    assert.deepEqual(source.asked, ['9780141439587']);
    const { envelope } = await service.request('GET', '/books');
    assert.deepEqual(envelope?.data, []);
  });

  test('is a 404 for a number that the source does not know', async () => {
    assert.deepEqual(await lookUp('?isbn=9780140620108'), [404, 'Book not found', null]);
  });

  for (const query of [
    '',
    '?isbn=',
    '?isbn=9780141439588',
    '?isbn=0141439587',
    '?isbn=1',
    '?isbn=Emma',
    '?ISBN=9780141439587',
    '?isbn=9780141439587&isbn=9780141439587',
  ])
    test(`is a 400: ${query || 'no query'}`, async () => {
      assert.deepEqual(await lookUp(query), [400, 'Invalid query', null]);
    });

  test('needs a token, also where everybody may read, and is for those who may create books', async (t) => {
    const { status } = await service.request('GET', '/lookup?isbn=9780141439587');
    assert.equal(status, 401);
    const readers = await startService(t, {
      bookLookup: source.openLibrary,
      authorize: ({ action }) => action !== 'create',
    });
    const { token } = readers;
    assert.equal((await readers.request('GET', '/lookup?isbn=9780141439587', { token })).status, 403);
  });

  test('is an unknown path unless the setting is there', async (t) => {
    const off = await startService(t);
    const { status, envelope } = await off.request('GET', '/lookup?isbn=9780141439587', { token: off.token });
    assert.deepEqual([status, envelope?.message], [404, 'Not found']);
  });
});
