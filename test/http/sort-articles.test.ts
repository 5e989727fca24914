import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openStore, type Book } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';

// Two processes may have different settings: nothing stored depends on them.
const store = await openStore(`file:${await temporaryFolder({ after })}`);
after(() => store.close());
const plain = await startService({ after }, { store });
const sorting = await startService({ after }, { store, sortArticles: ['The', 'a', 'les'] });

const titles = ['The Hobbit', 'A Room of One’s Own', 'Emma', 'Les Misérables', 'Theory'];
for (const title of titles) await store.create(bookOf({ title, author: title }));

async function get(service: TestService, query: string, headers = {}) {
  const answer = await service.request('GET', `/books?${query}`, { token: service.token, headers });
  const ids = answer.status === 200 ? (answer.envelope?.data as Book[]).map(({ id }) => id) : [];
  return { ...answer, ids, next: /<\/books\?(.*)>/.exec(String(answer.headers.link))?.[1] };
}

describe('sortArticles', () => {
  const table: [sort: string, without: number[], ignoring: number[]][] = [
    ['title', [2, 3, 4, 1, 5], [3, 1, 4, 2, 5]],
    ['-title', [5, 1, 4, 3, 2], [5, 2, 4, 1, 3]],
    ['author', [2, 3, 4, 1, 5], [3, 1, 4, 2, 5]],
    ['id', [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]],
  ];
  for (const [sort, without, ignoring] of table) {
    test(`changes the order by title and author, page by page: ${sort}`, async () => {
      assert.deepEqual((await get(plain, `sort=${sort}`)).ids, without);
      assert.deepEqual((await get(sorting, `sort=${sort}`)).ids, ignoring);
      const found: number[] = [];
      for (let query: string | undefined = `sort=${sort}&limit=2`; query !== undefined;) {
        const { ids, next } = await get(sorting, query);
        found.push(...ids);
        query = next;
      }
      assert.deepEqual(found, ignoring);
    });
  }

  test('changes no filter and no search', async () => {
    for (const [query, ids] of [
      ['title=hobbit', []],
      ['title=the+hobbit&sort=title', [1]],
      ['q=the&sort=title', [1, 5]],
    ] as const)
      assert.deepEqual((await get(sorting, query)).ids, ids);
  });

  test('makes the cursors of another order invalid', async () => {
    const { next = '' } = await get(plain, 'sort=title&limit=2');
    assert.equal((await get(plain, next)).status, 200);
    assert.equal((await get(sorting, next)).status, 400);
  });

  test('gives lists another tag, so that a client with the old order does not keep it', async () => {
    const { etag = '' } = (await get(plain, 'sort=title')).headers;
    assert.equal((await get(plain, 'sort=title', { 'If-None-Match': etag })).status, 304);
    const answer = await get(sorting, 'sort=title', { 'If-None-Match': etag });
    assert.equal(answer.status, 200);
    assert.equal((await get(sorting, '', { 'If-None-Match': String(answer.headers.etag) })).status, 304);
  });
});
