import { parseBookFields, parseBookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { BookStore } from '../../store/store.ts';
import { notModified } from '../answer.ts';
import { Importer } from '../bulk.ts';
import { quote, type Conditions } from '../conditions.ts';
import { parseListing } from '../listing.ts';
import { bookOperations } from '../openapi/books.ts';
import { PageReader } from '../page-reader.ts';
import { renderBook } from '../rendered.ts';
import type { Route } from '../route.ts';
import { WholeList } from '../whole-list.ts';

/** The operations on books, each in the order of checks that the specification fixes. */
export function bookRoutes(store: BookStore): Route[] {
  const wholeList = new WholeList(store);
  const pages = new PageReader(store);
  const importer = new Importer(store);
  return [
    {
      method: 'POST',
      path: '/book',
      status: 201,
      message: 'Book created successfully',
      operation: bookOperations.create,
      handle: async (call) => ({ data: await store.create(parseBookFields(await call.readJson())) }),
    },
    {
      method: 'GET',
      path: '/books',
      status: 200,
      message: 'Books retrieved successfully',
      operation: bookOperations.list,
      async handle(call) {
        const { query, conditions } = call;
        const find = query === '' ? undefined : parseListing(query);
        // Asked for before the books: a tag that is older than what it stands for does no harm.
        const version = await store.version();
        const tag = quote(version);
        if (conditions.isKnown(tag)) return notModified(tag);
        if (find !== undefined) return { ...(await find(pages, call)), tag };
        const whole = await wholeList.read(version);
        return { data: whole?.json ?? pages.list(call.signal), tag: quote(whole?.version ?? version) };
      },
    },
    {
      method: 'POST',
      path: '/books',
      status: 200,
      message: 'Books imported',
      operation: bookOperations.import,
      handle: async (call) => ({ data: await importer.import(call) }),
    },
    {
      method: 'GET',
      path: '/book/{id}',
      status: 200,
      message: 'Book retrieved successfully',
      operation: bookOperations.get,
      async handle({ id, conditions }) {
        const { json, tag } = renderBook(found(await store.get(id)));
        return conditions.isKnown(tag) ? notModified(tag) : { data: json, tag };
      },
    },
    {
      method: 'PUT',
      path: '/book/{id}',
      status: 200,
      message: 'Book updated successfully',
      operation: bookOperations.update,
      async handle(call) {
        const { id, conditions } = call;
        const before = found(await store.get(id)); // A missing book is answered before the body is even asked for.
        // Before the body, too (RFC 9110, section 13.2.1).
        const expected = conditions.areGiven && conditions.check(renderBook(before).tag) ? before : undefined;
        return { data: found(await store.update(id, parseBookPatch(await call.readJson()), expected)) };
      },
    },
    {
      method: 'DELETE',
      path: '/book/{id}',
      status: 200,
      message: 'Book deleted successfully',
      operation: bookOperations.delete,
      async handle({ id, conditions }) {
        try {
          if (conditions.areGiven) await deleteIf(store, id, conditions);
          else await store.delete(id);
        } catch (cause) {
          if (cause instanceof ShelflistError && cause.code === 'precondition_failed') throw cause;
          // The specification has one answer for a delete that fails, whatever made it fail.
          throw new ShelflistError('book_not_found', { message: `book ${id} could not be deleted`, cause });
        }
        return { data: null };
      },
    },
  ];
}

async function deleteIf(store: BookStore, id: number, conditions: Conditions): Promise<void> {
  const book = await store.get(id);
  const isMeant = conditions.check(book && renderBook(book).tag);
  await store.delete(id, isMeant ? book : undefined);
}

function found<T>(book: T | undefined): T {
  if (book === undefined) throw new ShelflistError('book_not_found');
  return book;
}
