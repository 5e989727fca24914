import { hash } from 'node:crypto';
import { parseBookFields, parseBookPatch, type Book } from '../../catalogue/book.ts';
import { hasCode, ShelflistError, type ErrorCode } from '../../catalogue/errors.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import type { WriteOptions } from '../../store/contract/history.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { quote, type Preconditions } from '../http/preconditions.ts';
import { JsonText } from '../../lib/json-text.ts';
import { notModified } from '../http/reply.ts';
import { unmodified } from '../openapi/parameters.ts';
import { replayed, type IdempotencyKeys } from './idempotency-keys.ts';
import { route, type Route } from './route.ts';

const bookBody = 'The service reads the body as JSON, whatever its `Content-Type`.';
/** The refusals of a delete. The specification has one response for every delete that fails otherwise. */
const refusals: readonly ErrorCode[] = ['precondition_failed', 'invalid_input'];
const createdId = { parameters: { id: '$response.body#/data/id' } };

/** The operations on one book. The specification fixes the order of checks in each. */
export function bookRoutes(store: CompleteStore, repeats: IdempotencyKeys): Route[] {
  return [createRoute(store, repeats), getRoute(store), updateRoute(store), deleteRoute(store)];
}

function createRoute(store: CompleteStore, repeats: IdempotencyKeys): Route {
  return route('createBook', {
    document: {
      tag: 'books',
      summary: 'Create a book',
      description: `Responds with the book and its id as soon as it is on disk. ${bookBody}`,
      headers: ['Idempotency-Replayed'],
      links: {
        GetBook: { operationId: 'getBook', ...createdId },
        UpdateBook: { operationId: 'updateBook', ...createdId },
        DeleteBook: { operationId: 'deleteBook', ...createdId },
      },
    },
    handle: (call) =>
      repeats.run(call, '/book', async (request) => {
        const { origin } = call;
        const fields = parseBookFields(await call.readJson('book', request?.hash));
        if (request === undefined) return { data: await store.create(fields, origin) };
        const created = await store.createMany([fields], { ...origin, idempotencyKey: request.keyOf(0) });
        return { data: { id: created.ids[0], ...fields }, ...(created.isReplay && replayed) };
      }),
  });
}

function getRoute(store: CompleteStore): Route {
  return route('getBook', {
    document: {
      tag: 'books',
      summary: 'Read a book',
      description: 'The book with this id.',
      headers: ['ETag'],
      bodiless: unmodified,
    },
    async handle({ id, preconditions }) {
      const { json, tag } = represent(orBookNotFound(await store.get(id)));
      return preconditions.isNotModified(tag) ? notModified(tag) : { data: json, tag };
    },
  });
}

function updateRoute(store: CompleteStore): Route {
  return route('updateBook', {
    document: {
      tag: 'books',
      summary: 'Change a book',
      description: `Changes the named fields. Responds with the whole book as soon as it is on disk. ${bookBody}`,
    },
    async handle(call) {
      const { id, preconditions } = call;
      const before = orBookNotFound(await store.get(id)); // The specification checks this before the body.
      // Checked before the body, too (RFC 9110, section 13.2.1).
      const expected =
        preconditions.hasPreconditions && preconditions.check(represent(before).tag) ? before : undefined;
      const patch = parseBookPatch(await call.readJson());
      return { data: orBookNotFound(await store.update(id, patch, { expected, ...call.origin })) };
    },
  });
}

function deleteRoute(store: CompleteStore): Route {
  return route('deleteBook', {
    document: {
      tag: 'books',
      summary: 'Delete a book',
      description:
        'The id is never reused. `POST /book/{id}/revert` brings the book back. A delete that fails returns 404, unless a header is the reason (400, 412).',
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
  });
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
export function orBookNotFound<T>(book: T | undefined): T {
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
