import type { Book, BookFields, BookPatch } from '../book.ts';
import type { Position } from '../query/position.ts';
import type { BookQuery } from '../query/query.ts';
import type { IdRange } from './ids.ts';
import type { Page } from './page.ts';

/**
 * Where books live. Everything above a store relies on this contract and on nothing else; whoever writes
 * another one can run `test/store/suite.ts` over it.
 *
 * - **Ids** come from a stored counter: 1, 2, 3, …, strictly rising, never used twice, not after a delete, a
 *   restart or a crash. Books put back beside an older counter lift it: when the store is opened, and at the
 *   latest when an id turns out to be taken. Gaps are allowed.
 * - **Durable**: the promise of a write resolves once the write survives a crash of process and machine.
 * - **Atomic**: `update` changes the fields it names and no others; two at once to different fields both
 *   survive.
 * - **Current**: a read that begins after a write was acknowledged, by whichever process, sees that write.
 * - **Faithful**: text and years come back exactly as they were given, or are refused (`invalid_input`): what
 *   is no Unicode text (half a surrogate pair), no integer within 2^53-1, or more than the store can hold.
 *   A member that is `undefined` is as good as missing.
 * - **Errors** are `ShelflistError`s: `unavailable` when the store cannot be reached or cannot write now (the
 *   same call may succeed later), `store_damaged` for a record that is no book, `store_closed` after `close`.
 *   A write that ends `unavailable` may or may not have happened.
 * - Many calls may be under way at once.
 */
export interface BookStore {
  /** What it is and where, for people: `embedded store /var/lib/shelflist`. No secret. */
  readonly description: string;
  /** Stores a new book under the next id. */
  create(fields: BookFields): Promise<Book>;
  /** The book with this id, or `undefined`. It may be frozen. */
  get(id: number): Promise<Readonly<Book> | undefined>;
  /**
   * Every book by id, ascending, in pages of any length. Memory is bounded by the page and the reader sets
   * the pace. A book that is there from the first page to the last stands in exactly one.
   *
   * @param range Only the books with these ids.
   */
  list(range?: IdRange): AsyncIterable<readonly Book[]>;
  /**
   * The books that a query fits, in its order: so many at the most, those behind `after` (a position of this query;
   * the book need not be there any more). Fewer, if they are long: a page takes a bounded piece of memory.
   */
  find(query: BookQuery, part: Part): Promise<Page>;
  /** How many books a query fits. */
  count(query: BookQuery): Promise<number>;
  /**
   * A text that is another one after every write, by whichever process, before the write is acknowledged: as long as
   * it stays the same, so does every listing. Found without reading the books; letters, digits and `-._` only.
   */
  version(): Promise<string>;
  /** What may be different now from what it was at an earlier version. Asked for soon after it, it says which books. */
  changes(since: string): Promise<Changes>;
  /**
   * Changes the named fields of a book; gives it in full, or `undefined` when there is none.
   *
   * @param expected What the book must be for that, to the letter.
   * @throws {ShelflistError} `precondition_failed`: it is something else.
   */
  update(id: number, patch: BookPatch, expected?: Book): Promise<Book | undefined>;
  /**
   * Removes the book, if there is one.
   *
   * @param expected What it must be for that, to the letter.
   * @throws {ShelflistError} `precondition_failed`: it is something else, or gone.
   */
  delete(id: number, expected?: Book): Promise<void>;
  /** Waits for what is under way, then lets go of files and connections. May be called twice. */
  close(): Promise<void>;
}

/** What has changed since a version. */
export interface Changes {
  /** Of now, or a little earlier: as {@link BookStore.version} gives it. */
  readonly version: string;
  /** The ids of all books that were created, changed or removed, and perhaps more; `undefined`: it may be any book. */
  readonly ids: readonly IdRange[] | undefined;
}

/** A part of the books that a query fits. */
export interface Part {
  /** 1 or more. */
  readonly limit: number;
  readonly after?: Position | undefined;
}
