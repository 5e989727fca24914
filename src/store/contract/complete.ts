// Completes a store that has the core of the contract, and perhaps some of its groups.
import { parseBookFields, parseBookPatch, type Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { textPosition } from '../../catalogue/keyset-position.ts';
import { toFilter } from '../../catalogue/query.ts';
import { checkSuggestedField } from '../../catalogue/suggestion.ts';
import { findAuthors } from './authors.ts';
import { checkCount, checkDigest, checkNewBooks, repeatKeyMs } from './create.ts';
import { chooseSame, groupSame } from './duplicates.ts';
import { checkPageRequest, pageInOrder } from './page.ts';
import { forgive } from './forgiving.ts';
import { count, statistics, suggest } from './questions.ts';
import {
  storeGroups,
  storeMethods,
  type BookStore,
  type BulkStore,
  type CompleteStore,
  type CoreStore,
  type EventStore,
  type HistoryStore,
  type QuestionStore,
  type ReadOptions,
  type StoreMethod,
} from './store.ts';
import { readWords } from './vocabulary.ts';

/**
 * A store with every method, as a plain object whose methods need no `this`. Questions that the store does not answer are
 * answered from all of its books. Without events, a change is a reset. Without a history, its methods reject with `not_implemented`.
 */
export function completeStore(store: BookStore): CompleteStore {
  const given = store as Partial<Record<StoreMethod, (...args: readonly unknown[]) => unknown>>;
  // Not bound, so that a method that is replaced later counts.
  const methods = storeMethods
    .filter((name) => given[name] !== undefined)
    .map((name) => {
      const call = (...args: readonly unknown[]) => given[name]?.(...args);
      return [
        name,
        iterables.includes(name) ? (...args: readonly unknown[]) => iterate(() => call(...args)) : call,
      ];
    });
  const own = Object.fromEntries(methods) as CoreStore & Partial<CompleteStore>;
  const find = store.authors === undefined && { find: findOf(own) };
  const answers = { events: eventsOf(own), ...answerQuestions(own), ...own, ...find };
  return {
    createMany: createManyOf(own),
    ...withoutHistory,
    ...answers,
    ...(own.corrections === undefined ? forgive(answers) : { corrections: own.corrections }),
    description: store.description,
    measure: async () => (await store.measure?.()) ?? {},
    checkWrites: async () => {
      if (store.checkWrites === undefined) await store.update(Number.MAX_SAFE_INTEGER, {});
      else await store.checkWrites();
    },
  };
}

/** A store that answers no questions knows the order by its own rules alone. */
function findOf(store: CoreStore): CoreStore['find'] {
  return async (query, request) => {
    if (request.byText !== true) return store.find(query, request);
    const filter = toFilter(query);
    return pageInOrder(await readAll(store, request), filter, request, (book) => textPosition(filter, book));
  };
}

/** The methods that return an iterable. */
const iterables: readonly StoreMethod[] = ['iterate', 'sameGroups', 'authors', 'words'];

/** An untyped store may return a promise. Nothing else would await it, and a rejection would crash the process. */
async function* iterate(call: () => unknown): AsyncGenerator<unknown, void, undefined> {
  yield* (await call()) as AsyncIterable<unknown>;
}

/** Checks the arguments of callers without types. Stores rely on this. */
export function checkArguments(store: CompleteStore): CompleteStore {
  return {
    ...store,
    create: async (fields, options) => store.create(parseBookFields(fields), options),
    createMany: async (books, options) => {
      checkCount(books.length);
      return store.createMany(books.map(parseBookFields), options);
    },
    find: async (query, page) => store.find(query, checkPageRequest(page)),
    update: async (id, patch, options) => store.update(id, parseBookPatch(patch), options),
  };
}

const refuse = () =>
  Promise.reject(new ShelflistError('not_implemented', { message: 'the store keeps no history' }));
const withoutHistory = Object.fromEntries(
  storeGroups.history.map((name) => [name, refuse]),
) as unknown as HistoryStore;

/** Positions are versions: it is known that there are changes, but not which ones. */
function eventsOf(store: CoreStore): EventStore['events'] {
  return async ({ since } = {}) => {
    const position = await store.version();
    const isSame = since === undefined || since === position;
    return { position, events: isSame ? [] : undefined, isCurrent: true };
  };
}

async function readAll(store: Pick<CoreStore, 'iterate'>, { signal }: ReadOptions = {}): Promise<Book[]> {
  const all: Book[] = [];
  for await (const books of store.iterate()) {
    signal?.throwIfAborted();
    for (const book of books) all.push(book);
  }
  return all;
}

/** What the service answers from the core alone. */
function answerQuestions(store: CoreStore): Omit<QuestionStore, 'corrections'> {
  return {
    count: async (query, options) => count(await readAll(store, options), query),
    statistics: async (query, options) => statistics(await readAll(store, options), query),
    suggest: async (name, text, options) =>
      suggest(await readAll(store, options), checkSuggestedField(name), text, options.limit),
    authors: ({ signal } = {}) => findAuthors(store, signal),
    words: () => readWords(store),
    findSame: async (books, options) => {
      checkCount(books.length);
      return chooseSame(books, await readAll(store, options));
    },
    async *sameGroups({ of, ...options } = {}) {
      yield { groups: groupSame(await readAll(store, options), of), done: 1 };
    },
  };
}

/** The maximum number of remembered keys; the oldest are forgotten first. */
const maxKeys = 10_000;

/** What a call with a key has stored so far. */
interface Started {
  readonly digest: string | undefined;
  readonly batch: string | undefined;
  readonly ids: number[];
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  isRunning: boolean;
}

/**
 * `createMany` by single creates. A call that is refused halfway deletes what it has stored, and its key is free again; one that
 * failed otherwise goes on when it is repeated with its key.
 */
function createManyOf(store: CoreStore): BulkStore['createMany'] {
  const byKey = new Map<string, Started>(); // The oldest first.
  return async (given, options = {}) => {
    const { books, batch, user, repeat } = checkNewBooks(given, options);
    for (const [key, { at }] of byKey)
      if (at < Date.now() - repeatKeyMs) byKey.delete(key);
      else break;
    const earlier = repeat && byKey.get(repeat.key);
    const started = earlier ?? { digest: repeat?.digest, batch, ids: [], at: Date.now(), isRunning: false };
    if (repeat !== undefined) {
      checkDigest(repeat, started.digest ?? '');
      if (started.isRunning) throw new ShelflistError('request_in_progress');
      byKey.set(repeat.key, started);
      const [oldest = ''] = byKey.keys();
      if (byKey.size > maxKeys) byKey.delete(oldest);
    }
    const isReplay = earlier?.ids.length === books.length;
    started.isRunning = true;
    try {
      for (const fields of books.slice(started.ids.length))
        started.ids.push((await store.create(fields, { batch: started.batch, user })).id);
    } catch (error) {
      if (!(error instanceof ShelflistError) || error.status >= 500) throw error;
      for (const id of started.ids.toReversed()) {
        await store.delete(id, { batch: started.batch, user });
        started.ids.pop(); // If the next delete fails, a repeat goes on from here.
      }
      if (repeat !== undefined) byKey.delete(repeat.key);
      throw error;
    } finally {
      started.isRunning = false;
    }
    return { ids: started.ids, batch: started.batch, isReplay };
  };
}
