import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { BookQuery, Client } from '../../src/index.ts';
import type { PageQuery } from '../../src/client/index.ts';
import { collect, connect } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { startStranger } from '../support/session.ts';

const scope = { after };
const { url, token } = await startService(scope);
const client = connect(scope, url, { token });
await client.createMany([
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Les Misérables', author: 'Victor Hugo', year: 1862 },
  { title: 'The Epic of Gilgamesh', author: 'Anonymous', year: -1750 },
  { title: 'Straße & Co.', author: 'Żeromski', year: 1905 },
  { title: '紅樓夢', author: '曹雪芹', year: 1791 },
  { title: 'Persuasion', author: 'Jane Austen', year: 1817 },
]);

const idsOf = (books: readonly { id: number }[]) => books.map(({ id }) => id).join(' ');

describe('list returns the books that match a query, in its order', () => {
  const table: [query: BookQuery, ids: string][] = [
    [{}, '1 2 3 4 5 6'],
    [{ q: 'JANE em' }, '1'],
    [{ q: 'MISÉR hugo' }, '2'],
    [{ q: '紅' }, '5'],
    [{ q: '&=?#+%' }, '4'],
    [{ author: 'jane austen' }, '1 6'],
    [{ title: 'STRASSE & CO' }, '4'],
    [{ title: '' }, ''],
    [{ year: -1750 }, '3'],
    [{ yearFrom: 1815, yearTo: 1862 }, '1 2 6'],
    [{ sort: '-author', q: 'jane' }, '6 1'],
  ];
  for (const [query, ids] of table) {
    test(`${JSON.stringify(query)}: ${ids}`, async () => {
      const books = await client.list(query);
      assert.equal(idsOf(books), ids);
      assert.deepEqual(await collect(client.iterate(query)), books);
      const { length: total } = books;
      assert.deepEqual(await client.page({ ...query, count: true }), {
        items: books,
        next: undefined,
        total,
      });
      assert.equal(await client.count(query), total);
    });
  }
});

test('an unknown member of a query is a TypeError', async () => {
  for (const unknown of [{ publisher: 'x' }, { publisher: undefined }, { q: 'emma', toString: 1 }]) {
    const query = unknown as BookQuery;
    const error = { name: 'TypeError', message: /^query\.(publisher|toString): unknown member$/ };
    await assert.rejects(client.list(query), error);
    await assert.rejects(collect(client.iterate(query)), error);
    await assert.rejects(client.page(query), error);
  }
});

/** The ids of each page. */
async function pagesOf(from: Client, query: PageQuery): Promise<string[]> {
  const pages: string[] = [];
  for (let next: string | undefined; ;) {
    const page = await from.page({ ...query, ...(next !== undefined && { after: next }) });
    pages.push(idsOf(page.items));
    ({ next } = page);
    if (next === undefined) return pages;
  }
}

describe('page', () => {
  const table: [query: PageQuery, pages: string[]][] = [
    [{ limit: 4 }, ['1 2 3 4', '5 6']],
    [{ limit: 6 }, ['1 2 3 4 5 6']],
    [{ limit: 1000 }, ['1 2 3 4 5 6']],
    [{ limit: 1, q: 'jane' }, ['1', '6']],
    [{ limit: 4, sort: '-title' }, ['5 3 4 6', '2 1']],
    [{ limit: 1, q: 'nobody' }, ['']],
  ];
  for (const [query, pages] of table) {
    test(JSON.stringify(query), async () => {
      assert.deepEqual(await pagesOf(client, query), pages);
    });
  }

  test('a page of very long books is shorter than its limit, without being the last', async (t) => {
    const service = await startService(t);
    const other = connect(t, service.url, { token: service.token });
    for (let i = 0; i < 5; i++) await other.create({ title: 'long '.repeat(120_000) });
    const pages = await pagesOf(other, { limit: 4 });
    assert.equal(pages.join(' '), '1 2 3 4 5');
    assert.ok(pages.length > 2);
  });

  test('concurrent writes neither repeat nor omit other books on pages', async (t) => {
    const service = await startService(t);
    const other = connect(t, service.url, { token: service.token });
    await other.createMany(['b', 'd', 'f', 'h'].map((title) => ({ title })));
    const { items: books, next = '' } = await other.page({ sort: 'title', limit: 2 });
    assert.equal(idsOf(books), '1 2');
    await other.delete(2);
    for (const title of ['a', 'e']) await other.create({ title });
    assert.deepEqual(idsOf((await other.page({ sort: 'title', limit: 9, after: next })).items), '6 3 4');
  });

  test('page returns the total only with count', async () => {
    assert.equal((await client.page({ limit: 1 })).total, undefined);
    assert.equal((await client.page({ limit: 1, count: true })).total, 6);
  });

  test('the client works below the path that a service is mounted under', async (t) => {
    const mounted = await startService(t, { prefix: '/catalogue' });
    const other = connect(t, `${mounted.url}/catalogue`, { token: mounted.token });
    await other.createMany([{}, {}, {}]);
    assert.deepEqual(await pagesOf(other, { limit: 2 }), ['1 2', '3']);
  });
});

describe('a refused query is an invalid_query with possible reasons', () => {
  const table: [what: string, query: PageQuery][] = [
    ['no cursor', { after: 'x' }],
    ['a limit of none', { limit: 0 }],
    ['a limit too high', { limit: 1001 }],
    ['a year that is not an integer', { year: 0.5 }],
  ];
  const refusal = {
    code: 'invalid_query',
    message: /its value or cursor is not valid, or .* older than the client/,
  };
  for (const [what, query] of table) {
    test(what, async () => {
      await assert.rejects(client.page(query), refusal);
    });
  }

  test('a cursor of another query', async () => {
    const { next = '' } = await client.page({ limit: 1 });
    await assert.rejects(client.page({ limit: 1, sort: 'year', after: next }), refusal);
  });
});

const answer = (data: unknown) => JSON.stringify({ status: 200, message: 'x', data });

describe('a server that is not shelflist', () => {
  test('links to another host, and the client sends nothing there', async (t) => {
    const other = await startStranger(t);
    const hostile = await startStranger(t, (request, response) => {
      if (request.url?.includes('after') !== true)
        response.setHeader('Link', `<${other.url}/books?after=abc>; rel="next"`);
      response.end(answer([]));
    });
    assert.deepEqual(await pagesOf(connect(t, hostile.url, { token: 's3cret' }), { limit: 1 }), ['', '']);
    assert.deepEqual(hostile.requests, ['GET /books?limit=1 s3cret', 'GET /books?limit=1&after=abc s3cret']);
    assert.deepEqual(other.requests, []);
  });

  test('sends links in several headers', async (t) => {
    const { url } = await startStranger(t, (_, response) => {
      response.setHeader('Link', ['</books?after=a>; rel="prev"', '</books?after=b>; rel="next"']);
      response.end(answer([]));
    });
    assert.equal((await connect(t, url).page({})).next, 'b');
  });

  test('sends no total, although it was asked for one', async (t) => {
    const { url } = await startStranger(t, (_, response) => response.end(answer([])));
    assert.equal((await connect(t, url).page({ count: true })).total, undefined);
  });

  for (const total of ['many', '-1', '1.5', '']) {
    test(`sends a total that is ${JSON.stringify(total)}`, async (t) => {
      const { url } = await startStranger(t, (_, response) => {
        response.setHeader('X-Total-Count', total);
        response.end(answer([]));
      });
      const asking = connect(t, url).page({ count: true });
      await assert.rejects(asking, { code: 'bad_response', message: /the number of matching books/ });
    });
  }
});
