// Completes a store that has the core of the contract, and perhaps some of its groups.
import type { Book } from '../catalogue/book.ts';
import { ShelflistError, wireErrorOf } from '../catalogue/errors.ts';
import { textPosition } from '../catalogue/keyset-position.ts';
import { toFilter } from '../catalogue/query.ts';
import { checkSuggestedField } from '../catalogue/suggestion.ts';
import { findAuthors } from './questions/authors.ts';
import { argumentChecks, argumentParsers } from './contract/checks.ts';
import { checkDigest, idempotencyKeyMs } from './contract/create.ts';
import { chooseSame, groupSame } from './questions/duplicates.ts';
import { pageInOrder } from './contract/page.ts';
import { forgive } from './questions/forgiving.ts';
import { count, statistics, suggest } from './questions/fallback.ts';
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
} from './contract/store.ts';
import { readWords } from './questions/vocabulary.ts';

/** How a store is used. */
export interface Completion {
  /** Whether its callers may have no types: books and requests are parsed. Default: they are parsed already. */
  readonly isUntyped?: boolean | undefined;
  /** Receives the duration of each call, in seconds. */
  readonly onCall?: ((method: StoreMethod, seconds: number) => void) | undefined;
}

type Method = (...args: readonly unknown[]) => unknown;

/**
 * A store with every method, as a plain object whose methods need no `this`; each checks its arguments. Questions that the store
 * does not answer are answered from all of its books. Without events, a change is a reset. Without a history, its methods reject
 * with `not_implemented`.
 */
export function completeStore(
  store: BookStore,
  { isUntyped = false, onCall }: Completion = {},
): CompleteStore {
  const given = store as Partial<Record<StoreMethod, Method>>;
  // Not bound, so that a method that is replaced later counts.
  const own = Object.fromEntries(
    storeMethods
      .filter((name) => given[name] !== undefined)
      .map((name) => {
        const call: Method = (...args) => given[name]?.(...args);
        return [name, iterables.includes(name) ? (...args: readonly unknown[]) => iterate(call, args) : call];
      }),
  ) as unknown as CoreStore & Partial<CompleteStore>;
  const find = store.authors === undefined && { find: findOf(own) };
  const answers = { events: eventsOf(own), ...answerQuestions(own), ...own, ...find };
  const forgiving = own.corrections === undefined && forgive(answers);
  const methods = { createMany: createManyOf(own), ...withoutHistory, ...answers, ...forgiving };
  const entries = storeMethods.map((name) => {
    const isOwn = methods[name] === own[name] && !iterables.includes(name);
    const target = (isOwn ? given : methods) as Record<StoreMethod, Method>;
    return [name, guarded(target, name, { isUntyped, onCall })];
  });
  return {
    ...(Object.fromEntries(entries) as typeof methods & Pick<CompleteStore, 'corrections'>),
    description: store.description,
    measure: async () => (await store.measure?.()) ?? {},
    checkWrites: async () => {
      if (store.checkWrites === undefined) await store.update(Number.MAX_SAFE_INTEGER, {});
      else await store.checkWrites();
    },
  };
}

/** Wraps a method: checks its arguments, and measures its duration. */
function guarded(
  target: Record<StoreMethod, Method>,
  name: StoreMethod,
  { isUntyped, onCall }: Completion,
): Method {
  if (iterables.includes(name)) return (...args) => target[name](...args);
  const check = argumentChecks[name] as ((...args: readonly unknown[]) => void) | undefined;
  const parse =
    isUntyped === true
      ? (argumentParsers[name] as ((...args: readonly unknown[]) => readonly unknown[]) | undefined)
      : undefined;
  const isMeasured = onCall !== undefined && !unmeasured.includes(name);
  return async (...args) => {
    check?.(...args);
    const begun = isMeasured ? performance.now() : 0;
    try {
      return await target[name](...(parse?.(...args) ?? args));
    } finally {
      if (isMeasured) onCall(name, (performance.now() - begun) / 1000);
    }
  };
}

/** Their duration depends on the reader of a stream, or on the end of the service. */
const unmeasured: readonly StoreMethod[] = ['events', 'close'];

/** A store that answers no questions knows the order by its own rules alone. */
function findOf(store: CoreStore): CoreStore['find'] {
  return async (query, request) => {
    if (request.byText !== true) return store.find(query, request);
    const filter = toFilter(query);
    return pageInOrder(await readAll(store, request), filter, request, (book) => textPosition(filter, book));
  };
}

/** The methods that return an iterable. */
const iterables: readonly StoreMethod[] = ['iterate', 'duplicateCandidates', 'authors', 'words'];

/** An untyped store may return a promise. Nothing else would await it, and a rejection would crash the process. */
async function* iterate(call: Method, args: readonly unknown[]): AsyncGenerator<unknown, void, undefined> {
  yield* (await call(...args)) as AsyncIterable<unknown>;
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
    findDuplicatesOf: async (books, options) => {
      return chooseSame(books, await readAll(store, options));
    },
    async *duplicateCandidates({ of, ...options } = {}) {
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
  return async (books, { batch, user, idempotencyKey: repeat } = {}) => {
    for (const [key, { at }] of byKey)
      if (at < Date.now() - idempotencyKeyMs) byKey.delete(key);
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
      if (!(error instanceof ShelflistError) || wireErrorOf(error.code).status >= 500) throw error;
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
