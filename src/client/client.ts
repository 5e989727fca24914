import type { Book, BookFields, BookPatch } from '../catalogue/book.ts';
import type { BatchSummary, EarlierState } from '../catalogue/changes.ts';
import type { Correction } from '../catalogue/correction.ts';
import type { DuplicatesQuery } from '../catalogue/duplicates.ts';
import type { Imported } from '../catalogue/envelope.ts';
import type { SuggestedField } from '../catalogue/fields.ts';
import type { PageQuery } from '../catalogue/query-string.ts';
import type { BookQuery } from '../catalogue/query.ts';
import type { Statistics } from '../catalogue/statistics.ts';
import type { Suggestion } from '../catalogue/suggestion.ts';
import type { BookPage, DuplicatesPage, TaggedBook } from './books.ts';
import type { DeletedPage, UndoOptions, UndoResult } from './history.ts';
import type { CallOptions, CreateOptions, RevertOptions, WriteCondition } from './options.ts';
import type { WatchEvent, WatchOptions } from './watch.ts';

/** A page of a list: at most `limit` books, those after the mark `after`. */
export type PageOptions = Pick<PageQuery, 'limit' | 'after'>;

/** The result of {@link Client.check}. */
export interface ServiceCheck {
  /** Whether the service accepts the token of the client. */
  accepted: boolean;
  /** The time of the service in whole seconds, if it sends it. */
  date: Date | undefined;
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
  /** Gets a token, which lasts 15 minutes. The client sends it from now on, instead of `options.token`. */
  login(username: string, password: string, options?: CallOptions): Promise<string>;
  /**
   * Exchanges the token for one that lasts 15 more minutes. Requests do so themselves when a third of its time is over, until
   * the service ends the session (`SESSION_HOURS` after the login).
   */
  renew(): Promise<string>;
  /** The books that match a query, in its order. Default: every book by id. */
  list(query?: BookQuery, options?: CallOptions): Promise<Book[]>;
  /**
   * {@link list}, one book after the other. Memory is bounded, and the reader sets the pace. The request ends when the reader
   * stops.
   */
  books(query?: BookQuery, options?: CallOptions): AsyncGenerator<Book, void, undefined>;
  /** A page of {@link list}: at most `limit` books, and the cursor of the next page. */
  page(query: PageQuery, options?: CallOptions): Promise<BookPage>;
  /**
   * Groups of books that are duplicates of each other; default: all groups of the level `same`. The service compares its books,
   * which may take long: then this fails with `unavailable`, and a later call gets the result.
   */
  duplicates(query?: DuplicatesQuery, options?: CallOptions): Promise<DuplicatesPage>;
  /** The number of books that match a query, by decade and by author. Default: of all books. */
  stats(query?: BookQuery, options?: CallOptions): Promise<Statistics>;
  /** At most 10 values of a field, most frequent first: those with these prefixes of words. Default: the most frequent ones. */
  suggest(field: SuggestedField, q?: string, options?: CallOptions): Promise<Suggestion[]>;
  /** Other words for a query that finds nothing, best first: `{ ...query, ...correction }` finds something. At most 3. */
  corrections(query: BookQuery, options?: CallOptions): Promise<Correction[]>;
  /** A book. Fails with `book_not_found`. */
  get(id: number, options?: CallOptions): Promise<Book>;
  /** A book with the tag of its contents, for {@link WriteCondition}. */
  getTagged(id: number, options?: CallOptions): Promise<TaggedBook>;
  /** The current state of a book. If it has not changed, the service does not send it, and this returns its argument. */
  refresh(tagged: TaggedBook, options?: CallOptions): Promise<TaggedBook>;
  /**
   * Stores a new book, once: after a broken connection, a timeout or a 503, the request is repeated up to three times, and the
   * service recognises it. A missing field gets the empty value of its type.
   */
  create(fields: Partial<BookFields>, options?: CreateOptions): Promise<Book>;
  /** Stores many new books in one request, which is repeated like that of {@link create}. If it fails, some may be stored. */
  createMany(books: readonly Partial<BookFields>[], options?: CreateOptions): Promise<Imported>;
  /**
   * Finds the book of each element: the one with its id, or with the same title, author and year, ignoring case, accents, spacing
   * and punctuation; of several, an equal one, then the one with the lowest id. At most 1000 elements.
   */
  lookup(
    wanted: readonly ({ readonly id: number } | Partial<BookFields>)[],
    options?: CallOptions,
  ): Promise<(Book | undefined)[]>;
  /** Changes the named fields only. If the condition does not hold, it fails with `precondition_failed`. */
  update(id: number, patch: BookPatch, options?: WriteCondition): Promise<Book>;
  /** Deletes a book. If the condition does not hold, it fails with `precondition_failed`. */
  delete(id: number, options?: WriteCondition): Promise<void>;
  /** The earlier states of a book, newest first, as far as the service keeps them; also those of a deleted book. */
  history(id: number, options?: CallOptions): Promise<EarlierState[]>;
  /** Gives a book an earlier state. A deleted book comes back under its id. */
  revert(id: number, options?: RevertOptions): Promise<Book>;
  /** A page of the deleted books that can be brought back, newest first. */
  trash(query?: PageOptions, options?: CallOptions): Promise<DeletedPage>;
  /** What a batch has done. Fails with `not_found` if none of its changes is kept. */
  batch(id: string, options?: CallOptions): Promise<BatchSummary>;
  /**
   * Takes back what a batch did: each book gets the state it had before. A book that was changed since by others is left. The
   * undo is a batch itself, which can be undone. After a failure, the same call does the rest.
   */
  undo(batch: string, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Yields each change of a book while it happens, by any client. It connects again after every failure that may pass, and
   * continues after the last position; `reset` means that changes are missing. {@link close} ends it.
   */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void, undefined>;
  /** Asks whether the service runs, whether it accepts the token, and what time it has. */
  check(options?: CallOptions): Promise<ServiceCheck>;
  /** Ends every call in flight, and {@link watch}. Later calls are possible. */
  close(): void;
  /** {@link close}, at the end of a block that declares the client with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
