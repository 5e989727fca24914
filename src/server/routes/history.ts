import { isId, textLength } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { parsePageQuery, withCursor } from '../../catalogue/query-string.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { longWork } from '../../lib/time-slices.ts';
import type { HistoryPage, BatchSummary } from '../../store/contract/history.ts';
import { cutToPage } from '../../store/contract/page.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { isUndoOf, newUndo } from '../../store/contract/undo.ts';
import type { Call } from '../http/call.ts';
import { JsonText, linkToNext, type Reply } from '../http/reply.ts';
import { batchParameter, pageParameters, preconditionParameters } from '../openapi/parameters.ts';
import { ref } from '../openapi/schemas.ts';
import { found, represent } from './book.ts';
import type { PageReader } from './page-reader.ts';
import type { Route } from './route.ts';

/** The maximum number of books that one request undoes. */
const maxUndone = 1000;

/** Earlier states, deleted books, and batches. The order of checks is that of the operations on books. */
export function historyRoutes(store: CompleteStore, pages: PageReader): Route[] {
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

function historyRoute(store: CompleteStore, pages: PageReader): Route {
  return {
    method: 'GET',
    path: '/book/{id}/history',
    isLong: true,
    action: 'history',
    status: 200,
    message: 'History retrieved successfully',
    operation: {
      id: 'getHistory',
      tag: 'history',
      summary: 'Show the earlier states of a book',
      description:
        'The states that changes replaced, newest first, as far as they are kept. Works for a deleted book, too.',
      data: { type: 'array', items: ref('EarlierState') },
      errors: ['unavailable'],
    },
    async handle({ id, signal }) {
      const states = found(await pages.run(() => store.history(id), signal));
      const isShort = cutToPage(states, textLength).length === states.length;
      if (!isShort) return { pages: each(states) };
      return { data: await longWork.run(() => new JsonText(JSON.stringify(states)), signal) };
    },
  };
}

/** One by one as JSON: together, hundreds of long states would be longer than a text can be. */
// eslint-disable-next-line @typescript-eslint/require-await -- A response reads its pages when the client takes them.
async function* each(items: readonly object[]): AsyncGenerator<string, void, undefined> {
  for (const item of items) yield JSON.stringify(item);
}

function revertRoute(store: CompleteStore): Route {
  return {
    method: 'POST',
    path: '/book/{id}/revert',
    action: 'revert',
    status: 200,
    message: 'Book reverted successfully',
    operation: {
      id: 'revertBook',
      tag: 'history',
      summary: 'Give a book an earlier state',
      description:
        'Brings a deleted book back under its id. The revert is a change itself, and can be reverted.',
      parameters: [...preconditionParameters, batchParameter],
      body: { 'application/json': ref('Revert') },
      isBodyOptional: true,
      data: ref('Book'),
      errors: ['invalid_input', 'precondition_failed', 'unavailable'],
    },
    async handle(call) {
      const { id, preconditions } = call;
      const before = await store.get(id);
      if (before === undefined) found(await store.history(id));
      const tag = before && represent(before).tag;
      const expected = preconditions.hasPreconditions && preconditions.check(tag) ? before : undefined;
      const version = parseRevert(await call.readOptionalJson());
      return { data: found(await store.revert(id, { version, expected, ...call.origin })) };
    },
  };
}

function trashRoute(store: CompleteStore, pages: PageReader): Route {
  return {
    method: 'GET',
    path: '/trash',
    isLong: true,
    action: 'trash',
    status: 200,
    message: 'Deleted books retrieved successfully',
    operation: {
      id: 'listTrash',
      tag: 'history',
      summary: 'List deleted books',
      description:
        'The deleted books that can be brought back, newest first. With `limit`, the response is a page.',
      parameters: pageParameters,
      data: { type: 'array', items: ref('DeletedBook') },
      headers: ['Link'],
      errors: ['invalid_query', 'unavailable'],
    },
    handle(call) {
      const read = async (request: HistoryPage) => {
        const { books, next } = await store.trash(request);
        return { items: books, next };
      };
      return sendList(read, pages, call);
    },
  };
}

function batchesRoute(store: CompleteStore, pages: PageReader, checking: Semaphore): Route {
  return {
    method: 'GET',
    path: '/batches',
    isLong: true,
    action: 'batch',
    status: 200,
    message: 'Batches retrieved successfully',
    operation: {
      id: 'listBatches',
      tag: 'history',
      summary: 'List batches',
      description:
        'The batches of which a change is kept, newest first; undos are batches, too. With `limit`, the response is a page.',
      parameters: pageParameters,
      data: { type: 'array', items: ref('Batch') },
      headers: ['Link'],
      errors: ['invalid_query', 'unavailable'],
    },
    handle(call) {
      const read = async (request: HistoryPage) => {
        const { batches, next } = await checking.run(() => store.batches(request), call.signal);
        return { items: batches.map((batch) => ({ undoable: true, ...batch })), next };
      };
      return sendList(read, pages, call);
    },
  };
}

function batchRoute(batches: BatchReader): Route {
  return {
    method: 'GET',
    path: '/batch/{batch}',
    action: 'batch',
    status: 200,
    message: 'Batch retrieved successfully',
    operation: {
      id: 'getBatch',
      tag: 'history',
      summary: 'Show what a batch has done',
      description:
        'The numbers of its changes by kind, as far as they are kept, and whether there is anything to undo.',
      data: ref('Batch'),
      errors: ['not_found', 'unavailable'],
    },
    async handle({ pathParameter, signal }) {
      return { data: { undoable: true, ...kept(await batches.read(pathParameter, signal)) } };
    },
  };
}

function undoRoute(store: CompleteStore): Route {
  return {
    method: 'POST',
    path: '/batch/{batch}/undo',
    action: 'undo',
    status: 200,
    message: 'Batch undone successfully',
    operation: {
      id: 'undoBatch',
      tag: 'history',
      summary: 'Undo a batch',
      description:
        `Takes back what the batch did to at most ${maxUndone} books: each gets the state it had before the batch. Send ` +
        '`next` as `before`, and an answered `batch` as the header `Batch`, until `next` is `null`. A step may be repeated. ' +
        'A batch that is undone already is not undone again. The undo is a batch itself, and can be undone.',
      parameters: [
        {
          ...batchParameter,
          description: 'The `batch` that an earlier step answered. Default: a new one.',
        },
      ],
      body: { 'application/json': ref('Undo') },
      isBodyOptional: true,
      data: ref('Undone'),
      errors: ['invalid_input', 'not_found', 'unavailable'],
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
  };
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
  const as = call.origin.batch ?? newUndo(batch);
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
  if (value === undefined) throw new ShelflistError('not_found');
  return value;
}

/** A response without a limit is sent page by page. */
const pageSize = 1000;

interface ListPage {
  /** The items as comma-separated JSON. */
  readonly json: string;
  readonly next: string | undefined;
}

/** @throws {ShelflistError} `invalid_query`, and as the store does. */
async function sendList(
  read: (request: HistoryPage) => Promise<{ items: readonly unknown[]; next: string | undefined }>,
  pages: PageReader,
  { query, path, signal }: Pick<Call, 'query' | 'path' | 'signal'>,
): Promise<Reply> {
  const { limit, after, ...others } = parsePageQuery(query);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ShelflistError('invalid_query', { message: `"${unknown}": unknown parameter` });
  const readPage = (request: HistoryPage): Promise<ListPage> =>
    pages.run(async () => {
      const { items, next } = await read(request);
      return { json: await longWork.run(() => JSON.stringify(items).slice(1, -1), signal), next };
    }, signal);
  const first = await readPage({ limit: limit ?? pageSize, after });
  if (first.next === undefined) return { data: new JsonText(`[${first.json}]`) };
  if (limit === undefined) return { pages: followPages(first, readPage) };
  return {
    data: new JsonText(`[${first.json}]`),
    headers: linkToNext(path, withCursor(query, first.next)),
  };
}

async function* followPages(
  first: ListPage,
  readPage: (request: HistoryPage) => Promise<ListPage>,
): AsyncGenerator<string, void, undefined> {
  for (let page = first; ; page = await readPage({ limit: pageSize, after: page.next })) {
    if (page.json !== '') yield page.json;
    if (page.next === undefined) return;
  }
}

/** The summaries that are kept, one for each batch. */
const maxKept = 100;

/** Summarizes batches. A summary is kept until the catalogue changes. */
class BatchReader {
  readonly #store: CompleteStore;
  readonly #pages: PageReader;
  readonly #checking: Semaphore;
  readonly #kept = new Map<
    string,
    { readonly version: string; readonly summary: BatchSummary | undefined }
  >();

  constructor(store: CompleteStore, pages: PageReader, checking: Semaphore) {
    this.#store = store;
    this.#checking = checking;
    this.#pages = pages;
  }

  /** @throws As the store does; and the signal's reason when it is aborted. */
  read(batch: string, signal: AbortSignal): Promise<BatchSummary | undefined> {
    return this.#checking.run(async () => {
      // Read before the summary, which may be newer.
      const version = await this.#store.version();
      const kept = this.#kept.get(batch);
      if (kept?.version === version) return kept.summary;
      const summary = await this.#pages.run(() => this.#store.batch(batch), signal);
      this.#kept.delete(batch);
      this.#kept.set(batch, { version, summary });
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
      return summary;
    }, signal);
  }
}
