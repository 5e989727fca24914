import type { Operation } from './operation.ts';
import { ifMatch, ifNoneMatch, listParameters } from './parameters.ts';
import { nothing, ref } from './schemas.ts';

const bookBody = 'Its `Content-Type` does not matter: it is read as JSON.';

const withItsId = { parameters: { id: '$response.body#/data/id' } };

const notModified = { 304: 'It has not changed: `If-None-Match` has its `ETag`.' };

/** What the document says of the operations on books. */
export const bookOperations = {
  create: {
    id: 'createBook',
    tag: 'books',
    summary: 'Create a book',
    description: `The book is answered once it is on disk, with its id. ${bookBody}`,
    body: { 'application/json': ref('BookFields') },
    data: ref('Book'),
    links: {
      GetBook: { operationId: 'getBook', ...withItsId },
      UpdateBook: { operationId: 'updateBook', ...withItsId },
      DeleteBook: { operationId: 'deleteBook', ...withItsId },
    },
    errors: ['invalid_input', 'unavailable'],
  },
  list: {
    id: 'listBooks',
    tag: 'books',
    summary: 'List the books',
    description:
      'Every book, by id; or those that are asked for, in the order that is asked for, in pages if there is a `limit`. ' +
      'Paging is stable: no book is left out or comes twice while others are added or deleted.',
    parameters: [...listParameters, ifMatch, ifNoneMatch],
    data: { type: 'array', items: ref('Book') },
    headers: ['ETag', 'Link', 'X-Total-Count'],
    errors: ['invalid_query', 'precondition_failed', 'unavailable'],
    bodiless: notModified,
  },
  import: {
    id: 'importBooks',
    tag: 'books',
    summary: 'Create many books',
    description:
      'A JSON array, or lines of JSON, of at most 100,000 elements. Nothing is stored before all of it has arrived. ' +
      'An element that is not a book is omitted and listed in `rejected`. After a 503, some may be stored and others not.',
    body: {
      'application/json': { type: 'array', items: ref('BookFields') },
      'application/x-ndjson': {
        type: 'string',
        description: 'A book (`BookFields`) a line; empty lines are passed over.',
        examples: [
          '{"title":"Emma","author":"Jane Austen","year":1815}\n{"title":"Gilgamesh","year":-1750}\n',
        ],
      },
    },
    data: ref('Imported'),
    errors: ['invalid_input', 'unavailable'],
  },
  get: {
    id: 'getBook',
    tag: 'books',
    summary: 'Read a book',
    description: 'The book with this id.',
    parameters: [ifMatch, ifNoneMatch],
    data: ref('Book'),
    headers: ['ETag'],
    errors: ['precondition_failed', 'unavailable'],
    bodiless: notModified,
  },
  update: {
    id: 'updateBook',
    tag: 'books',
    summary: 'Change a book',
    description: `Changes the fields that are named, and answers the whole book once it is on disk. ${bookBody}`,
    parameters: [ifMatch, ifNoneMatch],
    body: { 'application/json': ref('BookPatch') },
    data: ref('Book'),
    errors: ['invalid_input', 'precondition_failed', 'unavailable'],
  },
  delete: {
    id: 'deleteBook',
    tag: 'books',
    summary: 'Delete a book',
    description: 'Its id is never used again. A delete that fails is a 404, too.',
    parameters: [ifMatch, ifNoneMatch],
    errors: ['precondition_failed'],
    data: nothing,
  },
} as const satisfies Readonly<Record<string, Operation>>;
