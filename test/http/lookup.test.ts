import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService } from '../support/service.ts';

const service = await startService({ after }, { databaseUrl: 'memory:' });
const { token } = service;
const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

async function lookUp(body: unknown, headers = {}) {
  const { status, envelope } = await service.request('POST', '/books/lookup', { token, body, headers });
  return [status, envelope?.message, envelope?.data] as const;
}
const found = (...data: unknown[]) => [200, 'Books retrieved successfully', data];

before(async () => {
  await service.request('POST', '/books', { token, body: [emma, { ...emma, title: 'EMMA' }] });
});

describe('POST /books/lookup', () => {
  test('answers for each element: the book with its id, or with its spelling', async () => {
    const second = { id: 2, ...emma, title: 'EMMA' };
    const wanted = [
      { id: 2 },
      emma,
      { ...emma, title: 'emma!' },
      { ...emma, title: 'EMMA' },
      { ...emma, id: 2, year: 7 },
    ];
    assert.deepEqual(
      await lookUp(wanted),
      found(second, { id: 1, ...emma }, { id: 1, ...emma }, second, second),
    );
  });

  test('answers null for a book that does not exist, and for anything that is not a book', async () => {
    const wanted = [{ id: 99 }, { title: 'unknown' }, { id: 'x' }, { title: 7 }, null, 7, [], { id: null }];
    assert.deepEqual(await lookUp(wanted), found(...wanted.map(() => null)));
  });

  test('reads NDJSON, and answers null for a line that is not JSON', async () => {
    const body = '{"id":1}\nnot JSON\n{"title":"Emma","author":"Jane Austen","year":1815}\n';
    const book = { id: 1, ...emma };
    assert.deepEqual(await lookUp(body, { 'Content-Type': 'application/x-ndjson' }), found(book, null, book));
  });

  test('answers for none and for 1000 elements; more are a 413', async () => {
    assert.deepEqual(await lookUp([]), found());
    const wanted = Array<object>(1000).fill({ id: 1 });
    assert.deepEqual(await lookUp(wanted), found(...wanted.map(() => ({ id: 1, ...emma }))));
    assert.deepEqual(await lookUp([...wanted, { id: 1 }]), [413, 'Request body too large', null]);
  });

  test('is a 413 if the books are longer than a page; a single book is never too long', async () => {
    const long = { title: 'x'.repeat(1_000_000), author: '', year: 0 };
    const { envelope } = await service.request('POST', '/book', { token, body: long });
    const { id } = envelope?.data as { id: number };
    const book = { id, ...long };
    assert.deepEqual(await lookUp([{ id }, { id: 99 }]), found(book, null));
    assert.deepEqual(await lookUp([{ id }, { id: 1 }, long]), found(book, { id: 1, ...emma }, book));
    assert.deepEqual(await lookUp([{ id }, long, { id }, { id: 1 }]), [413, 'Request body too large', null]);
    assert.deepEqual(await lookUp(Array<object>(1000).fill({ id })), [413, 'Request body too large', null]);
  });

  test('refuses a body that is not an array (400), and needs a token (401)', async () => {
    assert.deepEqual(await lookUp('{}'), [400, 'Invalid input', null]);
    const { status } = await service.request('POST', '/books/lookup', { body: [] });
    assert.equal(status, 401);
  });
});
