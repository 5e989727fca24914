import { isUndoOf, newUndo } from '../../store/undo-batch.ts';
import { isId } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { BookStore } from '../../store/store.ts';
import type { Call } from '../call.ts';
import { BatchReader } from '../books/batch-reader.ts';
import { longWork } from '../books/long-work.ts';
import type { PageReader } from '../books/page-reader.ts';
import { represent } from '../books/representation-cache.ts';
import { TrashReader } from '../books/trash-reader.ts';
import { JsonText } from '../http/reply.ts';
import { batchParameter, pageParameters, preconditionParameters } from '../openapi/parameters.ts';
import { ref } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

/** The maximum number of books that one request undoes. */
const maxUndone = 1000;

/** Earlier states, deleted books, and batches. The order of checks is that of the operations on books. */
export function historyRoutes(store: BookStore, pages: PageReader): Route[] {
  const trash = new TrashReader(store, pages);
  const batches = new BatchReader(store, pages);
  return [
    {
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
        return { data: await longWork.run(() => new JsonText(JSON.stringify(states)), signal) };
      },
    },
    {
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
        return { data: found(await store.revert(id, version, expected, { batch: call.batch })) };
      },
    },
    {
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
      handle: (call) => trash.list(call),
    },
    {
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
    },
    {
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
        const { undone, left, next = null } = kept(await store.undo(batch, { as, limit: maxUndone, before }));
        return { data: { batch: undone > 0 ? as : null, undone, left, next } };
      },
    },
  ];
}

/** The version in the body of a revert. @throws {ShelflistError} `invalid_input` */
function parseRevert(body: unknown): string | undefined {
  const { version } = parseObject(body);
  if (version === undefined || typeof version === 'string') return version;
  throw new ShelflistError('invalid_input', { message: 'version is not a string' });
}

/** The header and the body of an undo. @throws {ShelflistError} `invalid_input` */
async function readUndo(call: Call): Promise<{ as: string; before: number | undefined }> {
  const { pathParameter: batch } = call;
  const as = call.batch ?? newUndo(batch);
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

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ShelflistError('book_not_found');
  return value;
}

function kept<T>(value: T | undefined): T {
  if (value === undefined) throw new ShelflistError('not_found');
  return value;
}
