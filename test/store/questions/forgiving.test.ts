import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BookQuery } from '../../../src/catalogue/query.ts';
import { endOf } from '../../../src/store/contract/page.ts';
import { bookOf } from '../../support/books.ts';
import { lateStore } from '../../support/late-store.ts';

const titles = ['Zauberlehrling', 'Zauberlehrlinge', 'Kochlehrling'];
const query: BookQuery = { q: 'lehrling', sort: 'id' };

describe('a search for parts of words', () => {
  test('is provisional while the list of all words is late', async () => {
    const { store, late } = await lateStore(titles);
    late.isLate = true;
    const first = await store.find(query, { limit: 9 });
    assert.deepEqual([first.books.length, first.isProvisional], [0, true]);
    late.isLate = false;
    const found = await store.find(query, { limit: 9 });
    assert.deepEqual([found.books.length, found.match, found.isProvisional], [3, 'parts', undefined]);
    await store.create(bookOf({ title: 'Malerlehrling' }));
    late.isLate = true;
    const old = await store.find(query, { limit: 9 });
    assert.deepEqual([old.books.length, old.match, old.isProvisional], [3, 'parts', true]);
    assert.equal((await store.find({ q: 'koch' }, { limit: 9 })).isProvisional, undefined);
  });

  for (const sort of ['id', 'best', '-title'] as const)
    test(`finds each book once, page by page, in the order ${sort}`, async () => {
      const { store } = await lateStore(titles);
      const whole = await store.find({ ...query, sort }, { limit: 9 });
      const found = [];
      let page = await store.find({ ...query, sort }, { limit: 1 });
      for (; !page.isLast; page = await store.find({ ...query, sort }, { limit: 1, after: page.end }))
        found.push(...page.books);
      assert.deepEqual([...found, ...page.books], whole.books);
      assert.equal(found.length, 2);
    });

  for (const [what, title] of [
    ['begins so', 'Lehrling'],
    ['contains them', 'Malerlehrling'],
  ] as const)
    test(`does not go on once another word ${what}`, async () => {
      const { store } = await lateStore(titles);
      const first = await store.find(query, { limit: 2 });
      await store.create(bookOf({ title }));
      const next = store.find(query, { limit: 2, after: first.end });
      await assert.rejects(next, { code: 'invalid_query', message: /begin again/ });
    });

  test('goes on when books of other words are written', async () => {
    const { store } = await lateStore(titles);
    const first = await store.find(query, { limit: 2 });
    await store.create(bookOf({ title: 'Emma' }));
    const next = await store.find({ q: 'LEHRLING', sort: 'id' }, { limit: 2, after: first.end });
    assert.deepEqual([next.match, next.books.map(({ id }) => id)], ['parts', [3]]);
  });
});

test('a search for words does not go on with parts of words when its last books are gone', async () => {
  const { store } = await lateStore(['Lehrling', 'Lehrlinge', ...titles]);
  const first = await store.find(query, { limit: 1 });
  await store.delete(1);
  await store.delete(2);
  const next = await store.find(query, { limit: 9, after: endOf(query, first) });
  assert.deepEqual([next.match, next.books], [undefined, []]);
});
