import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createServer, openStore, type Book, type ServerConfig } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';

const titles = ['The Hobbit', 'A Room of One’s Own', 'Emma', 'Les Misérables', 'Theory'];

/** A service of these titles, whose articles the embedder has configured. */
async function shelve(sortArticles?: string[]): Promise<TestService> {
  const databaseUrl = `file:${await temporaryFolder({ after })}`;
  const service = await startService({ after }, { databaseUrl, ...(sortArticles && { sortArticles }) });
  for (const title of titles)
    await service.request('POST', '/book', { token: service.token, body: bookOf({ title, author: title }) });
  return service;
}
const plain = await shelve();
const sorting = await shelve(['The', 'a', 'les']);

async function get(service: TestService, query: string, headers = {}) {
  const answer = await service.request('GET', `/books?${query}`, { token: service.token, headers });
  const ids = answer.status === 200 ? (answer.envelope?.data as Book[]).map(({ id }) => id) : [];
  return { ...answer, ids, next: /<books\?(.*)>/.exec(String(answer.headers.link))?.[1] };
}

describe('sortArticles', () => {
  const table: [sort: string, without: number[], ignoring: number[]][] = [
    ['title', [2, 3, 4, 1, 5], [3, 1, 4, 2, 5]],
    ['-title', [5, 1, 4, 3, 2], [5, 2, 4, 1, 3]],
    ['author', [3, 1, 4, 2, 5], [3, 1, 4, 2, 5]],
    ['id', [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]],
  ];
  for (const [sort, without, ignoring] of table) {
    test(`changes the order by title alone, page by page: ${sort}`, async () => {
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

  test('belongs to the store: a service that is given one has the order of that store', async (t) => {
    const store = await openStore('memory:', { sortArticles: ['the'] });
    await store.create({ title: 'The Hobbit' });
    await store.create({ title: 'Ivanhoe' });
    const service = await startService(t, { store });
    assert.deepEqual((await get(service, 'sort=title')).ids, [1, 2]);
    const config = { secretToken: 'x'.repeat(32), authUsername: 'a', authPassword: 'b', store };
    await assert.rejects(createServer({ ...config, sortArticles: ['the'] } as unknown as ServerConfig), {
      name: 'TypeError',
      message: /config.store: cannot be combined with sortArticles; pass it to openStore/,
    });
  });
});
