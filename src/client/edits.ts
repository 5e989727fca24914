import { authorField } from '../catalogue/fields.ts';
import { newBatchId } from '../catalogue/batch.ts';
import { type Book, type BookPatch, hasSameFields } from '../catalogue/book.ts';
import { hasCode, ShelflistError } from '../catalogue/errors.ts';
import { eachAtOnce } from '../lib/semaphore.ts';
import type { Client } from './client.ts';
import type { TaggedBook } from './methods.ts';
import type { WriteCondition } from './options.ts';
import { wasUnsent } from './sender.ts';

interface EditOptions {
  /** The maximum number of requests in flight. */
  readonly maxInFlight: number;
  /** Called after each book. */
  readonly onProgress?: (edit: Edit) => void;
}

/** An earlier state of a book, or of a deleted one. */
export interface StateToRestore {
  readonly id: number;
  readonly version: string;
  /** Holds until somebody else changes the book. */
  readonly condition: { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };
}

/**
 * Changes or deletes many books as one batch, which one undo takes back, however the edit ends. After a failure or an abort, the
 * writes in flight end, and no others begin; then the method rejects.
 */
export class Edit {
  readonly batch = newBatchId();
  /** The ids of the books that it has written. */
  readonly done: number[] = [];
  /** The ids of the books that others have changed or deleted meanwhile. */
  readonly skipped: number[] = [];
  readonly #client: Client;
  readonly #options: EditOptions;
  /** The writes in flight, and those that failed without an answer. */
  #uncertain = 0;

  constructor(client: Client, options: EditOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Whether it has changed a book; `perhaps`: the service did not answer. */
  get hasChanged(): boolean | 'perhaps' {
    return this.done.length > 0 || (this.#uncertain > 0 && 'perhaps');
  }

  /** Gives books the same values. Skips a book that is not as it was read; of an id alone, the book may be any. */
  change(books: readonly (Book | number)[], patch: BookPatch, signal?: AbortSignal): Promise<void> {
    return this.#writeEach(books, idOf, (book) => this.#change(book, patch), signal);
  }

  /** Gives each book values of its own. Skips a book that is not as it was read. */
  changeEach(changes: readonly (readonly [Book, BookPatch])[], signal?: AbortSignal): Promise<void> {
    return this.#writeEach(
      changes,
      ([{ id }]) => id,
      ([book, patch]) => this.#change(book, patch),
      signal,
    );
  }

  async #change(read: Book | number, patch: BookPatch): Promise<boolean> {
    try {
      const condition = await this.#asRead(read);
      if (condition) await this.#client.update(idOf(read), patch, condition);
      return condition !== undefined;
    } catch (error) {
      if (hasCode(error, 'book_not_found', 'precondition_failed')) return false;
      throw error;
    }
  }

  /** Deletes books. Skips a book that is not as it was read; of an id alone, the book may be any. */
  delete(books: readonly (Book | number)[], signal?: AbortSignal): Promise<void> {
    return this.#writeEach(books, idOf, (book) => this.#delete(book), signal);
  }

  async #delete(read: Book | number): Promise<boolean> {
    try {
      const condition = await this.#asRead(read);
      if (condition) await this.#client.delete(idOf(read), condition);
      return condition !== undefined;
    } catch (error) {
      if (hasCode(error, 'precondition_failed')) return false;
      if (!hasCode(error, 'book_not_found')) throw error;
      // Also the answer to any other failed delete.
      if (await exists(this.#client, idOf(read))) throw new ShelflistError('unavailable');
      return false;
    }
  }

  /** The options of a write that holds for the book as it was read; `undefined` if it has changed already. */
  async #asRead(read: Book | number): Promise<WriteCondition | undefined> {
    const { batch } = this;
    if (typeof read === 'number') return { batch };
    const { book, tag } = await this.#client.getTagged(read.id);
    return hasSameFields(book, read) ? { ifMatch: tag, batch } : undefined;
  }

  /**
   * Deletes the duplicates of a book, one after the other.
   *
   * @throws {ShelflistError} `precondition_failed`, `book_not_found`: one is not as it was read, which ends the edit.
   */
  merge(duplicates: readonly TaggedBook[], signal?: AbortSignal): Promise<void> {
    const write = async ({ book: { id }, tag }: TaggedBook) => {
      await withId(id, 'it was not deleted', this.#client.delete(id, { ifMatch: tag, batch: this.batch }));
      return true;
    };
    return this.#writeEach(duplicates, ({ book }) => book.id, write, signal, 1);
  }

  /** Gives books an earlier state each, and returns them. Skips a book that does not meet its condition any more. */
  async revert(states: readonly StateToRestore[], signal?: AbortSignal): Promise<Book[]> {
    const reverted: Book[] = [];
    const write = async ({ id, version, condition }: StateToRestore) => {
      try {
        reverted.push(await this.#client.revert(id, { version, batch: this.batch, ...condition }));
        return true;
      } catch (error) {
        if (hasCode(error, 'book_not_found', 'precondition_failed')) return false;
        throw error;
      }
    };
    await this.#writeEach(states, ({ id }) => id, write, signal);
    return reverted;
  }

  /** @param write Returns whether it has written the book; otherwise, the book is skipped. */
  #writeEach<Item>(
    items: readonly Item[],
    id: (item: Item) => number,
    write: (item: Item) => Promise<boolean>,
    signal?: AbortSignal,
    maxInFlight = this.#options.maxInFlight,
  ): Promise<void> {
    return eachAtOnce(items, maxInFlight, async (item) => {
      signal?.throwIfAborted();
      this.#uncertain++;
      try {
        ((await write(item)) ? this.done : this.skipped).push(id(item));
        this.#uncertain--;
      } catch (error) {
        if (!isUncertain(error)) this.#uncertain--;
        throw error;
      }
      this.#options.onProgress?.(this);
    });
  }
}

const maxReading = 4;

/**
 * Reads books before a merge.
 *
 * @param shown The books as the user knows them.
 * @throws {ShelflistError} `precondition_failed`, `book_not_found`: one has changed since.
 */
export async function readAsShown(client: Client, shown: readonly Book[]): Promise<TaggedBook[]> {
  const outcome = 'nothing was deleted';
  const tagged: TaggedBook[] = [];
  await eachAtOnce(shown.entries(), maxReading, async ([i, book]) => {
    const now = await withId(book.id, outcome, client.getTagged(book.id));
    if (!hasSameFields(now.book, book)) throw hasChangedMeanwhile(book.id, outcome);
    tagged[i] = now;
  });
  return tagged;
}

interface Spellings {
  /** The books with another spelling than the one to keep. */
  readonly books: readonly Book[];
  /** The spellings that no book has. */
  readonly unknown: readonly string[];
}

/** Finds the books whose author gets another spelling. Case, accents and punctuation of the other spellings do not matter. */
export async function findSpellings(
  client: Pick<Client, 'iterate'>,
  keep: string,
  others: readonly string[],
  signal?: AbortSignal,
): Promise<Spellings> {
  const books = new Map<number, Book>();
  const known = new Set<string>();
  for (const author of others)
    for await (const book of client.iterate({ [authorField]: author }, { signal })) {
      known.add(author);
      if (book[authorField] !== keep) books.set(book.id, book);
    }
  return { books: [...books.values()], unknown: others.filter((author) => !known.has(author)) };
}

/** Errors of a write that the service may have carried out nevertheless. */
const uncertainCodes = [
  'unreachable',
  'timeout',
  'unavailable',
  'request_in_progress',
  'internal',
  'store_damaged',
  'bad_response',
] as const;

/** Whether the service may have carried out the write that failed. */
export function isUncertain(error: unknown): boolean {
  return hasCode(error, ...uncertainCodes) && !wasUnsent(error);
}

function idOf(book: Book | number): number {
  return typeof book === 'number' ? book : book.id;
}

async function exists(client: Client, id: number): Promise<boolean> {
  try {
    await client.get(id);
    return true;
  } catch (error) {
    if (hasCode(error, 'book_not_found')) return false;
    throw error;
  }
}

/** Adds the id and the outcome to the error of a book that others have changed or deleted. */
async function withId<Result>(id: number, outcome: string, request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (hasCode(error, 'precondition_failed')) throw hasChangedMeanwhile(id, outcome);
    if (!hasCode(error, 'book_not_found')) throw error;
    throw new ShelflistError('book_not_found', { message: `book ${id} not found; ${outcome}` });
  }
}

function hasChangedMeanwhile(id: number, outcome: string): ShelflistError {
  return new ShelflistError('precondition_failed', { message: `book ${id} has changed; ${outcome}` });
}
