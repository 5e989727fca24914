import { isId, textLength } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { batchesParameters, maxLimit, paging, summaryParameters } from '../../api/queries.ts';
import { readQuery } from '../../api/query-string.ts';
import { BatchReader } from '../../derived/batches.ts';
import type { ReadQueue } from '../../derived/read-queue.ts';
import { JsonText } from '../../lib/json-text.ts';
import { scheduler } from '../../lib/scheduler.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { HistoryRequest } from '../../store/contract/history.ts';
import { cutToPage } from '../../store/contract/page.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { isUndoOf, newUndoId } from '../../store/contract/undo.ts';
import type { Call } from '../http/call.ts';
import { sendList, toJsonItems } from '../http/paging.ts';
import type { Reply } from '../http/reply.ts';
import { pagingTexts } from '../openapi/parameters.ts';
import { orBookNotFound, represent } from './book.ts';
import { route, type Route } from './route.ts';

/** The maximum number of books that one request undoes. */
const maxUndone = 1000;

const summaryTexts = {
  books:
    'How many of its books to name, by descending id. Default: none. Their texts are cut after 200 characters.',
} as const;

/** Earlier states, deleted books, and batches. The order of checks is that of the operations on books. */
export function historyRoutes(store: CompleteStore, pages: ReadQueue): Route[] {
  // A store may need a second to check a large batch, so one request does so at a time.
  const checking = new Semaphore(1);
  return [
    historyRoute(store, pages),
    revertRoute(store),
    trashRoute(store, pages),
    batchesRoute(store, pages, checking),
    batchRoute(new BatchReader(store, pages, checking)),
    undoRoute(store),
  ];
}

function historyRoute(store: CompleteStore, pages: ReadQueue): Route {
  return route('getHistory', {
    isLong: true,
    document: {
      tag: 'history',
      summary: 'Show the earlier states of a book',
      description:
        'The states that changes replaced, newest first, as far as they are kept. Works for a deleted book, too.',
    },
    async handle({ id, signal }) {
      const states = orBookNotFound(await pages.run(() => store.history(id), signal));
      const isShort = cutToPage(states, textLength).length === states.length;
      if (!isShort) return { pages: each(states) };
      return { data: await scheduler.run(() => new JsonText(JSON.stringify(states)), signal) };
    },
  });
}

/** One by one as JSON: together, hundreds of long states would be longer than a text can be. */
// eslint-disable-next-line @typescript-eslint/require-await -- A response reads its pages when the client takes them.
async function* each(items: readonly object[]): AsyncGenerator<string, void, undefined> {
  for (const item of items) yield JSON.stringify(item);
}

function revertRoute(store: CompleteStore): Route {
  return route('revertBook', {
    document: {
      tag: 'history',
      summary: 'Give a book an earlier state',
      description:
        'Brings a deleted book back under its id. The revert is a change itself, and can be reverted.',
    },
    async handle(call) {
      const { id, preconditions } = call;
      const before = await store.get(id);
      if (before === undefined) orBookNotFound(await store.history(id));
      const tag = before && represent(before).tag;
      const expected = preconditions.hasPreconditions && preconditions.check(tag) ? before : undefined;
      const version = parseRevert(await call.readOptionalJson());
      return { data: orBookNotFound(await store.revert(id, { version, expected, ...call.origin })) };
    },
  });
}

function trashRoute(store: CompleteStore, pages: ReadQueue): Route {
  return route('listTrash', {
    isLong: true,
    document: {
      tag: 'history',
      summary: 'List deleted books',
      description:
        'The deleted books that can be brought back, newest first. With `limit`, the response is a page.',
      parameters: pagingTexts,
      headers: ['Link'],
    },
    handle: (call) =>
      sendHistory(call, pages, paging, async (request) => {
        const { books, next } = await store.trash(request);
        return { items: books, next };
      }),
  });
}

function batchesRoute(store: CompleteStore, pages: ReadQueue, checking: Semaphore): Route {
  return route('listBatches', {
    isLong: true,
    document: {
      tag: 'history',
      summary: 'List batches',
      description:
        'The batches of which a change is kept, newest first; undos are batches, too. With `limit`, the response is a page.',
      parameters: { ...pagingTexts, ...summaryTexts },
      headers: ['Link'],
    },
    handle(call) {
      const { books } = readQuery(call.query, batchesParameters);
      return sendHistory(call, pages, batchesParameters, async (request) => {
        const { batches, next } = await checking.run(() => store.batches({ ...request, books }), call.signal);
        return { items: batches.map((batch) => ({ undoable: true, ...batch })), next };
      });
    },
  });
}

function batchRoute(batches: BatchReader): Route {
  return route('getBatch', {
    document: {
      tag: 'history',
      summary: 'Show what a batch has done',
      description:
        'The numbers of its changes by kind, as far as they are kept, and whether there is anything to undo.',
      parameters: summaryTexts,
    },
    async handle({ pathParameter, query, signal }) {
      const read = async (books?: number) => kept(await batches.read(pathParameter, { books }, signal));
      let books: number | undefined;
      try {
        ({ books } = readQuery(query, summaryParameters));
      } catch (error) {
        await read(); // A batch that is not kept is a 404, whatever the query.
        throw error;
      }
      return { data: { undoable: true, ...(await read(books)) } };
    },
  });
}

function undoRoute(store: CompleteStore): Route {
  return route('undoBatch', {
    document: {
      tag: 'history',
      summary: 'Undo a batch',
      description:
        `Takes back what the batch did to at most ${maxUndone} books: each gets the state it had before the batch. Send ` +
        '`next` as `before`, and an answered `batch` as the header `Batch`, until `next` is `null`. A step may be repeated. ' +
        'A batch that is undone already is not undone again. The undo is a batch itself, and can be undone.',
      parameters: { Batch: 'The `batch` that an earlier step answered. Default: a new one.' },
    },
    async handle(call) {
      const { pathParameter: batch } = call;
      // The store looks the batch up, so it is asked first only if the request is invalid.
      const { as, before } = await readUndo(call).catch(async (error: unknown) => {
        kept(await store.batch(batch));
        throw error;
      });
      const request = { as, limit: maxUndone, before, user: call.origin.user };
      const { undone, left, next = null } = kept(await store.undo(batch, request));
      return { data: { batch: undone > 0 ? as : null, undone, left, next } };
    },
  });
}

/** The version in the body of a revert. @throws {ShelflistError} `invalid_input` */
function parseRevert(body: unknown): string | undefined {
  const { version } = parseObject(body);
  if (version === undefined || typeof version === 'string') return version;
  // SQLite's versions look like numbers, so people send numbers: an unknown one is a 404, as for a string.
  if (typeof version === 'number' && Number.isSafeInteger(version)) return String(version);
  throw new ShelflistError('invalid_input', { message: 'version is not a string or an integer' });
}

/** The header and the body of an undo. @throws {ShelflistError} `invalid_input` */
async function readUndo(call: Call): Promise<{ as: string; before: number | undefined }> {
  const { pathParameter: batch } = call;
  const as = call.origin.batch ?? newUndoId(batch);
  if (!isUndoOf(as, batch))
    throw new ShelflistError('invalid_input', {
      message: 'the header Batch is not that of an earlier step of this undo',
    });
  return { as, before: parseUndo(await call.readOptionalJson()) };
}

/** The position in the body of an undo. @throws {ShelflistError} `invalid_input` */
function parseUndo(body: unknown): number | undefined {
  const { before } = parseObject(body);
  if (before === undefined || isId(before)) return before;
  throw new ShelflistError('invalid_input', { message: 'before is not an id' });
}

function parseObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Readonly<Record<string, unknown>>;
  throw new ShelflistError('invalid_input', { message: 'the body is not a JSON object' });
}

function kept<T>(value: T | undefined): T {
  if (value === undefined) throw new ShelflistError('batch_not_found');
  return value;
}

/**
 * Replies with a list that has no query, newest first.
 *
 * @throws {ShelflistError} `invalid_query`, and as the store does.
 */
function sendHistory(
  call: Pick<Call, 'query' | 'path' | 'signal'>,
  pages: ReadQueue,
  parameters: typeof paging,
  read: (request: HistoryRequest) => Promise<{ items: readonly unknown[]; next: string | undefined }>,
): Promise<Reply> {
  const { limit, after: start } = readQuery(call.query, parameters);
  return sendList(call, {
    limit,
    start,
    pageSize: maxLimit,
    read: (limit, after) =>
      pages.run(async () => {
        const { items, next } = await read({ limit, after });
        return { json: await scheduler.run(() => toJsonItems(items), call.signal), next };
      }, call.signal),
    format: (cursor) => cursor,
  });
}
