import { parseBookFields, parseBookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { BookStore } from '../../store/store.ts';
import { importBooks } from '../bulk.ts';
import { bookOperations } from '../openapi/books.ts';
import type { Route } from '../route.ts';

/** The operations on books, each in the order of checks that the specification fixes. */
export function bookRoutes(store: BookStore): Route[] {
  return [
    {
      method: 'POST',
      path: '/book',
      status: 201,
      message: 'Book created successfully',
      operation: bookOperations.create,
      handle: async ({ readJson }) => store.create(parseBookFields(await readJson())),
    },
    {
      method: 'GET',
      path: '/books',
      status: 200,
      message: 'Books retrieved successfully',
      operation: bookOperations.list,
      handle({ query }) {
        if (query !== '' && new URLSearchParams(query).size > 0) throw new ShelflistError('invalid_query');
        return store.list();
      },
    },
    {
      method: 'POST',
      path: '/books',
      status: 200,
      message: 'Books imported',
      operation: bookOperations.import,
      handle: ({ readElements }) => importBooks(store, readElements()),
    },
    {
      method: 'GET',
      path: '/book/{id}',
      status: 200,
      message: 'Book retrieved successfully',
      operation: bookOperations.get,
      handle: async ({ id }) => found(await store.get(id)),
    },
    {
      method: 'PUT',
      path: '/book/{id}',
      status: 200,
      message: 'Book updated successfully',
      operation: bookOperations.update,
      async handle({ id, readJson }) {
        found(await store.get(id)); // A missing book is answered before the body is even asked for.
        return found(await store.update(id, parseBookPatch(await readJson())));
      },
    },
    {
      method: 'DELETE',
      path: '/book/{id}',
      status: 200,
      message: 'Book deleted successfully',
      operation: bookOperations.delete,
      async handle({ id }) {
        try {
          await store.delete(id);
        } catch (cause) {
          // The specification has one answer for a delete that fails, whatever made it fail.
          throw new ShelflistError('book_not_found', { message: `book ${id} could not be deleted`, cause });
        }
        return null;
      },
    },
  ];
}

function found<T>(book: T | undefined): T {
  if (book === undefined) throw new ShelflistError('book_not_found');
  return book;
}
