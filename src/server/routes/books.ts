import { createHash } from 'node:crypto';
import { foldArticles } from '../../catalogue/article-order.ts';
import { parseBookFields, parseBookPatch } from '../../catalogue/book.ts';
import { ShelflistError, type ErrorCode, type WireErrorCode } from '../../catalogue/errors.ts';
import type { WriteOptions } from '../../store/history.ts';
import { maxBooksAtOnce } from '../../store/create-many.ts';
import type { BookStore } from '../../store/store.ts';
import { Importer } from '../books/importer.ts';
import { ListCache } from '../books/list-cache.ts';
import { acceptedFormat, listSchemas } from '../books/list-format.ts';
import { parseListing } from '../books/listing.ts';
import type { ReaderFor } from '../books/page-reader.ts';
import type { CheckedConfig } from '../config.ts';
import { lookUp } from '../books/look-up.ts';
import { replayed, Repeats } from '../books/repeats.ts';
import { represent } from '../books/representation-cache.ts';
import { quoteWeak, type Preconditions } from '../http/preconditions.ts';
import { notModified } from '../http/reply.ts';
import {
  batchParameter,
  idempotencyKeyParameter,
  listParameters,
  preconditionParameters,
} from '../openapi/parameters.ts';
import { nothing, ref } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

const bookBody = 'The service reads the body as JSON, whatever its `Content-Type`.';
/** The refusals of a delete. The specification has one response for every delete that fails otherwise. */
const refusals: readonly ErrorCode[] = ['precondition_failed', 'invalid_input'];
const repeatErrors: readonly WireErrorCode[] = [
  'invalid_input',
  'invalid_query',
  'request_in_progress',
  'key_reused',
  'unavailable',
];
const createdId = { parameters: { id: '$response.body#/data/id' } };
const bodiless = { 304: 'Not modified: `If-None-Match` contains the `ETag`.' };

/** The operations on books. The specification fixes the order of checks in each. */
export function bookRoutes(
  store: BookStore,
  readerFor: ReaderFor,
  { sortArticles, publicRead }: Pick<CheckedConfig, 'sortArticles' | 'publicRead'>,
): Route[] {
  const listCache = new ListCache(store);
  const importer = new Importer(store);
  const repeats = new Repeats();
  const orderTag = tagOfOrder(foldArticles(sortArticles));
  return [
    {
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
          const { batch } = call;
          const fields = parseBookFields(await call.readJson('book', request?.hash));
          if (request === undefined) return { data: await store.create(fields, { batch }) };
          const created = await store.createMany([fields], { batch, repeat: request.keyOf(0) });
          return { data: { id: created.ids[0], ...fields }, ...(created.isReplay && replayed) };
        }),
    },
    {
      method: 'GET',
      path: '/books',
      action: 'list',
      isLong: true,
      isTokenOptional: publicRead,
      status: 200,
      message: 'Books retrieved successfully',
      headers: { Vary: 'Accept' },
      operation: {
        id: 'listBooks',
        tag: 'books',
        summary: 'List books',
        description:
          'The books that match the query, in its order; by default every book by id. With `limit`, the response is a ' +
          'page. Concurrent writes never cause a book to be repeated or omitted. `Accept` chooses another format than the ' +
          'envelope, for the same books.',
        parameters: [...listParameters, ...preconditionParameters],
        data: { type: 'array', items: ref('Book') },
        otherTypes: listSchemas,
        headers: ['ETag', 'Link', 'X-Total-Count'],
        errors: ['invalid_query', 'precondition_failed', 'unavailable'],
        bodiless,
      },
      async handle(call) {
        const { query, preconditions } = call;
        const find = query === '' ? undefined : parseListing(query, sortArticles);
        // Read before the books, which may be newer than their tag: the tag is weak.
        const version = await store.version();
        const format = await acceptedFormat(call.accept);
        const tag = quoteWeak(version + orderTag + (format?.tagSuffix ?? ''));
        if (preconditions.isNotModified(tag)) return notModified(tag);
        if (find !== undefined) return { ...(await find(readerFor(call), call, format)), tag };
        if (format !== undefined)
          return { pages: format.wrap(readerFor(call).list(call.signal, format.part)), tag };
        const list = await listCache.read(version);
        return {
          ...(list === undefined ? { pages: readerFor(call).list(call.signal) } : { data: list.json }),
          tag: quoteWeak((list?.version ?? version) + orderTag),
        };
      },
    },
    {
      method: 'POST',
      path: '/books',
      action: 'create',
      status: 200,
      message: 'Books imported',
      operation: {
        id: 'importBooks',
        tag: 'books',
        summary: 'Create many books',
        description:
          'A JSON array or NDJSON with at most 100,000 elements. The service stores nothing before it has read the ' +
          'whole body. It lists elements that are not books in `rejected`. After a 503, some books may be stored.',
        parameters: [batchParameter, idempotencyKeyParameter],
        body: {
          'application/json': { type: 'array', items: ref('BookFields') },
          'application/x-ndjson': {
            type: 'string',
            description: 'One book (`BookFields`) per line. Empty lines are skipped.',
            examples: [
              '{"title":"Emma","author":"Jane Austen","year":1815}\n{"title":"Gilgamesh","year":-1750}\n',
            ],
          },
        },
        data: ref('Imported'),
        headers: ['Idempotency-Replayed'],
        errors: repeatErrors,
      },
      handle: (call) => repeats.run(call, '/books', (request) => importer.import(call, request)),
    },
    {
      method: 'POST',
      path: '/books/lookup',
      action: 'list',
      status: 200,
      message: 'Books retrieved successfully',
      operation: {
        id: 'lookUpBooks',
        tag: 'books',
        summary: 'Find the books of a list',
        description:
          `For each of at most ${maxBooksAtOnce} elements, the book with its id; without an id, the book with the same title, ` +
          'author and year, ignoring case, accents, spacing and punctuation. Of several, an equal one comes first, then the one ' +
          'with the lowest id. `null` if there is none, or if the element is neither.',
        body: {
          'application/json': { type: 'array', items: ref('Wanted'), maxItems: maxBooksAtOnce },
          'application/x-ndjson': { type: 'string', description: 'One element (`Wanted`) per line.' },
        },
        data: { type: 'array', items: { anyOf: [ref('Book'), { type: 'null' }] } },
        errors: ['invalid_input', 'unavailable'],
      },
      handle: async (call) => ({ data: await lookUp(store, readerFor(call), call) }),
    },
    {
      method: 'GET',
      path: '/book/{id}',
      action: 'read',
      isTokenOptional: publicRead,
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
        bodiless,
      },
      async handle({ id, preconditions }) {
        const { json, tag } = represent(found(await store.get(id)));
        return preconditions.isNotModified(tag) ? notModified(tag) : { data: json, tag };
      },
    },
    {
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
        return { data: found(await store.update(id, patch, expected, { batch: call.batch })) };
      },
    },
    {
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
          else await store.delete(id, undefined, { batch: call.batch });
        } catch (cause) {
          if (cause instanceof ShelflistError && refusals.includes(cause.code)) throw cause;
          throw new ShelflistError('book_not_found', { message: `book ${id} could not be deleted`, cause });
        }
        return { data: null };
      },
    },
  ];
}

async function deleteIf(
  store: BookStore,
  id: number,
  preconditions: Preconditions,
  call: WriteOptions,
): Promise<void> {
  const book = await store.get(id);
  const isExpected = preconditions.check(book && represent(book).tag);
  await store.delete(id, isExpected ? book : undefined, { batch: call.batch });
}

function found<T>(book: T | undefined): T {
  if (book === undefined) throw new ShelflistError('book_not_found');
  return book;
}

/** The part of a list's tag that changes with the order: a list in another order must not be answered 304. */
function tagOfOrder(articles: readonly string[]): string {
  if (articles.length === 0) return '';
  return `.${createHash('sha256').update(articles.join(' ')).digest('base64url').slice(0, 11)}`;
}
