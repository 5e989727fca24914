import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { after, describe, test } from 'node:test';
import { openStore, type Book } from '../../src/index.ts';
import type { CompleteStore, StorePage } from '../../src/store.ts';
import { createRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { CatalogueHistory, overHttp } from './catalogue-history.ts';
import { buildPorcupine, compareOpinions, type CheckedHistory } from './porcupine.ts';

const requests = 400;

/** A store that breaks its contract in one way. */
type Plant = (store: CompleteStore) => Partial<CompleteStore>;

/** How long the stale store answers from its cache. */
const staleMs = 300;

/** `isOfBooks`: the history of a single book shows it. */
const plants: [fault: string, plant: Plant, report: RegExp, isOfBooks?: boolean][] = [
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
    false,
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

/** Plays a round; returns also why its history is refused. */
async function play(
  scope: Parameters<typeof startService>[0],
  plant: Plant,
): Promise<{ history: CatalogueHistory; refusal: unknown }> {
  const store = await openStore('memory:');
  scope.after(() => store.close());
  const planted = { ...store, ...plant(store) };
  const services = [await startService(scope, { store: planted }), await startService(scope, { store })];
  const places = services.map(({ url }) => ({ ...overHttp(() => url), back: Promise.resolve() }));
  const history = new CatalogueHistory(scope, places, createRandom(1));
  const refusal = await history
    .round(8, requests, () => setTimeout(0))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return { history, refusal };
}

const porcupine = await buildPorcupine({ after });
/** The histories of all tests. */
const played: CheckedHistory[] = [];

describe('the history of clients of two services, of which one', () => {
  test('is as sound as the other, is linearizable', async (t) => {
    const { history, refusal } = await play(t, () => ({}));
    assert.ifError(refusal);
    const { counts, histories } = history;
    t.diagnostic(JSON.stringify(counts));
    for (const count of [counts.known, counts.books, counts.events]) assert.ok(count > 20);
    assert.ok(counts.unchangedLists > 0);
    assert.equal(counts.unknown, 0);
    assert.equal(histories.length, counts.books);
    played.push(...histories);
  });

  for (const [fault, plant, report, isOfBooks = true] of plants)
    test(`has ${fault}, is refused`, async (t) => {
      const { history, refusal } = await play(t, plant);
      assert.ok(refusal instanceof Error, 'it was not refused');
      t.diagnostic(refusal.message);
      assert.match(refusal.message, report);
      if (isOfBooks) assert.ok(history.histories.some((each) => !each.isLinearizable));
      played.push(...history.histories);
    });

  test(
    'is judged by Porcupine as by our checker',
    { skip: 'skip' in porcupine && porcupine.skip },
    async () => {
      await compareOpinions(porcupine, played);
    },
  );
});
