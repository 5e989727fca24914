import { MongoBulkWriteError } from 'mongodb';
import { toBook, type Book } from '../../book.ts';
import { createPage } from '../page.ts';
import { pause, untilDone } from './background.ts';
import { indexEntry, indexes } from './entry.ts';
import { bookProjection, type Collections } from './prepare.ts';

/** Writes have the server for themselves until none came for so long, */
const quietMs = 50;
/** or so many came: each question looks at all books that wait, */
const maxWaiting = 50_000;
/** or so few came in so long that it is no burst, which will end. */
const trickle = { maxWaiting: 1000, milliseconds: 2000 };

/** So many pages of books get their entries side by side, as long as nobody writes: each waits for the journal. */
const maxAtOnce = 4;

/**
 * Gives books their index entries in the background, after they were written: so a create costs no more than its
 * insert. Several services may do it at once.
 */
export class Indexer {
  readonly #books: Collections['books'];
  readonly #signal: AbortSignal;
  #underWay = 0;
  #waiting = 0;
  #newest = 0;
  #isRunning = false;

  /** @param signal Ends it. */
  constructor({ books }: Collections, signal: AbortSignal) {
    this.#books = books;
    this.#signal = signal;
  }

  /** Makes the indexes where they are missing; on a large collection that takes a while, in which questions are slow. */
  prepare(): Promise<void> {
    // A build outlives the call that began it; the next call waits for the same.
    return untilDone(() => this.#books.createIndexes([...indexes]), this.#signal);
  }

  /** Has books indexed after a write, which may have happened even if it failed. Meanwhile it has the server for itself. */
  async after<T>(write: Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await write;
    } finally {
      this.#underWay--;
      this.notice();
    }
  }

  /** Has books indexed that were written, or may have been. */
  notice(): void {
    this.#waiting++;
    this.#newest = performance.now();
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting > 0 && !this.#signal.aborted) {
      await this.#quiet();
      this.#waiting = 0;
      await untilDone(() => this.#indexAll(), this.#signal);
    }
    this.#isRunning = false;
  }

  async #quiet(): Promise<void> {
    const begun = performance.now();
    do await pause(quietMs, this.#signal);
    while (!this.#signal.aborted && !this.#isTime(begun));
  }

  #isTime(begun: number): boolean {
    const now = performance.now();
    const isTrickle = now - begun > trickle.milliseconds && this.#waiting < trickle.maxWaiting;
    return !this.#areWritesComing() || isTrickle || this.#waiting > maxWaiting;
  }

  #areWritesComing(): boolean {
    return this.#underWay > 0 || (this.#waiting > 0 && performance.now() - this.#newest <= quietMs);
  }

  /** From the first to the last, once: what cannot be indexed stays as it is, and is found all the same. */
  async #indexAll(): Promise<void> {
    const pages = this.#pages();
    let isOver = false;
    const work = async (isHelper: boolean) => {
      for (;;) {
        // Who writes meanwhile is not held up by more than one.
        while (isHelper && !isOver && this.#areWritesComing()) await pause(quietMs, this.#signal);
        const { value: books } = await pages.next();
        if (books === undefined) break;
        await this.#index(books).catch((error: unknown) => {
          isOver = true;
          throw error;
        });
      }
      isOver = true;
    };
    await Promise.all(Array.from({ length: maxAtOnce }, (_, i) => work(i > 0)));
  }

  /** The books that wait. Each page is a query of its own, so that no cursor grows old. */
  async *#pages(): AsyncGenerator<readonly Book[], void> {
    for (let last = 0; !this.#signal.aborted;) {
      const page = createPage();
      const limit = page.maxBooks;
      const options = { sort: { _id: 1 }, limit, batchSize: limit, projection: bookProjection } as const;
      let read = 0;
      for await (const document of this.#books.find({ indexed: null, _id: { $gt: last } }, options)) {
        read++;
        last = document._id;
        const book = toBook({ ...document, id: document._id });
        if (book !== undefined) page.add(book);
        if (page.isFull) break;
      }
      if (page.books.length > 0) yield page.books;
      if (read < limit && !page.isFull) return;
    }
  }

  async #index(books: readonly Book[]): Promise<void> {
    const operations = books.map(({ id, ...fields }) => ({
      updateOne: {
        // Only if the book still is what the entry was made from, and no other service was faster.
        filter: { _id: id, indexed: null, ...fields },
        update: { $set: { index: indexEntry(fields), indexed: true as const } },
      },
    }));
    try {
      await this.#books.bulkWrite(operations, { ordered: false });
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || [error.writeErrors].flat().length === 0) throw error;
    }
  }
}
