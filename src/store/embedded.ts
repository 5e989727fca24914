import { open, type Database, type RootDatabase } from 'lmdb';
import { isId, toBook, type Book, type BookFields, type BookPatch } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { prepareFolder, unusable } from './embedded-folder.ts';
import type { BookStore } from './store.ts';

/** Books that one page of a listing holds: about 1 ms of work, so that other requests get their turn between. */
const pageLength = 1000;

/** The meta database's entries: the counter (the last id given), and what the environment is. */
const counterKey = 'last-id';
const formatKey = 'format';
const format = 'shelflist 1';

/**
 * Opens a folder as the embedded store: one LMDB environment with a database for the books and one for the
 * counter. Several processes may have it open at once.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function openEmbeddedStore(path: string): Promise<BookStore> {
  await prepareFolder(path);
  try {
    return new EmbeddedStore(path);
  } catch (cause) {
    if (cause instanceof ShelflistError) throw cause;
    throw unusable(
      path,
      `LMDB refuses it (${cause instanceof Error ? cause.message : 'unknown reason'})`,
      cause,
    );
  }
}

class EmbeddedStore implements BookStore {
  readonly description: string;
  readonly #root: RootDatabase<string, string>;
  /** id -> the whole book as JSON: lossless for every string and number that a book may hold. */
  readonly #books: Database<string, number>;
  readonly #meta: Database<unknown, string>;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(path: string) {
    this.description = `embedded store ${path}`;
    this.#root = open<string, string>({
      path,
      noSubdir: false, // Otherwise a dot in the folder's name would make it a file.
      maxDbs: 8,
      // A promise of a write then resolves after the finished sync, and nothing unsynced is ever visible.
      overlappingSync: false,
      encoding: 'string',
    });
    try {
      const names = [...this.#root.getKeys()];
      if (names.length > 0 && !names.includes('meta')) {
        throw unusable(path, 'its LMDB environment belongs to another program; name another folder');
      }
      this.#meta = this.#root.openDB<unknown, string>({ name: 'meta', encoding: 'json' });
      this.#books = this.#root.openDB<string, number>({ name: 'books', encoding: 'string' });
      this.#root.transactionSync(() => {
        this.#prepare(path);
      });
    } catch (error) {
      void this.#root.close();
      throw error;
    }
  }

  /** Idempotent: marks a new environment as ours, and lifts a counter that is behind the books. */
  #prepare(path: string): void {
    const found = this.#meta.get(formatKey);
    if (found === undefined) this.#meta.putSync(formatKey, format);
    else if (found !== format) {
      throw unusable(
        path,
        `it was written as ${JSON.stringify(found)}, this version reads "${format}"; upgrade`,
      );
    }
    const last = Math.max(this.#lastId(), this.#highestId());
    if (last !== this.#meta.get(counterKey)) this.#meta.putSync(counterKey, last);
  }

  #lastId(): number {
    const last = this.#meta.get(counterKey) ?? 0;
    if (last === 0 || isId(last)) return last;
    throw new ShelflistError('store_damaged', { message: 'the counter of ids is not a number' });
  }

  #highestId(): number {
    for (const id of this.#books.getKeys({ reverse: true, limit: 1 })) return id;
    return 0;
  }

  create(fields: BookFields): Promise<Book> {
    return this.#write(() => {
      let id = this.#lastId() + 1;
      // Books put back beside an older counter: lift it past all of them.
      if (this.#books.doesExist(id)) id = this.#highestId() + 1;
      if (!isId(id)) throw new ShelflistError('unavailable', { message: 'there are no ids left' });
      const book = { id, title: fields.title, author: fields.author, year: fields.year };
      this.#meta.putSync(counterKey, id);
      this.#books.putSync(id, JSON.stringify(book));
      return book;
    });
  }

  get(id: number): Promise<Book | undefined> {
    return this.#read(() => {
      const text = this.#books.get(id);
      return text === undefined ? undefined : this.#decode(id, text);
    });
  }

  async *list(): AsyncIterable<readonly Book[]> {
    for (let start = 1; ;) {
      const page = await this.#read(() =>
        Array.from(this.#books.getRange({ start, limit: pageLength }), ({ key, value }) =>
          this.#decode(key, value),
        ),
      );
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < pageLength) return;
      start = last.id + 1;
    }
  }

  update(id: number, patch: BookPatch): Promise<Book | undefined> {
    return this.#write(() => {
      const text = this.#books.get(id);
      if (text === undefined) return undefined;
      const updated = { ...this.#decode(id, text), ...patch };
      this.#books.putSync(id, JSON.stringify(updated));
      return updated;
    });
  }

  delete(id: number): Promise<void> {
    return this.#write(() => {
      this.#books.removeSync(id);
    });
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.#root.close());
    return this.#closing;
  }

  /** LMDB keeps one snapshot for a whole turn of the event loop; a new one shows what other processes wrote. */
  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws must become a rejection.
  async #read<T>(action: () => T): Promise<T> {
    this.#assertOpen();
    this.#root.resetReadTxn();
    return action();
  }

  /**
   * Runs `action` inside a write transaction; resolves once that is on disk. All that waits at the same moment
   * shares one commit. `action` throws, if at all, before its first put.
   */
  async #write<T>(action: () => T): Promise<T> {
    this.#assertOpen();
    const transaction = this.#root.transaction(action);
    this.#underWay.add(transaction);
    try {
      return await transaction;
    } catch (cause) {
      if (cause instanceof ShelflistError) throw cause;
      throw new ShelflistError('unavailable', {
        message: 'the store cannot write now',
        cause: await commitError(cause),
      });
    } finally {
      this.#underWay.delete(transaction);
    }
  }

  #assertOpen(): void {
    if (this.#closing) throw new ShelflistError('store_closed', { message: `${this.description} is closed` });
  }

  /** What another process left in the file is not trusted to be a book. */
  #decode(id: number, text: string): Book {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    const book = toBook(value);
    if (book?.id === id) return book;
    throw new ShelflistError('store_damaged', {
      message: `record ${id} of ${this.description} is not a book`,
    });
  }
}

/** LMDB's error for a failed commit names its cause in a promise of its own, which nobody else awaits. */
async function commitError(error: unknown): Promise<unknown> {
  try {
    await (error as { commitError?: Promise<never> }).commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}
