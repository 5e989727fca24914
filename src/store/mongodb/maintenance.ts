// Builds indexes and index entries in the background, and reports progress.
import { setTimeout } from 'node:timers/promises';
import { ShelflistError } from '../../catalogue/errors.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { defaultHistory, type StoreOptions } from '../contract/store.ts';
import { describeClock, hourMs } from '../contract/history-clock.ts';
import { prune, latestChange } from './prune.ts';
import { backfill, reindex, settle } from './backfill.ts';
import type { CollectionGuard } from './collection-guard.ts';
import { disconnect, type Connection } from './connection.ts';
import {
  batchIndexes,
  bookIndexes,
  buildIndexes,
  dropFormerIndexes,
  findMissing,
  repeatIndexes,
} from './indexes.ts';

/** Below this number of documents, the indexes are built before the store opens. */
const maxBooksAtStart = 10_000;
/** The start waits this long for a backfill. */
const backfillWaitMs = 1000;
const logEveryMs = 5000;
const backoffMs = { first: 1000, most: 60_000 };

/** Updates a collection in the background: first its indexes, then the documents without an index entry. */
export class Maintenance {
  readonly #connection: Connection;
  readonly #collections: CollectionGuard;
  readonly #options: StoreOptions;
  readonly #signal: AbortSignal;
  #isDamageLogged = false;
  #indexed = 0;
  #loggedAt = performance.now();

  /** @param signal Stops the maintenance. */
  constructor(
    connection: Connection,
    collections: CollectionGuard,
    options: StoreOptions,
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#collections = collections;
    this.#options = options;
    this.#signal = signal;
  }

  /** Resolves when a small collection is up to date; for a large one, soon. @throws {ShelflistError} `store_unusable` */
  async start(): Promise<void> {
    const connection = this.#connection;
    const { books, repeats, batches } = connection;
    let missing = await findMissing(connection, books, bookIndexes);
    if (missing.length > 0 && (await books.estimatedDocumentCount()) < maxBooksAtStart) {
      await buildIndexes(books, missing);
      missing = [];
    }
    const isBuilt = missing.length === 0;
    const work = this.#repeat(async () => {
      await this.#collections.check(); // Building an index, and some writes, would create a missing collection.
      if (!isBuilt) await this.#buildPatiently();
      await backfill(connection, this, this.#signal);
      await reindex(connection, this, this.#signal);
      await dropFormerIndexes(connection, books);
      // Nothing waits for these: expired keys are ignored anyway, and there are few batches.
      await buildIndexes(repeats, await findMissing(connection, repeats, repeatIndexes));
      await buildIndexes(batches, await findMissing(connection, batches, batchIndexes));
    });
    void work.then(() => this.#repeat(() => settle(connection, this, this.#signal)));
    const pruning = setInterval(() => void this.#prune(), hourMs).unref();
    this.#signal.addEventListener(
      'abort',
      () => {
        clearInterval(pruning);
      },
      { once: true },
    );
    await withTimeout(backfillWaitMs, Promise.all([this.#checkClock(), this.#prune(), work])).catch(
      () => undefined,
    );
  }

  async #checkClock(): Promise<void> {
    const problem = describeClock(await latestChange(this.#connection).catch(() => 0));
    if (problem !== undefined) this.#options.logger?.warn({ store: this.#connection.description }, problem);
  }

  /** Never rejects: what is too old is hidden, and removed an hour later. */
  async #prune(): Promise<void> {
    const { historyDays = defaultHistory.historyDays, logger } = this.#options;
    try {
      await this.#collections.check();
      await prune(this.#connection, historyDays, this.#signal);
    } catch (error) {
      const { message } = this.#connection.scrub(error);
      if (!this.#isEnded()) logger?.warn({ reason: message }, 'cannot remove what is too old now');
    }
  }

  /** Reports the first document that is not a book. */
  onDamaged(id: number): void {
    if (this.#isDamageLogged) return;
    this.#isDamageLogged = true;
    const message =
      'a record is not a book; lists and searches leave it out; `shelflist doctor` lists all such records';
    this.#options.logger?.warn({ id }, message);
  }

  onIndexed(count: number): void {
    this.#indexed += count;
    if (performance.now() - this.#loggedAt < logEveryMs) return;
    this.#loggedAt = performance.now();
    this.#options.logger?.info(
      { indexed: this.#indexed },
      'indexing and sorting books; each keeps its old place until its turn',
    );
  }

  /** A build may take minutes, so it is started once, by a client without a socket timeout. */
  async #buildPatiently(): Promise<void> {
    const missing = await findMissing(this.#connection, this.#connection.books, bookIndexes);
    this.#signal.throwIfAborted(); // The listener below misses an earlier abort.
    if (missing.length === 0) return;
    this.#options.logger?.info(
      { indexes: missing.length },
      'building indexes; searches are slow or unavailable until then',
    );
    const patient = this.#connection.createPatientDatabase();
    const close = () => void disconnect(patient.client);
    this.#signal.addEventListener('abort', close, { once: true });
    try {
      await buildIndexes(patient.books, missing);
      this.#options.logger?.info({ indexes: missing.length }, 'indexes built');
    } finally {
      this.#signal.removeEventListener('abort', close);
      await disconnect(patient.client);
    }
  }

  #isEnded(): boolean {
    return this.#signal.aborted;
  }

  /** Runs until it succeeds, fails permanently, or is stopped. Never rejects. */
  async #repeat(task: () => Promise<void>): Promise<void> {
    for (let pauseMs = backoffMs.first, isLogged = false; !this.#isEnded();) {
      try {
        await task();
        if (this.#indexed > 0)
          this.#options.logger?.info({ indexed: this.#indexed }, 'all books are indexed');
        this.#indexed = 0;
        return;
      } catch (error) {
        if (this.#isEnded()) return;
        const { message } = this.#connection.scrub(error);
        if (!isLogged)
          this.#options.logger?.error({ reason: message }, 'cannot index books; searches miss some');
        if (error instanceof ShelflistError) return;
        isLogged = true;
      }
      await setTimeout(pauseMs, undefined, { signal: this.#signal, ref: false }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, backoffMs.most);
    }
  }
}
