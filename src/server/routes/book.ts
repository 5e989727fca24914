import { hash } from 'node:crypto';
import { parseBookFields, parseBookPatch, type Book } from '../../catalogue/book.ts';
import { hasCode, ShelflistError, type ErrorCode } from '../../catalogue/errors.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import type { WriteOptions } from '../../store/contract/history.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { quote, type Preconditions } from '../http/preconditions.ts';
import { JsonText, notModified } from '../http/reply.ts';
import {
  batchParameter,
  idempotencyKeyParameter,
  preconditionParameters,
  unmodified,
} from '../openapi/parameters.ts';
import { nothing, ref } from '../openapi/schemas.ts';
import { repeatErrors, replayed, type Repeats } from './repeats.ts';
import type { Route } from './route.ts';

const bookBody = 'The service reads the body as JSON, whatever its `Content-Type`.';
/** The refusals of a delete. The specification has one response for every delete that fails otherwise. */
const refusals: readonly ErrorCode[] = ['precondition_failed', 'invalid_input'];
const createdId = { parameters: { id: '$response.body#/data/id' } };

/** The operations on one book. The specification fixes the order of checks in each. */
export function bookRoutes(store: CompleteStore, repeats: Repeats, isReadOpen: boolean): Route[] {
  return [createRoute(store, repeats), getRoute(store, isReadOpen), updateRoute(store), deleteRoute(store)];
}

function createRoute(store: CompleteStore, repeats: Repeats): Route {
  return {
    method: 'POST',
    path: '/book',
    action: 'create',
    status: 201,
    message: 'Book created successfully',
    operation: {
      id: 'createBook',
      tag: 'books',
      summary: 'Create a book',
      description: `Responds with the book and its id as soon as it is on disk. ${bookBody}`,
      parameters: [batchParameter, idempotencyKeyParameter],
      body: { 'application/json': ref('BookFields') },
      data: ref('Book'),
      headers: ['Idempotency-Replayed'],
      links: {
        GetBook: { operationId: 'getBook', ...createdId },
        UpdateBook: { operationId: 'updateBook', ...createdId },
        DeleteBook: { operationId: 'deleteBook', ...createdId },
      },
      errors: repeatErrors,
    },
    handle: (call) =>
      repeats.run(call, '/book', async (request) => {
        const { origin } = call;
        const fields = parseBookFields(await call.readJson('book', request?.hash));
        if (request === undefined) return { data: await store.create(fields, origin) };
        const created = await store.createMany([fields], { ...origin, repeat: request.keyOf(0) });
        return { data: { id: created.ids[0], ...fields }, ...(created.isReplay && replayed) };
      }),
  };
}

function getRoute(store: CompleteStore, isTokenOptional: boolean): Route {
  return {
    method: 'GET',
    path: '/book/{id}',
    action: 'read',
    isTokenOptional,
    status: 200,
    message: 'Book retrieved successfully',
    operation: {
      id: 'getBook',
      tag: 'books',
      summary: 'Read a book',
      description: 'The book with this id.',
      parameters: preconditionParameters,
      data: ref('Book'),
      headers: ['ETag'],
      errors: ['precondition_failed', 'unavailable'],
      bodiless: unmodified,
    },
    async handle({ id, preconditions }) {
      const { json, tag } = represent(found(await store.get(id)));
      return preconditions.isNotModified(tag) ? notModified(tag) : { data: json, tag };
    },
  };
}

function updateRoute(store: CompleteStore): Route {
  return {
    method: 'PUT',
    path: '/book/{id}',
    action: 'update',
    status: 200,
    message: 'Book updated successfully',
    operation: {
      id: 'updateBook',
      tag: 'books',
      summary: 'Change a book',
      description: `Changes the named fields. Responds with the whole book as soon as it is on disk. ${bookBody}`,
      parameters: [...preconditionParameters, batchParameter],
      body: { 'application/json': ref('BookPatch') },
      data: ref('Book'),
      errors: ['invalid_input', 'precondition_failed', 'unavailable'],
    },
    async handle(call) {
      const { id, preconditions } = call;
      const before = found(await store.get(id)); // The specification checks this before the body.
      // Checked before the body, too (RFC 9110, section 13.2.1).
      const expected =
        preconditions.hasPreconditions && preconditions.check(represent(before).tag) ? before : undefined;
      const patch = parseBookPatch(await call.readJson());
      return { data: found(await store.update(id, patch, { expected, ...call.origin })) };
    },
  };
}

function deleteRoute(store: CompleteStore): Route {
  return {
    method: 'DELETE',
    path: '/book/{id}',
    action: 'delete',
    status: 200,
    message: 'Book deleted successfully',
    operation: {
      id: 'deleteBook',
      tag: 'books',
      summary: 'Delete a book',
      description:
        'The id is never reused. `POST /book/{id}/revert` brings the book back. A delete that fails for any reason is a 404.',
      parameters: [...preconditionParameters, batchParameter],
      errors: ['invalid_input', 'precondition_failed'],
      data: nothing,
    },
    async handle(call) {
      const { id, preconditions } = call;
      try {
        if (preconditions.hasPreconditions) await deleteIf(store, id, preconditions, call);
        else await store.delete(id, call.origin);
      } catch (cause) {
        if (hasCode(cause, ...refusals)) throw cause;
        throw new ShelflistError('book_not_found', { message: `book ${id} could not be deleted`, cause });
      }
      return { data: null };
    },
  };
}

async function deleteIf(
  store: CompleteStore,
  id: number,
  preconditions: Preconditions,
  { origin }: { readonly origin: WriteOptions },
): Promise<void> {
  const book = await store.get(id);
  const isExpected = preconditions.check(book && represent(book).tag);
  await store.delete(id, { expected: isExpected ? book : undefined, ...origin });
}

/** @throws {ShelflistError} `book_not_found` */
export function found<T>(book: T | undefined): T {
  if (book === undefined) throw new ShelflistError('book_not_found');
  return book;
}

/** A book as it is sent. */
interface Representation {
  readonly json: JsonText;
  /** The `ETag`: a digest of the contents. */
  readonly tag: string;
}

/** The representations of immutable books, for as long as their store caches the books. */
const cache = new WeakMap<Readonly<Book>, Representation>();

export function represent(book: Readonly<Book>): Representation {
  const cached = cache.get(book);
  if (cached !== undefined) return cached;
  const digest = hash('sha256', JSON.stringify(fieldNames.map((name) => book[name])), 'base64url');
  const representation = { json: new JsonText(JSON.stringify(book)), tag: quote(digest.slice(0, 22)) };
  if (Object.isFrozen(book)) cache.set(book, representation);
  return representation;
}
