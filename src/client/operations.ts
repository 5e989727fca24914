import { isBatch, newBatch } from '../catalogue/batch.ts';
import {
  fieldsOf,
  isId,
  parseBookPatch,
  type Book,
  type BookFields,
  type BookPatch,
} from '../catalogue/book.ts';
import {
  isChangeKind,
  type BatchSummary,
  type DeletedBook,
  type EarlierState,
} from '../catalogue/changes.ts';
import { wordMembers, type Correction } from '../catalogue/correction.ts';
import { formatDuplicatesQuery, type DuplicatesQuery } from '../catalogue/duplicates.ts';
import type { Answer, Imported } from '../catalogue/envelope.ts';
import { hasCode, ShelflistError } from '../catalogue/errors.ts';
import { suggestedFields, type SuggestedField } from '../catalogue/fields.ts';
import {
  formatAuthorsQuery,
  type AuthorCount,
  type AuthorsQuery,
  type AuthorVariantsQuery,
} from '../catalogue/authors.ts';
import type { Statistics } from '../catalogue/statistics.ts';
import type { Suggestion } from '../catalogue/suggestion.ts';
import { formatPageQuery, type PageQuery } from '../catalogue/query-string.ts';
import type { BookQuery } from '../catalogue/query.ts';
import {
  isAny,
  isCount,
  isInteger,
  isText,
  isTime,
  nextOf,
  open,
  orNull,
  readAs,
  readBook,
  readBookOf,
  readBooks,
  readTagged,
  unexpected,
} from './answers.ts';
import {
  checkArray,
  checkTag,
  readCallOptions,
  type AnyOptions,
  type CallOption,
  type OptionsOf,
} from './options.ts';
import type { Exchange, Send } from './wire.ts';

/** A page of the books that match a query. */
export interface BookPage {
  /** The books, in the order of the query. */
  books: Book[];
  /**
   * The cursor of the next page, for `after` of the same query; `undefined` on the last page. It does not expire; but a change of
   * the articles that the order by title ignores ends one of `sort: 'title'`: `invalid_query`.
   */
  next: string | undefined;
  /** The number of books on all pages; `undefined` without `count`, or if the service cannot count them in time. */
  total: number | undefined;
  /** `parts`: some word of the query begins no word of any book; the books found have words that contain it. */
  match?: 'parts' | undefined;
}

/** Groups of duplicates. */
export interface DuplicatesPage {
  /** Each group has at least two books, by id. */
  groups: Book[][];
  /** The cursor of the next page, for `after` of the same level; `undefined` on the last page. It does not expire. */
  next: string | undefined;
}

/** A page of authors. */
export interface AuthorsPage {
  /** In the order of the query. */
  authors: AuthorCount[];
  /** The cursor of the next page, for `after` of the same query; `undefined` on the last page. It does not expire. */
  next: string | undefined;
}

/** A page of groups of spellings. */
export interface AuthorVariantsPage {
  /** The spellings of one name, those with the most books first. */
  groups: AuthorCount[][];
  /** The cursor of the next page, for `after` of the same query; `undefined` on the last page. It does not expire. */
  next: string | undefined;
}

/** A page of deleted books. */
export interface DeletedPage {
  /** Newest first. */
  books: DeletedBook[];
  /** The cursor of the next page, for `after`; `undefined` on the last page. */
  next: string | undefined;
}

/** A page of batches. */
export interface BatchesPage {
  /** Newest first. */
  batches: BatchSummary[];
  /** The cursor of the next page, for `after`; `undefined` on the last page. */
  next: string | undefined;
}

/** A book and the tag of its contents. */
export interface TaggedBook {
  /** The book as it was read. */
  book: Book;
  /** Changes whenever a field of the book changes. */
  tag: string;
}

/** A page of a list: at most `limit` books, those after the mark `after`. */
export type PageOptions = Pick<PageQuery, 'limit' | 'after'>;

/** The part of a request that depends on the arguments of a call. */
interface Sent {
  /** Replaces `{id}` in the path. */
  readonly id?: number | string;
  /** The query string, without `?`. */
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation of the service. {@link Client} has a method for each of {@link operations}. */
interface Operation<Args extends readonly unknown[], Name extends CallOption, Result> {
  readonly method?: Exchange['method'];
  readonly path: `/${string}`;
  /** The options of a call besides `signal`. A call with an `idempotencyKey` is repeated while its outcome is unknown. */
  readonly options?: readonly Name[];
  /** Makes a request of the arguments before the options. It has no default parameters: its `length` counts the arguments. */
  readonly send: (...args: Args) => Sent;
  /** Reads the response. @param args Those of `send`. */
  readonly read: (answer: Answer, args: Args) => Result;
}

function define<Args extends readonly unknown[], Result, const Name extends CallOption = never>(
  operation: Operation<Args, Name, Result>,
): Operation<Args, Name, Result> {
  return operation;
}

const queried = (query: PageQuery = {}) => ({ query: formatPageQuery(query) });

const authorCount = { author: isText, count: isCount };
const isEarlier = (change: unknown): change is EarlierState['change'] =>
  isChangeKind(change) && change !== 'created';
/** That of the lowest year is below the safe integers. */
const isDecade = (value: unknown): value is number => Number.isInteger(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isYear = /* @__PURE__ */ orNull(isInteger);
const isWords = (value: unknown): value is string | undefined => value === undefined || isText(value);
const counts = { created: isCount, updated: isCount, deleted: isCount, reverted: isCount };
const summary = { batch: isBatch, at: isTime, ...counts };
const toSummary = <T extends { readonly at: string }>(each: T) => ({ ...each, at: new Date(each.at) });
const isBatchOrNone = (value: unknown): value is string | undefined => value === undefined || isBatch(value);
const inBatch = ({ batch }: { readonly batch: string | undefined }) => (batch === undefined ? {} : { batch });

/** The operations of the service. An older service sends no `undoable` and no `estimated`. */
export const operations = {
  /** The books that match a query, in its order. Default: every book by id. */
  list: define({
    path: '/books',
    send: (query?: BookQuery) => queried(query),
    read: (answer): Book[] => readBooks(open(answer)),
  }),
  /** A page of {@link list}: at most `limit` books, and the cursor of the next page. */
  page: define({
    path: '/books',
    send: (query: PageQuery) => ({ query: formatPageQuery(query) }),
    read(answer, [{ count }]): BookPage {
      const books = readBooks(open(answer));
      const header = count === true ? answer.headers.get('X-Total-Count') : null;
      if (header !== null && !/^[0-9]{1,15}$/.test(header)) throw unexpected('the number of matching books');
      return {
        books,
        next: nextOf(answer),
        total: header === null ? undefined : Number(header),
        ...(answer.headers.get('X-Match') === 'parts' && { match: 'parts' }),
      };
    },
  }),
  /**
   * Groups of books that are duplicates of each other; default: all groups of the level `same`. The service compares its books,
   * which may take long: then this fails with `unavailable`, and a later call gets the result.
   */
  duplicates: define({
    path: '/duplicates',
    send: (query?: DuplicatesQuery) => ({ query: formatDuplicatesQuery(query ?? {}) }),
    read: (answer): DuplicatesPage => ({
      groups: readAs('groups of books', [isAny], open(answer)).map(readBooks),
      next: nextOf(answer),
    }),
  }),
  /**
   * The authors with the number of their books, by name or by number; default: all of them by name. By number, the service counts
   * all books first, which may take long: then this fails with `unavailable`, and `Retry-After` says when to call again.
   */
  authors: define({
    path: '/authors',
    send: (query?: AuthorsQuery) => ({ query: formatAuthorsQuery(query ?? {}) }),
    read: (answer): AuthorsPage => ({
      authors: readAs('a list of authors', [authorCount], open(answer)),
      next: nextOf(answer),
    }),
  }),
  /** Groups of spellings that seem to be one name, by name. It fails as {@link authors} by number does. */
  authorVariants: define({
    path: '/authors',
    send: (query?: AuthorVariantsQuery) => ({ query: formatAuthorsQuery({ ...query, variants: true }) }),
    read: (answer): AuthorVariantsPage => ({
      groups: readAs('groups of authors', [[authorCount]], open(answer)),
      next: nextOf(answer),
    }),
  }),
  /** The number of books that match a query, by decade and by author. Default: of all books. Of very many, it is estimated. */
  stats: define({
    path: '/stats',
    send: (query?: BookQuery) => queried(query),
    read: (answer): Statistics =>
      readAs(
        'statistics',
        {
          count: isCount,
          years: { first: isYear, last: isYear, without: isCount },
          decades: [{ from: isDecade, count: isCount }],
          authors: [{ author: isText, count: isCount }],
          estimated: isBoolean,
        },
        open(answer),
      ),
  }),
  /** At most 10 values of a field, most frequent first: those with these prefixes of words. Default: the most frequent ones. */
  suggest: define({
    path: '/suggest',
    send(field: SuggestedField, q?: string) {
      const words = q ?? '';
      if (!suggestedFields.includes(field))
        throw new TypeError(`field: expected one of ${suggestedFields.join(', ')}`);
      if (typeof words !== 'string' || !words.isWellFormed()) throw new TypeError('q: expected Unicode text');
      return { query: new URLSearchParams({ field, q: words }).toString() };
    },
    read: (answer): Suggestion[] => readAs('suggestions', [{ value: isText, count: isCount }], open(answer)),
  }),
  /** Other words for a query that finds nothing, best first: `{ ...query, ...correction }` finds something. At most 3. */
  corrections: define({
    path: '/corrections',
    send: (query: BookQuery) => queried(query),
    read(answer): Correction[] {
      const shape = Object.fromEntries(wordMembers.map((name) => [name, isWords]));
      return readAs('corrections', [shape], open(answer));
    },
  }),
  /** A book. Fails with `book_not_found`. */
  get: define({
    path: '/book/{id}',
    send: (id: number) => ({ id }),
    read: (answer, [id]) => readBookOf(id, open(answer)),
  }),
  /** A book with the tag of its contents, for {@link WriteCondition}. */
  getTagged: define({
    path: '/book/{id}',
    send: (id: number) => ({ id }),
    read: (answer, [id]): TaggedBook => readTagged(id, answer),
  }),
  /** The current state of a book. If it has not changed, the service does not send it, and this returns its argument. */
  refresh: define({
    path: '/book/{id}',
    send({ book: { id }, tag }: TaggedBook) {
      checkTag(tag);
      return { id, headers: { 'If-None-Match': tag } };
    },
    read: (answer, [tagged]): TaggedBook =>
      answer.status === 304 ? tagged : readTagged(tagged.book.id, answer),
  }),
  /**
   * Finds the book of each element: the one with its id, or with the same title, author and year, ignoring case, accents, spacing
   * and punctuation; of several, an equal one, then the one with the lowest id. At most 1000 elements.
   */
  lookup: define({
    method: 'POST',
    path: '/books/lookup',
    send: (wanted: readonly ({ readonly id: number } | Partial<BookFields>)[]) => ({
      body: checkArray(wanted),
    }),
    read(answer, [wanted]): (Book | undefined)[] {
      const found = readAs('a list of books', [isAny], open(answer));
      if (found.length !== wanted.length) throw unexpected('a book for each element');
      return found.map((each) => (each === null ? undefined : readBook(each)));
    },
  }),
  /**
   * Stores a new book, once: after a broken connection, a timeout or a 503, the request is repeated up to three times, and the
   * service recognises it. A missing field gets the empty value of its type.
   */
  create: define({
    method: 'POST',
    path: '/book',
    options: ['batch', 'idempotencyKey'],
    send: (fields: Partial<BookFields>) => ({ body: asFields(fields) }),
    read: (answer) => readBook(open(answer)),
  }),
  /** Stores many new books in one request, which is repeated like that of {@link create}. If it fails, some may be stored. */
  createMany: define({
    method: 'POST',
    path: '/books',
    options: ['batch', 'idempotencyKey'],
    send: (books: readonly Partial<BookFields>[]) => ({ body: checkArray(books) }),
    read: (answer): Imported =>
      readAs(
        'the result of an import',
        { ids: [isId], rejected: [{ line: isId, message: isText }], batch: isBatch },
        open(answer),
      ),
  }),
  /** Changes the named fields only. If the condition does not hold, it fails with `precondition_failed`. */
  update: define({
    method: 'PUT',
    path: '/book/{id}',
    options: ['ifMatch', 'batch'],
    send: (id: number, patch: BookPatch) => ({ id, body: asFields(patch) }),
    read: (answer, [id]) => readBookOf(id, open(answer)),
  }),
  /**
   * Deletes a book, if there is one. If the condition does not hold, it fails with `precondition_failed`; with `unavailable` if the
   * service could not delete it, for which it answers 404.
   */
  delete: define({
    method: 'DELETE',
    path: '/book/{id}',
    options: ['ifMatch', 'batch'],
    send: (id: number) => ({ id }),
    read(answer, [id]): void {
      try {
        open(answer);
      } catch (cause) {
        if (!hasCode(cause, 'book_not_found')) throw cause;
        const message = `book ${id} could not be deleted: the service cannot write; its log has the reason, such as a full disk`;
        throw new ShelflistError('unavailable', { message, cause });
      }
    },
  }),
  /** The earlier states of a book, newest first, as far as the service keeps them; also those of a deleted book. */
  history: define({
    path: '/book/{id}/history',
    send: (id: number) => ({ id }),
    read: (answer, [id]): EarlierState[] =>
      readAs(
        'a history',
        [{ version: isText, at: isTime, change: isEarlier, batch: isBatchOrNone }],
        open(answer),
      ).map((state) => {
        const { version, at, change } = state;
        const fields = fieldsOf(readBook({ ...state, id }));
        return { version, at: new Date(at), change, ...fields, ...inBatch(state) };
      }),
  }),
  /** Gives a book an earlier state. A deleted book comes back under its id. */
  revert: define({
    method: 'POST',
    path: '/book/{id}/revert',
    options: ['version', 'ifMatch', 'ifNoneMatch', 'batch'],
    send: (id: number) => ({ id, body: {} }),
    read: (answer, [id]) => readBookOf(id, open(answer)),
  }),
  /** A page of the deleted books that can be brought back, newest first. */
  trash: define({
    path: '/trash',
    send: (query?: PageOptions) => queried(query),
    read: (answer): DeletedPage => ({
      books: readAs(
        'a list of deleted books',
        [{ deletedAt: isTime, batch: isBatchOrNone }],
        open(answer),
      ).map((each) => ({ ...readBook(each), deletedAt: new Date(each.deletedAt), ...inBatch(each) })),
      next: nextOf(answer),
    }),
  }),
  /** What a batch has done. Fails with `not_found` if none of its changes is kept. */
  batch: define({
    path: '/batch/{batch}',
    send: (id: string) => ({ id }),
    read: (answer): BatchSummary => toSummary(readAs('a batch', summary, open(answer))),
  }),
  /** A page of the batches of which a change is kept, newest first. The undo of a batch is one, too. */
  batches: define({
    path: '/batches',
    send: (query?: PageOptions) => queried(query),
    read: (answer): BatchesPage => ({
      batches: readAs('a list of batches', [summary], open(answer)).map(toSummary),
      next: nextOf(answer),
    }),
  }),
};

/** The fields of a book, as they are. @throws {TypeError} It is no object, or a field has the wrong type. */
function asFields(fields: BookPatch): BookPatch {
  try {
    parseBookPatch(fields);
  } catch (error) {
    throw new TypeError((error as ShelflistError).message, { cause: error });
  }
  return fields;
}

/** A step of `undo`, which takes as many as the service needs. */
export const undoStep = define({
  method: 'POST',
  path: '/batch/{batch}/undo',
  send: (id: string, { before, batch }: { before: number | undefined; batch: string | undefined }) => ({
    id,
    body: before === undefined ? {} : { before },
    ...(batch !== undefined && { headers: { Batch: batch } }),
  }),
  read: (answer) =>
    readAs(
      'the result of an undo',
      { batch: orNull(isBatch), undone: isCount, left: [isId], next: orNull(isId) },
      open(answer),
    ),
});

/** The methods that send one request each: the arguments of an operation, then its options. */
export type Operations = {
  [Name in keyof typeof operations]: (typeof operations)[Name] extends {
    readonly options?: readonly (infer Option extends keyof AnyOptions)[];
    readonly send: (...args: infer Args) => unknown;
    readonly read: (...args: never) => infer Result;
  }
    ? (...args: [...Args, options?: Pick<AnyOptions, Option | 'signal'>]) => Promise<Result>
    : never;
};

/** Makes a method of an operation. @param sendRepeated Sends a request that is safe to repeat. */
export function bind<Args extends readonly unknown[], Name extends CallOption, Result>(
  { method, path, options: names = [], send: prepare, read }: Operation<Args, Name, Result>,
  send: Send,
  sendRepeated: Send,
): (...args: readonly [...Args, options?: OptionsOf<Name>]) => Promise<Result> {
  const isRepeatable = names.some((name) => name === 'idempotencyKey');
  return async (...all) => {
    const args = all.slice(0, prepare.length) as unknown as Args;
    const { signal, ...options } = readCallOptions(all[prepare.length] as OptionsOf<CallOption>, names);
    const { id, query, body, headers } = prepare(...args);
    const { version } = options;
    if (isRepeatable) options.idempotencyKey ??= newBatch();
    const exchange: Exchange = {
      ...(method && { method }),
      path: fill(path, id) + (query ? `?${query}` : ''),
      body: version === undefined ? body : { version },
      headers: { ...headersOf(options), ...headers },
      signal,
    };
    return read(await (isRepeatable ? sendRepeated : send)(exchange), args);
  };
}

/** The path of a book or a batch. @throws {TypeError} The id is not valid: as text, it could lead to another path. */
function fill(path: string, id: unknown): string {
  if (path.includes('{id}') && !isId(id)) throw new TypeError('id: expected a whole number from 1 to 2^53-1');
  if (path.includes('{batch}') && !isBatch(id))
    throw new TypeError('batch: expected 8 to 64 of A-Z, a-z, 0-9, _ and -');
  return path.replace(/\{\w+\}/, String(id));
}

function headersOf(options: OptionsOf<CallOption>): Record<string, string> {
  const { ifMatch, ifNoneMatch, batch, idempotencyKey } = options;
  return {
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    ...(batch !== undefined && { Batch: batch }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
}
