import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseBookFields, parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { TaskThread } from '../../lib/task-thread.ts';
import { syncFolder } from '../../new-file.ts';
import { toCondition, type BookQuery } from '../../query/query.ts';
import { Calls } from '../calls.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { createBatcher, type Verdict } from '../../lib/batcher.ts';
import { allIds } from '../ids.ts';
import { checkPageRequest, type Page, type PageRequest } from '../page.ts';
import { defaultHistory, type BookStore, type Changes, type StoreOptions } from '../store.ts';
import { locateBinding, type Connection } from './binding.ts';
import { BookReader } from './book-reader.ts';
import { connect, isBusy, isDamaged } from './connection.ts';
import { explain, fileName, prepareFolder, turnFileName, unusable } from './folder.ts';
import { prepareSchema, readNumber } from './schema.ts';
import { createThread, failure, type Tasks } from './thread.ts';
import type { Write } from './writer.ts';

/** The deadlines of a start and of a call: both end within 5 s. */
const openMs = 4500;
const callMs = 4500;
/** How long a start indexes books that another program added; the rest are indexed in the background. */
const backfillMs = 2000;

/**
 * Opens a folder as the embedded store: one SQLite database. Several processes may have it open at once. The start
 * time does not depend on the number of books.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<BookStore> {
  const binding = locateBinding();
  const { isNew } = await prepareFolder(path);
  const file = join(path, fileName);
  const db = await openDatabase(path, file);
  if (isNew) await syncFolder(path);
  const { historyDays = defaultHistory.historyDays, historyMaxBytes = defaultHistory.historyMaxBytes } =
    options;
  const data = { binding, file, turnFile: join(path, turnFileName), historyDays, historyMaxBytes };
  const threads = { writing: createThread(data), searching: createThread(data) };
  const store = new SqliteStore(db, threads, `embedded store ${path}`);
  await withTimeout(backfillMs, store.backfill(options)).catch(() => undefined);
  return store;
}

/** Opens the file on this thread; retries while other processes lock it. */
async function openDatabase(path: string, file: string): Promise<Connection> {
  for (const end = performance.now() + openMs; ;) {
    let db: Connection | undefined;
    try {
      db = connect(file);
      prepareSchema(db);
      return db;
    } catch (error) {
      db?.close();
      if (!isBusy(error) || performance.now() > end) throw unusable(path, explain(error), error);
      await setTimeout(10);
    }
  }
}

/** The worker threads. Each has its own connection, besides that of the main thread. */
interface Threads {
  readonly writing: TaskThread<Tasks>;
  readonly searching: TaskThread<Tasks>;
}

class SqliteStore implements BookStore {
  readonly description: string;
  readonly #db: Connection;
  readonly #threads: Threads;
  readonly #calls: Calls;
  readonly #reader: BookReader;
  readonly #write: (write: Write) => Promise<Book | undefined>;
  #isClosing = false;

  constructor(db: Connection, threads: Threads, description: string) {
    this.description = description;
    this.#db = db;
    this.#threads = threads;
    this.#calls = new Calls(description);
    this.#reader = new BookReader(db);
    this.#write = createBatcher((batch) => this.#writeBatch(batch), { deadlineMs: callMs });
  }

  async create(fields: BookFields): Promise<Book> {
    const book = await this.#run(() => this.#write({ kind: 'create', fields: parseBookFields(fields) }));
    if (book === undefined) throw new Error('a create gave no book');
    return book;
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#read(() => this.#reader.get(id));
  }

  async *list({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    for (let start = first; ;) {
      const { books, isLast } = await this.#search('list', [{ first: start, last }]);
      if (books.length > 0) yield books;
      if (isLast) return;
      start = (books.at(-1)?.id ?? last) + 1;
    }
  }

  async find(query: BookQuery, request: PageRequest): Promise<Page> {
    const { limit, after, signal } = checkPageRequest(request);
    const position = after && { key: after.key, id: after.id };
    return this.#search('find', [toCondition(query), limit, position], signal);
  }

  async count(query: BookQuery, signal?: AbortSignal): Promise<number> {
    return this.#search('count', [toCondition(query)], signal);
  }

  version(): Promise<string> {
    return this.#read(() => this.#reader.version());
  }

  async changes(since: string): Promise<Changes> {
    // Reads the version before the changes: a write in between is then reported twice rather than missed.
    const version = await this.version();
    const [epoch, seq = ''] = since.split('.');
    const isOurs = epoch === version.split('.')[0] && /^[0-9]{1,15}$/.test(seq);
    if (!isOurs) return { version, ids: undefined };
    if (since === version) return { version, ids: [] };
    return { version, ids: await this.#search('changedSince', [Number(seq)]) };
  }

  async update(id: number, patch: BookPatch, expected?: Book): Promise<Book | undefined> {
    return this.#run(() =>
      this.#write({ kind: 'update', id, patch: parseBookPatch(patch), expected: plain(expected) }),
    );
  }

  async delete(id: number, expected?: Book): Promise<void> {
    await this.#run(() => this.#write({ kind: 'delete', id, expected: plain(expected) }));
  }

  /** Gives books of other programs their index entries, if there are any. */
  async backfill({ logger }: StoreOptions): Promise<void> {
    if (
      readNumber(this.#db, 'SELECT count(*) FROM (SELECT 1 FROM books WHERE title_key IS NULL LIMIT 1)') === 0
    )
      return;
    let done = 0;
    try {
      for (let count = 1; count > 0 && !this.#isClosing; done += count)
        count = await this.#run(() => this.#threads.writing.run('backfill', []));
      logger?.info({ books: done }, 'indexed the books that another program added');
    } catch (error) {
      logger?.warn(
        { books: done, cause: String(error) },
        'cannot index all books that another program added; searches miss the rest until the next start',
      );
    }
  }

  close(): Promise<void> {
    this.#isClosing = true;
    this.#reader.flush();
    return this.#calls.close(async () => {
      this.#db.close();
      await this.#threads.searching.close();
      await this.#threads.writing.close(); // Closing the last connection cleans up, off the main thread.
    });
  }

  async #writeBatch(batch: readonly Write[]): Promise<readonly Verdict<Book | undefined>[]> {
    const abandon = AbortSignal.timeout(callMs);
    const written = await this.#threads.writing.run('write', [batch], abandon);
    return written.map((each) =>
      'code' in each
        ? { error: new ShelflistError(each.code, { message: each.message }) }
        : { value: each.book },
    );
  }

  #search<Name extends keyof Tasks>(
    task: Name,
    args: Parameters<Tasks[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<Tasks[Name]>> {
    return this.#run(async () => {
      const given = new AbortController();
      const signals = signal === undefined ? [given.signal] : [given.signal, signal];
      try {
        return await withTimeout(callMs, this.#threads.searching.run(task, args, AbortSignal.any(signals)));
      } finally {
        given.abort(); // A query that nobody waits for any more must not keep the next one waiting.
      }
    });
  }

  /** Runs a read of the main thread. `close` runs all of these, so they are not counted as calls in flight. */
  #read<T>(action: () => Promise<T>): Promise<T> {
    const { tooLate } = this.#calls;
    return tooLate === undefined ? action().catch(translate) : Promise.reject(tooLate);
  }

  #run<T>(action: () => Promise<T>): Promise<T> {
    return this.#calls.run(action, toError);
  }
}

/** Another thread gets a plain copy: what a caller hands over may be a proxy, which cannot be cloned. */
function plain(book: Book | undefined): Book | undefined {
  return book && { id: book.id, title: book.title, author: book.author, year: book.year };
}

function translate(error: unknown): never {
  throw error instanceof ShelflistError ? error : toError(error);
}

function toError(cause: unknown): ShelflistError {
  return failure(isDamaged(cause), cause);
}
