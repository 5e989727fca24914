import type { Book } from '../catalogue/book.ts';
import { coalesce } from '../lib/coalesce.ts';
import { JsonText } from '../lib/json-text.ts';
import { scheduler } from '../lib/scheduler.ts';
import { changedSince } from '../store/contract/changed.ts';
import { allIds, type IdRange } from '../store/contract/ids.ts';
import type { CompleteStore } from '../store/contract/store.ts';

/** Longer lists are not cached, but read page by page for each response. */
const maxBooks = 200_000;
const maxBytes = 16 * 1024 * 1024;
/** The time until a list that was too long is checked again. */
const recheckAfterMs = 60_000;

/** The maximum number of books in a new block. When a book changes, its block is read again. */
const maxBooksPerBlock = 400;

/** A part of the list: the books from its first id up to that of the next block. */
interface Block {
  readonly first: number;
  /** The books as JSON, each with a leading comma. */
  readonly bytes: Uint8Array;
  /** The same bytes without the leading comma. */
  readonly head: Uint8Array;
}

/** The list of all books, as JSON. */
interface CachedList {
  /** The version of the store, at most as new as the books. */
  readonly version: string;
  /** The position of the store's events, at most as new as the books. */
  readonly position: string;
  readonly json: JsonText;
  readonly blocks: readonly Block[];
}

/**
 * Caches the list of all books as JSON, ready to be sent. After a write, it reads only the changed blocks again. All
 * responses share the bytes, however slowly they are sent.
 */
export class ListCache {
  readonly #store: CompleteStore;
  readonly #refreshOnce: () => Promise<CachedList | undefined>;
  #cached: CachedList | undefined;
  #isTooLongUntil = -Infinity;

  constructor(store: CompleteStore) {
    this.#store = store;
    // Starts after all its callers have called, so that each sees the writes acknowledged before.
    this.#refreshOnce = coalesce(() => this.#refresh());
  }

  /**
   * The list at the current version of the store, or a newer one; `undefined` if it is too long, or the store has no events.
   *
   * @param version The current version.
   *
   * @throws {ShelflistError} As the store does.
   */
  async read(version: string): Promise<CachedList | undefined> {
    if (this.#cached?.version === version) return this.#cached;
    if (performance.now() < this.#isTooLongUntil) return undefined;
    return this.#refreshOnce();
  }

  async #refresh(): Promise<CachedList | undefined> {
    const before = this.#cached;
    // One after the other, and before the books: what is written meanwhile may be included, and the next refresh reads it again.
    const version = await this.#store.version();
    const changes = await changedSince(this.#store, before?.position).catch(() => undefined);
    if (changes === undefined) return undefined; // Other failures recur when the books are read.
    const { position, ids } = changes;
    const blocks =
      before === undefined || ids === undefined
        ? await this.#readAll(before?.blocks ?? [])
        : await this.#readAgain(before.blocks, ids);
    const isTooLong = blocks === undefined || lengthOf(blocks) > maxBytes;
    if (isTooLong) this.#isTooLongUntil = performance.now() + recheckAfterMs;
    this.#cached = isTooLong ? undefined : { version, position, json: toArray(blocks), blocks };
    return this.#cached;
  }

  async #readAll(before: readonly Block[]): Promise<readonly Block[] | undefined> {
    // A store that cannot count in time has too many books. Other failures recur when the books are read.
    const count = await this.#store.count({}).catch(() => Infinity);
    return count > maxBooks ? undefined : this.#readBlocks(allIds, before);
  }

  /** The blocks, read again if they contain one of these ids. */
  async #readAgain(before: readonly Block[], ids: readonly IdRange[]): Promise<readonly Block[] | undefined> {
    const blocks: Block[] = [];
    for (const [i, block] of before.entries()) {
      const last = Math.min((before[i + 1]?.first ?? Infinity) - 1, allIds.last);
      const isUnchanged = ids.every((range) => range.last < block.first || range.first > last);
      const read = isUnchanged ? [block] : await this.#readBlocks({ first: block.first, last }, [block]);
      if (read === undefined) return undefined;
      blocks.push(...read);
    }
    return blocks;
  }

  /**
   * Reads the blocks of a range; `undefined` if they are too long. The first block starts with the range, the others where the
   * previous blocks did. An unchanged block stays the same object, so that slow responses share it.
   */
  async #readBlocks(range: IdRange, before: readonly Block[]): Promise<readonly Block[] | undefined> {
    const writer = new BlockWriter(range.first, before);
    for await (const page of this.#store.iterate(range)) {
      await scheduler.run(() => {
        for (const book of page) writer.add(book);
      });
      if (writer.length > maxBytes) return undefined;
    }
    return writer.end();
  }
}

class BlockWriter {
  readonly #before: ReadonlyMap<number, Block>;
  /** The first ids of the remaining previous blocks, in descending order. */
  readonly #starts: number[];
  readonly #blocks: Block[] = [];
  #first: number;
  #books: Book[] = [];
  #length = 0;

  constructor(first: number, before: readonly Block[]) {
    this.#first = first;
    this.#before = new Map(before.map((block) => [block.first, block]));
    this.#starts = before.map((block) => block.first).filter((start) => start > first);
    this.#starts.reverse();
  }

  /** The total length of the finished blocks, in bytes. */
  get length(): number {
    return this.#length;
  }

  add(book: Book): void {
    for (
      let start = this.#starts.at(-1);
      start !== undefined && start <= book.id;
      start = this.#starts.at(-1)
    ) {
      this.#starts.pop();
      this.#finish(start);
    }
    if (this.#books.length === maxBooksPerBlock) this.#finish(book.id);
    this.#books.push(book);
  }

  end(): readonly Block[] {
    this.#finish(Infinity);
    return this.#blocks;
  }

  /** @param next The first id of the next block. */
  #finish(next: number): void {
    const bytes = Buffer.from(this.#books.length === 0 ? '' : `,${JSON.stringify(this.#books).slice(1, -1)}`);
    const before = this.#before.get(this.#first);
    const isSame = before !== undefined && bytes.equals(before.bytes);
    this.#blocks.push(isSame ? before : { first: this.#first, bytes, head: bytes.subarray(1) });
    this.#length += bytes.length;
    this.#first = next;
    this.#books = [];
  }
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function toArray(blocks: readonly Block[]): JsonText {
  const [first, ...others] = blocks.filter(({ bytes }) => bytes.length > 0);
  if (first === undefined) return new JsonText('[]');
  return new JsonText('[', first.head, ...others.map(({ bytes }) => bytes), ']');
}
