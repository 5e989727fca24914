import type { Operation } from './operation.ts';
import { nothing, ref } from './schemas.ts';

const bookBody = 'Its `Content-Type` does not matter: it is read as JSON.';

const withItsId = { parameters: { id: '$response.body#/data/id' } };

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
    description: 'Every book, by id.',
    data: { type: 'array', items: ref('Book') },
    errors: ['invalid_query', 'unavailable'],
  },
  import: {
    id: 'importBooks',
    tag: 'books',
    summary: 'Create many books',
    description:
      'A JSON array, or lines of JSON. Nothing is stored before all of it has arrived. What is no book in it is ' +
      'left out and listed in `rejected`. After a 503, some may be stored and others not.',
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
    data: ref('Book'),
    errors: ['unavailable'],
  },
  update: {
    id: 'updateBook',
    tag: 'books',
    summary: 'Change a book',
    description: `Changes the fields that are named, and answers the whole book once it is on disk. ${bookBody}`,
    body: { 'application/json': ref('BookPatch') },
    data: ref('Book'),
    errors: ['invalid_input', 'unavailable'],
  },
  delete: {
    id: 'deleteBook',
    tag: 'books',
    summary: 'Delete a book',
    description: 'Its id is never used again. A delete that fails is a 404, too.',
    data: nothing,
  },
} as const satisfies Readonly<Record<string, Operation>>;
