// The methods of the client, and how those that send one request use the operations of the service.
import { isBatchId, newBatchId } from '../catalogue/batch.ts';
import { isId, parseBookPatch, type Book, type BookFields, type BookPatch } from '../catalogue/book.ts';
import type { Correction } from '../catalogue/correction.ts';
import type { Suggestion } from '../catalogue/suggestion.ts';
import type { BatchBook, BatchSummary, DeletedBook, EarlierState } from '../catalogue/changes.ts';
import type { AuthorCount } from '../catalogue/authors.ts';
import { ArgumentError, hasCode, ShelflistError } from '../catalogue/errors.ts';
import { suggestedFields, type SuggestedField } from '../catalogue/fields.ts';
import type { BookQuery } from '../catalogue/query.ts';
import type { Statistics } from '../catalogue/statistics.ts';
import type { Imported, RawResponse } from '../api/envelope.ts';
import { authorVariants } from '../api/models.ts';
import * as operations from '../api/operations.ts';
import {
  bookParameters,
  type AuthorsQuery,
  type AuthorVariantsQuery,
  type BatchesQuery,
  type DuplicatesQuery,
  type PageQuery,
  type Paging,
} from '../api/queries.ts';
import { formatQuery } from '../api/query-string.ts';
import type { Shape, Shapes, ValueOf } from '../api/shapes.ts';
import { bookOf, dataOf, nextOf, tagOf, totalOf, unexpected } from './answers.ts';
import {
  checkArray,
  checkTag,
  readCallOptions,
  type AnyOptions,
  type CallOption,
  type CallOptions,
  type CreateOptions,
  type OptionsOf,
  type RevertOptions,
  type UndoOptions,
  type WatchOptions,
  type WriteCondition,
} from './options.ts';
import type { WatchEvent } from './watch.ts';
import type { Send } from './wire.ts';

declare global {
  /** Browsers and their types may lack it: `lib` then needs no `ESNext.Disposable`. */
  interface SymbolConstructor {
    /** The method that ends a resource at the end of a block which declares it with `await using`. */
    readonly asyncDispose: unique symbol;
  }
}

/** A page of a list. */
export interface ResultPage<Item> {
  /** In the order of the query. */
  items: Item[];
  /**
   * The cursor of the next page, for `after` of the same query; `undefined` on the last page. It does not expire; but a change of
   * the articles that the order by title ignores ends one of `sort: 'title'`: `invalid_query`.
   */
  next: string | undefined;
}

/** A page of the books that match a query. */
export interface BookPage extends ResultPage<Book> {
  /** The number of books on all pages; `undefined` without `count`, or if the service cannot count them in time. */
  total: number | undefined;
  /** `parts`: some word of the query begins no word of any book; the books found have words that contain it. */
  match?: 'parts' | undefined;
}

/** A book and the tag of its contents. */
export interface TaggedBook {
  /** The book as it was read. */
  book: Book;
  /** Changes whenever a field of the book changes. */
  tag: string;
}

/** Names a book to look up: by its id, or by its fields. */
export type WantedBook = { readonly id: number } | Partial<BookFields>;

/** The result of {@link Client.check}. */
export interface ServiceCheck {
  /** Whether the service accepts the token of the client. */
  accepted: boolean;
  /** The time of the service in whole seconds, if it sends it. */
  date: Date | undefined;
}

/** The result of {@link Client.undo}. */
export interface UndoResult {
  /** The batch of the undo itself; `undefined` if it changed nothing. */
  batch: string | undefined;
  /** The number of books that it changed. */
  undone: number;
  /** The ids of the books that others changed since. */
  left: number[];
}

/**
 * The operations of the service. All reject with a `ShelflistError`: the error of the service, `unreachable` without a
 * response, `timeout` without a complete one in time, or `bad_response` if the response is not from a shelflist service.
 * A call that the `signal` of its options ends rejects with the reason of that signal.
 *
 * Invalid arguments reject with a `TypeError` before anything is sent: an id that is not an integer from 1 to 2^53-1, a
 * malformed tag, or a query or options with an unknown member or a member of the wrong type.
 */
export interface Client {
  /** The books that match a query, in its order. Default: every book by id. */
  list(query?: BookQuery, options?: CallOptions): Promise<Book[]>;
  /** A page of {@link list}: at most `limit` books, and the cursor of the next page. */
  page(query?: PageQuery, options?: CallOptions): Promise<BookPage>;
  /** The number of books that match a query. Fails with `unavailable` if the service cannot count them in time. */
  count(query?: BookQuery, options?: CallOptions): Promise<number>;
  /**
   * Groups of books that are duplicates of each other, by id; default: all groups of the level `same`. The service compares its
   * books, which may take long: then this fails with `unavailable`, and a later call gets the result.
   */
  duplicates(query?: DuplicatesQuery, options?: CallOptions): Promise<ResultPage<Book[]>>;
  /**
   * The authors with the number of their books, by name or by number; default: all of them by name. By number, the service counts
   * all books first, which may take long: then this fails with `unavailable`, and `retryAfter` says when to call again.
   */
  authors(query?: AuthorsQuery, options?: CallOptions): Promise<ResultPage<AuthorCount>>;
  /**
   * Groups of spellings that seem to be one name, by name; in a group, those with the most books first. It fails as
   * {@link authors} by number does.
   */
  authorVariants(query?: AuthorVariantsQuery, options?: CallOptions): Promise<ResultPage<AuthorCount[]>>;
  /** The number of books that match a query, by decade and by author. Default: of all books. Of very many, it is estimated. */
  stats(query?: BookQuery, options?: CallOptions): Promise<Statistics>;
  /** At most 10 values of a field, most frequent first: those with these prefixes of words. Default: the most frequent ones. */
  suggest(field: SuggestedField, q?: string, options?: CallOptions): Promise<Suggestion[]>;
  /** Other words for a query that finds nothing, best first: `{ ...query, ...correction }` finds something. At most 3. */
  corrections(query: BookQuery, options?: CallOptions): Promise<Correction[]>;
  /** A book. Fails with `book_not_found`. */
  get(id: number, options?: CallOptions): Promise<Book>;
  /** A book with the tag of its contents. {@link WriteCondition} takes it. */
  getTagged(id: number, options?: CallOptions): Promise<TaggedBook>;
  /** The current state of a book. If it has not changed, the service does not send it, and this returns its argument. */
  refresh(tagged: TaggedBook, options?: CallOptions): Promise<TaggedBook>;
  /**
   * Finds the book of each element: the one with its id, or with the same title, author and year, ignoring case, accents, spacing
   * and punctuation; of several, an equal one, then the one with the lowest id. At most 1000 elements.
   */
  lookup(wanted: readonly WantedBook[], options?: CallOptions): Promise<(Book | undefined)[]>;
  /**
   * Looks a book up by its ISBN, at the source that the service is configured for, and stores nothing. Fails with `book_not_found`;
   * with `not_found` if the service looks no books up; with `invalid_query` for a wrong check digit.
   */
  lookUpIsbn(isbn: string, options?: CallOptions): Promise<BookFields>;
  /**
   * Stores a new book, once: after a broken connection, a timeout or a 503, the request is repeated up to three times, and the
   * service recognises it. A missing field gets the empty value of its type.
   */
  create(fields: Partial<BookFields>, options?: CreateOptions): Promise<Book>;
  /** Stores many new books in one request, which is repeated like that of {@link create}. If it fails, some may be stored. */
  createMany(books: readonly Partial<BookFields>[], options?: CreateOptions): Promise<Imported>;
  /** Changes the named fields only. If the condition does not hold, it fails with `precondition_failed`. */
  update(id: number, patch: BookPatch, options?: WriteCondition): Promise<Book>;
  /**
   * Deletes a book, if there is one. If the condition does not hold, it fails with `precondition_failed`; with `unavailable` if the
   * service could not delete it, for which it answers 404.
   */
  delete(id: number, options?: WriteCondition): Promise<void>;
  /** The earlier states of a book, newest first, as far as the service keeps them; also those of a deleted book. */
  history(id: number, options?: CallOptions): Promise<EarlierState[]>;
  /** Gives a book an earlier state. A deleted book comes back under its id. */
  revert(id: number, options?: RevertOptions): Promise<Book>;
  /** A page of the deleted books that can be brought back, newest first. */
  trash(query?: Paging, options?: CallOptions): Promise<ResultPage<DeletedBook>>;
  /** What a batch has done. Fails with `batch_not_found` if none of its changes is kept. */
  batch(id: string, options?: CallOptions): Promise<BatchSummary>;
  /** Some books of a batch by descending id, 1 to 50, with what it did to each. Fails as {@link batch} does. */
  batchBooks(id: string, limit: number, options?: CallOptions): Promise<BatchBook[]>;
  /** A page of the batches of which a change is kept, newest first. The undo of a batch is one, too. */
  batches(query?: BatchesQuery, options?: CallOptions): Promise<ResultPage<BatchSummary>>;
  /** Gets a token, which lasts 15 minutes. The client sends it from now on, instead of `options.token`. */
  login(username: string, password: string, options?: CallOptions): Promise<string>;
  /**
   * Gets a code for the token of this client. Whoever has it gets this token, once, within a minute: at the end of the address of the
   * page, behind `#code=`, it opens the page logged in.
   */
  createCode(options?: CallOptions): Promise<string>;
  /** Exchanges a code for its token, which the client sends from now on. Fails with `invalid_credentials`: it was used, or is too old. */
  exchangeCode(code: string, options?: CallOptions): Promise<string>;
  /** Forgets the token: later requests have none. */
  logout(): void;
  /**
   * Exchanges the token for one that lasts 15 more minutes. Requests do so themselves when a third of its time is over, until
   * the service ends the session (`SESSION_HOURS` after the login).
   */
  renew(options?: CallOptions): Promise<string>;
  /**
   * Replaces the password of the service, where it can store one. The client then has the token of a login with the new one.
   *
   * @throws {ShelflistError} `invalid_credentials`: `password` is not the current one; `not_found`: the service cannot store one.
   */
  changePassword(password: string, newPassword: string, options?: CallOptions): Promise<string>;
  /**
   * Yields the books of {@link list} one by one, in bounded memory. The request ends when the reader stops.
   */
  iterate(query?: BookQuery, options?: CallOptions): AsyncGenerator<Book, void, undefined>;
  /**
   * Takes back what a batch did: each book gets the state it had before. Skips books that others have changed since. The undo
   * is a batch itself, which can be undone. After a failure, or after the signal has ended it, repeat the call to undo the rest;
   * with the `batch` of the last progress, the rest belongs to the same undo.
   */
  undo(batch: string, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Yields each change of a book as it happens, by any client. It reconnects after every transient failure, and continues after
   * the last position; `reset` means that changes are missing. {@link close} ends it.
   */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void, undefined>;
  /** Checks whether the service runs and accepts the token, and reads its clock. */
  check(options?: CallOptions): Promise<ServiceCheck>;
  /** Ends every call in flight, and {@link watch}. Later calls are possible. */
  close(): void;
  /** {@link close}, at the end of a block that declares the client with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A response, as a method reads it. */
interface Reply<Data> extends RawResponse {
  /** @throws {ShelflistError} The error of the service; or `bad_response`: the data have another shape. */
  readonly data: () => Data;
}

type Row<Data = unknown> = operations.Operation & { readonly data: Shape<Data> };

/** The arguments of a method: the id in the path, the body, and the query of its operation. */
type ArgsOf<R extends Row> = [...IdOf<R['path']>, ...BodyOf<R>, ...QueryOf<R>];
type IdOf<Path extends string> = Path extends `${string}{id}${string}`
  ? [id: number]
  : Path extends `${string}{batch}${string}`
    ? [batch: string]
    : [];
type BodyOf<R extends Row> = R extends { readonly isBodyOptional: true }
  ? []
  : R extends { readonly body: Shape<infer Body> }
    ? [body: Body]
    : [];
type QueryOf<R extends Row> = R extends { readonly query: infer Parameters extends Shapes }
  ? [query?: { [Name in keyof Parameters]?: ValueOf<Parameters[Name]> | undefined }]
  : [];

/** The part of a request that depends on the arguments of a call. */
interface Sent {
  /** Replaces `{id}` or `{batch}` in the path. */
  readonly id?: unknown;
  readonly body?: unknown;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a method differs from what follows from its operation. */
interface Details<R extends Row, Args extends readonly unknown[], Name extends CallOption, Result> {
  /** The parameters of its query. Default: those of the operation. */
  readonly parameters?: Shapes;
  /** Parameters that every request has. */
  readonly query?: object;
  /** The options of a call besides `signal`. A call with an `idempotencyKey` is repeated while its outcome is unknown. */
  readonly options?: readonly Name[];
  /** Checks the arguments, and makes a request of them. It has no default parameters: its `length` counts the arguments. */
  readonly prepare?: (...args: Args) => Sent;
  /** Reads the response. Default: its data. */
  readonly read?: (reply: Reply<ValueOf<R['data']>>, args: Args) => Result;
}

interface Method<Args extends readonly unknown[], Name extends CallOption, Result> extends Details<
  Row,
  Args,
  Name,
  Result
> {
  readonly operation: Row;
}

function method<
  const R extends Row,
  Args extends readonly unknown[] = ArgsOf<R>,
  Result = ValueOf<R['data']>,
  const Name extends CallOption = never,
>(operation: R, details?: Details<R, Args, Name, Result>): Method<Args, Name, Result> {
  return { operation, ...details } as unknown as Method<Args, Name, Result>;
}

const pageOf = <Item>(reply: Reply<Item[]>): ResultPage<Item> => ({
  items: reply.data(),
  next: nextOf(reply),
});
const readOne = (reply: Reply<Book>, [id]: readonly [id: number, ...unknown[]]): Book =>
  bookOf(id, reply.data());
const readTagged = (reply: Reply<Book>, [id]: readonly [id: number]): TaggedBook => ({
  book: readOne(reply, [id]),
  tag: tagOf(reply),
});
const books = { parameters: bookParameters };

/** The methods that send one request each. */
export const methods = {
  list: method(operations.listBooks, books),
  page: method(operations.listBooks, {
    read: (reply, [query]): BookPage => ({
      ...pageOf(reply),
      total: query?.count === true ? totalOf(reply) : undefined,
      ...(reply.headers.get('X-Match') === 'parts' && { match: 'parts' }),
    }),
  }),
  count: method(operations.listBooks, {
    ...books,
    query: { limit: 1, count: true },
    read(reply): number {
      reply.data();
      const total = totalOf(reply);
      if (total !== undefined) return total;
      throw new ShelflistError('unavailable', { message: 'the service cannot count the books in time' });
    },
  }),
  duplicates: method(operations.listDuplicates, { read: pageOf<Book[]> }),
  authors: method(operations.listAuthors, { read: pageOf<AuthorCount> }),
  authorVariants: method(
    { ...operations.listAuthors, data: authorVariants },
    { query: { variants: true }, read: pageOf<AuthorCount[]> },
  ),
  stats: method(operations.getStatistics, books),
  suggest: method<typeof operations.suggestValues, [field: SuggestedField, q?: string], Suggestion[]>(
    operations.suggestValues,
    {
      prepare(field, q) {
        if (!suggestedFields.includes(field))
          throw new ArgumentError(`field: expected one of ${suggestedFields.join(', ')}`);
        return { query: { field, q } };
      },
    },
  ),
  corrections: method(operations.correctQuery, books),
  get: method(operations.getBook, { read: readOne }),
  getTagged: method(operations.getBook, { read: readTagged }),
  refresh: method(operations.getBook, {
    prepare({ book: { id }, tag }: TaggedBook) {
      checkTag(tag);
      return { id, headers: { 'If-None-Match': tag } };
    },
    read: (reply, [tagged]) => (reply.status === 304 ? tagged : readTagged(reply, [tagged.book.id])),
  }),
  lookup: method(operations.lookUpBooks, {
    prepare: (wanted: readonly WantedBook[]) => ({ body: checkArray(wanted) }),
    read(reply, [wanted]) {
      const found = reply.data();
      if (found.length !== wanted.length) throw unexpected('a book for each element');
      return found.map((each) => each ?? undefined);
    },
  }),
  createCode: method(operations.createLoginCode, { read: (reply): string => reply.data().code }),
  lookUpIsbn: method(operations.lookUpIsbn, {
    prepare: (isbn: string) => ({ query: { isbn } }),
  }),
  create: method(operations.createBook, {
    options: ['batch', 'idempotencyKey'],
    prepare: (fields: Partial<BookFields>) => ({ body: asFields(fields) }),
  }),
  createMany: method(operations.importBooks, {
    options: ['batch', 'idempotencyKey'],
    prepare: (books: readonly Partial<BookFields>[]) => ({ body: checkArray(books) }),
  }),
  update: method(operations.updateBook, {
    options: ['ifMatch', 'batch'],
    prepare: (id: number, patch: BookPatch) => ({ id, body: asFields(patch) }),
    read: readOne,
  }),
  delete: method(operations.deleteBook, {
    options: ['ifMatch', 'batch'],
    read(reply, [id]): void {
      try {
        reply.data();
      } catch (cause) {
        if (!hasCode(cause, 'book_not_found')) throw cause;
        const message = `book ${id} could not be deleted: the service cannot write; its log has the reason, such as a full disk`;
        throw new ShelflistError('unavailable', { message, cause });
      }
    },
  }),
  history: method(operations.getHistory),
  revert: method(operations.revertBook, {
    options: ['version', 'ifMatch', 'ifNoneMatch', 'batch'],
    read: readOne,
  }),
  trash: method(operations.listTrash, { read: pageOf<DeletedBook> }),
  batch: method(operations.getBatch, { prepare: (id: string) => ({ id }) }),
  batchBooks: method(operations.getBatch, {
    prepare: (id: string, limit: number) => ({ id, query: { books: limit } }),
    read: (reply): BatchBook[] => reply.data().books ?? [],
  }),
  batches: method(operations.listBatches, { read: pageOf<BatchSummary> }),
};

/** A step of `undo`, which takes as many as the service needs: of those before an id. */
export const undoStep = method({ ...operations.undoBatch, isBodyOptional: false }, { options: ['batch'] });

/** The fields of a book, as they are. @throws {TypeError} It is no object, or a field has the wrong type. */
function asFields(fields: BookPatch): BookPatch {
  try {
    parseBookPatch(fields);
  } catch (error) {
    throw new ArgumentError((error as ShelflistError).message, { cause: error });
  }
  return fields;
}

/** The methods: the arguments of an operation, then options. */
export type Methods = {
  [Name in keyof typeof methods]: (typeof methods)[Name] extends Method<
    infer Args,
    infer Option,
    infer Result
  >
    ? (...args: [...Args, options?: OptionsOf<Option>]) => Promise<Result>
    : never;
};

/** The arguments of an operation, in their order. An optional body is not among them. */
function partsOf({ path, body, isBodyOptional = false, query }: Row): (keyof Sent)[] {
  return [
    ...(path.includes('{') ? (['id'] as const) : []),
    ...(body !== undefined && !isBodyOptional ? (['body'] as const) : []),
    ...(query !== undefined ? (['query'] as const) : []),
  ];
}

/** Makes a method. @param sendRepeated Sends a request that is safe to repeat. */
export function bind<Args extends readonly unknown[], Name extends CallOption, Result>(
  { operation, parameters, query: fixed, options: names = [], prepare, read }: Method<Args, Name, Result>,
  send: Send,
  sendRepeated: Send,
): (...args: readonly [...Args, options?: OptionsOf<Name>]) => Promise<Result> {
  const { method, path, query: known = {}, data } = operation;
  const parts = partsOf(operation);
  const length = prepare?.length ?? parts.length;
  const isRepeatable = names.some((name) => name === 'idempotencyKey');
  return async (...all) => {
    const args = all.slice(0, length) as unknown as Args;
    const { signal, ...options } = readCallOptions(all[length] as OptionsOf<CallOption>, names);
    const sent: Sent = prepare?.(...args) ?? Object.fromEntries(parts.map((part, i) => [part, args[i]]));
    const { version } = options;
    const optionalBody = operation.body && (version === undefined ? {} : { version });
    if (isRepeatable) options.idempotencyKey ??= newBatchId();
    const { query = {} } = sent;
    const own = formatQuery(query, parameters ?? known); // An operation may take more than the method.
    const text = fixed ? formatQuery({ ...query, ...fixed }, known) : own;
    const response = await (isRepeatable ? sendRepeated : send)({
      method,
      path: fill(path, sent.id) + (text && `?${text}`),
      body: 'body' in sent ? sent.body : optionalBody,
      headers: { ...headersOf(options), ...sent.headers },
      signal,
    });
    const checked = () => {
      const value = data.parse(dataOf(response));
      if (value !== undefined) return value;
      throw unexpected(`what ${method} ${path} promises`);
    };
    return read ? read({ ...response, data: checked }, args) : (checked() as Result);
  };
}

/** The path of a book or a batch. @throws {TypeError} The id is not valid: as text, it could lead to another path. */
function fill(path: string, id: unknown): string {
  if (path.includes('{id}') && !isId(id))
    throw new ArgumentError('id: expected a whole number from 1 to 2^53-1');
  if (path.includes('{batch}') && !isBatchId(id))
    throw new ArgumentError('batch: expected 8 to 64 of A-Z, a-z, 0-9, _ and -');
  return path.replace(/\{\w+\}/, String(id));
}

function headersOf(options: AnyOptions): Record<string, string> {
  const { ifMatch, ifNoneMatch, batch, idempotencyKey } = options;
  return {
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    ...(batch !== undefined && { Batch: batch }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
}
