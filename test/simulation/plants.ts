// Faults planted in a simulated service: the checks of a simulation must find each.
import { VerifiedTokenCache } from '../../src/auth/tokens.ts';
import type { Book, BookFields, BookStore } from '../../src/index.ts';
import { RateLimit } from '../../src/lib/rate-limit.ts';
import type { Change, MemoryData } from '../../src/store/memory/data.ts';
import type { MemoryStore } from '../../src/store/memory/store.ts';
import { inMemory, type StoreKind } from './stores.ts';
import type { World } from './world.ts';

/** A planted fault. */
interface Plant {
  /** The store that has it. */
  readonly store?: StoreKind;
  /** Puts the fault into the code; returns the function that removes it. */
  readonly begin?: () => () => void;
}

/** How long a planted cache answers, in milliseconds. */
const staleMs = 40;

/** A fault of the store. `own` has the methods without the fault. */
const inStore = (
  plant: (own: MemoryStore, shelf: MemoryData, world: World) => Partial<BookStore>,
): Plant => ({ store: inMemory(plant) });

/** A fault of a class of the service. */
function inClass<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: (own: Target[Name]) => Target[Name],
): Plant {
  return {
    begin: () => {
      const own = target[name];
      target[name] = make(own);
      return () => {
        target[name] = own;
      };
    },
  };
}

const unexplained = /no order of these operations explains their results/;

/** Each with the message of the failure that reports it. */
export const plants: readonly (readonly [fault: string, plant: Plant, report: RegExp])[] = [
  [
    'an update that is answered before it is stored',
    inStore((own, _, world) => ({
      async update(id, patch, options) {
        const book = await own.get(id);
        if (book === undefined || options?.expected !== undefined) return own.update(id, patch, options);
        void world.delay(30).then(() => own.update(id, patch, options));
        return { ...book, ...patch };
      },
    })),
    unexplained,
  ],
  [
    'an id from a counter that is read and raised in two steps',
    inStore((_, shelf, world) => ({
      async create(fields, { batch, user } = {}) {
        const book: Book = { title: '', author: '', year: 0, ...fields, id: shelf.lastId + 1 };
        await world.delay(1);
        shelf.put(book, { batch, user });
        return book;
      },
    })),
    /was given to|no order of these operations|was given after/,
  ],
  [
    `a book from a cache, for ${staleMs} ms after a write`,
    inStore((own, _, world) => {
      const cache = new Map<number, { readonly book: Readonly<Book> | undefined; readonly until: number }>();
      return {
        async get(id) {
          const kept = cache.get(id);
          if (kept !== undefined && world.ms < kept.until) return kept.book;
          const book = await own.get(id);
          cache.set(id, { book, until: world.ms + staleMs });
          return book;
        },
      };
    }),
    unexplained,
  ],
  [
    `a version of the catalogue that is ${staleMs} ms old`,
    inStore((own, _, world) => {
      let kept = { version: '', until: -1 };
      return {
        async version() {
          if (world.ms >= kept.until) kept = { version: await own.version(), until: world.ms + staleMs };
          return kept.version;
        },
      };
    }),
    unexplained,
  ],
  [
    'an event that is lost',
    inStore((own) => ({
      async events(request) {
        const page = await own.events(request);
        return { ...page, events: page.events?.filter(({ position }) => !position.endsWith('7')) };
      },
    })),
    unexplained,
  ],
  [
    'an event that comes again to a reader that resumes',
    inStore((own, shelf) => ({
      async events(request) {
        const page = await own.events(request);
        const [epoch = '', last] = (request?.since ?? '').split('.');
        if (page.events === undefined || page.events.length === 0 || Number(last) % 9 !== 1) return page;
        const { id, kind } = shelf.changes[Number(last) - 1] ?? {};
        if (id === undefined || kind === undefined) return page;
        return { ...page, events: [{ position: `${epoch}.${last}`, id, change: kind }, ...page.events] };
      },
    })),
    unexplained,
  ],
  [
    'an idempotency key that is ignored',
    inStore((own) => ({
      createMany: (books, { batch } = {}) => own.createMany(books as BookFields[], { batch }),
    })),
    /was created as \d+ and as \d+|no order of these operations/,
  ],
  [
    'a counter of ids that a restart sets back',
    inStore((_, shelf) => {
      shelf.lastId = Math.max(0, ...shelf.books.map(({ id }) => id));
      return {};
    }),
    /was given to|no order of these operations|was given after/,
  ],
  [
    'a last write that a restart loses',
    inStore((_, shelf) => {
      const changes = shelf.changes as Change[];
      const last = changes.at(-1);
      if (last?.kind !== 'updated' || last.before === undefined) return {};
      shelf.put({ id: last.id, ...last.before });
      changes.splice(-2);
      return {};
    }),
    /no order of these operations|the feed has lost changes/,
  ],
  [
    'a call without an answer',
    inStore((own, shelf) => ({
      get: (id) => (shelf.lastId % 8 === 7 && id % 5 === 0 ? new Promise(() => undefined) : own.get(id)),
    })),
    /no answer within a minute/,
  ],
  [
    'a failure that is no 503',
    inStore((own) => ({
      delete: (id, options) => (id % 16 === 0 ? Promise.reject(new Error('a bug')) : own.delete(id, options)),
    })),
    /404, without a fault/,
  ],
  [
    'a history without its newest state',
    inStore((own) => ({
      history: async (id) => (await own.history(id))?.slice(id % 2),
    })),
    unexplained,
  ],
  [
    'an undo that does not say which books it leaves',
    inStore((own) => ({
      async undo(batch, request) {
        const undone = await own.undo(batch, request);
        return undone && { ...undone, left: [] };
      },
    })),
    unexplained,
  ],
  [
    'a token that is valid a second too long',
    inClass(
      VerifiedTokenCache.prototype,
      'get',
      (own) =>
        function (this: VerifiedTokenCache, token, nowSeconds) {
          return own.call(this, token, nowSeconds - 1);
        },
    ),
    /a token was accepted \d+ ms after its end/,
  ],
  [
    'a limit of logins that forgets half of them',
    inClass(
      RateLimit.prototype,
      'count',
      (own) =>
        function (this: RateLimit, address, events = 1) {
          own.call(this, address, events / 2);
        },
    ),
    /logins were checked within/,
  ],
];
