import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { openStore, type Book } from '../../src/index.ts';
import type { CompleteStore, StorePage } from '../../src/store.ts';
import { createRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { CatalogueHistory } from './catalogue-history.ts';

const requests = 400;

/** A store that breaks its contract in one way. */
type Plant = (store: CompleteStore) => Partial<CompleteStore>;

/** How long the stale store answers from its cache. */
const staleMs = 300;

const plants: [fault: string, plant: Plant, report: RegExp][] = [
  [
    `a read that is answered from a cache for ${staleMs} ms`,
    (store) => {
      const cache = new Map<number, { readonly book: Readonly<Book> | undefined; readonly until: number }>();
      return {
        async get(id) {
          const cached = cache.get(id);
          if (cached !== undefined && performance.now() < cached.until) return cached.book;
          const book = await store.get(id);
          cache.set(id, { book, until: performance.now() + staleMs });
          return book;
        },
      };
    },
    /no order of these operations explains their results[^]*not explained after these:\n.* (get|update|revert) /,
  ],
  [
    'a list that is read too early',
    (store) => {
      let next: Promise<readonly Book[]> = Promise.resolve([]);
      const all = async () => {
        const books: Book[] = [];
        for await (const page of store.iterate()) books.push(...page);
        return books;
      };
      return {
        async *iterate() {
          const early = next;
          next = all();
          yield await early;
        },
      };
    },
    /no order of these operations explains their results[^]*not explained after these:\n.* list /,
  ],
  [
    `an answer of a search that is kept for ${staleMs} ms, whatever is written`,
    (store) => {
      const answers = new Map<string, { readonly page: Promise<StorePage>; readonly until: number }>();
      return {
        find(query, request) {
          const question = JSON.stringify([query, request.limit]);
          const kept = answers.get(question);
          if (kept !== undefined && performance.now() < kept.until) return kept.page;
          const page = store.find(query, request);
          answers.set(question, { page, until: performance.now() + staleMs });
          return page;
        },
      };
    },
    /no order of these operations explains their results[^]*not explained after these:\n.* search /,
  ],
  [
    'an update that is answered, and not stored',
    (store) => {
      let count = 0;
      return {
        async update(id, patch, options) {
          const book = await store.get(id);
          if (++count % 5 > 0 || book === undefined || options?.expected !== undefined)
            return store.update(id, patch, options);
          return { ...book, ...patch };
        },
      };
    },
    /no order of these operations explains their results/,
  ],
  [
    'a create that is repeated in spite of its key',
    (store) => ({ createMany: (books, { batch } = {}) => store.createMany(books, { batch }) }),
    /^"[\d-]+" was created as \d+ and as \d+$/,
  ],
  [
    'an event that is missing',
    (store) => {
      let count = 0;
      return {
        async events(request) {
          const { events, ...others } = await store.events(request);
          return {
            ...others,
            events: events?.filter(({ change }) => change !== 'updated' || ++count % 5 > 0),
          };
        },
      };
    },
    /no order of these operations explains their results/,
  ],
];

async function play(scope: Parameters<typeof startService>[0], plant: Plant): Promise<CatalogueHistory> {
  const store = await openStore('memory:');
  scope.after(() => store.close());
  const planted = { ...store, ...plant(store) };
  const services = [await startService(scope, { store: planted }), await startService(scope, { store })];
  const places = services.map(({ url }) => ({ url, back: Promise.resolve() }));
  const history = new CatalogueHistory(scope, places, createRandom(1));
  await history.round(8, requests, () => setTimeout(0));
  return history;
}

describe('the history of clients of two services, of which one', () => {
  test('is as sound as the other, is linearizable', async (t) => {
    const { counts } = await play(t, () => ({}));
    t.diagnostic(JSON.stringify(counts));
    for (const count of [counts.known, counts.books, counts.events]) assert.ok(count > 20);
    assert.ok(counts.unchangedLists > 0);
    assert.equal(counts.unknown, 0);
  });

  for (const [fault, plant, report] of plants)
    test(`has ${fault}, is refused`, async (t) => {
      await assert.rejects(play(t, plant), (error: Error) => {
        t.diagnostic(error.message);
        assert.match(error.message, report);
        return true;
      });
    });
});
