import type { Book } from '../book.ts';
import { coalesce } from '../lib/batcher.ts';
import { allIds, type IdRange } from '../store/ids.ts';
import type { BookStore } from '../store/store.ts';
import { JsonText } from './answer.ts';
import { longWork } from './long-work.ts';

/** A longer list is not kept: it is read for each answer, page by page. */
const mostBooks = 200_000;
const mostBytes = 16 * 1024 * 1024;
/** So long nobody looks whether a list that was too long still is. */
const tooLongForMs = 60_000;

/** Of so many books each, whatever becomes of them later: what is read again when one of them changes. */
const booksInBlock = 400;

/** A part of the list: the books from this id up to the next block's. */
interface Block {
  readonly first: number;
  /** The books, each with a comma before it; empty if there are none. */
  readonly bytes: Uint8Array;
  /** The same bytes without the leading comma. */
  readonly head: Uint8Array;
}

/** The list of all books, as JSON. */
export interface Listed {
  /** No newer than what is in it. */
  readonly version: string;
  readonly json: JsonText;
  readonly blocks: readonly Block[];
}

/**
 * The list of all books, ready to be sent: it is made when it is first asked for, and after a write only what that has
 * changed. Many answers share its bytes, however slowly they leave.
 */
export class WholeList {
  readonly #store: BookStore;
  readonly #refreshTogether: () => Promise<Listed | undefined>;
  #listed: Listed | undefined;
  #isTooLongUntil = -Infinity;

  constructor(store: BookStore) {
    this.#store = store;
    // Begins after all who share it have asked, and so shows each what was acknowledged before.
    this.#refreshTogether = coalesce(() => this.#refresh());
  }

  /**
   * The list at a version that the store has just given, or a newer one; `undefined` if it is too long to be kept.
   *
   * @throws {ShelflistError} As the store does.
   */
  async read(version: string): Promise<Listed | undefined> {
    if (this.#listed?.version === version) return this.#listed;
    if (performance.now() < this.#isTooLongUntil) return undefined;
    return this.#refreshTogether();
  }

  async #refresh(): Promise<Listed | undefined> {
    const before = this.#listed;
    // Before the books: what is written meanwhile may be in it, and is found again by the next one.
    const { version, ids } =
      before === undefined
        ? { version: await this.#store.version(), ids: undefined }
        : await this.#store.changes(before.version);
    const blocks =
      before === undefined || ids === undefined
        ? await this.#readAll(before?.blocks ?? [])
        : await this.#readAgain(before.blocks, ids);
    const isTooLong = blocks === undefined || lengthOf(blocks) > mostBytes;
    if (isTooLong) this.#isTooLongUntil = performance.now() + tooLongForMs;
    this.#listed = isTooLong ? undefined : { version, json: toArray(blocks), blocks };
    return this.#listed;
  }

  async #readAll(before: readonly Block[]): Promise<readonly Block[] | undefined> {
    // Where they cannot be counted in time they are too many; what else fails here fails when they are read.
    const count = await this.#store.count({}).catch(() => Infinity);
    return count > mostBooks ? undefined : this.#readBlocks(allIds, before);
  }

  /** The blocks as they were, but read anew where they hold one of these ids. */
  async #readAgain(before: readonly Block[], ids: readonly IdRange[]): Promise<readonly Block[] | undefined> {
    const blocks: Block[] = [];
    for (const [i, block] of before.entries()) {
      const last = Math.min((before[i + 1]?.first ?? Infinity) - 1, allIds.last);
      const isSame = ids.every((range) => range.last < block.first || range.first > last);
      const read = isSame ? [block] : await this.#readBlocks({ first: block.first, last }, [block]);
      if (read === undefined) return undefined;
      blocks.push(...read);
    }
    return blocks;
  }

  /**
   * Reads the blocks of a range; `undefined` if they are too long. The first block begins with the range, the others where the
   * previous blocks did. A block with the same books is the same object, so that slow answers share it.
   */
  async #readBlocks(range: IdRange, before: readonly Block[]): Promise<readonly Block[] | undefined> {
    const writer = new BlockWriter(range.first, before);
    for await (const page of this.#store.list(range)) {
      await longWork.run(() => {
        for (const book of page) writer.add(book);
      });
      if (writer.length > mostBytes) return undefined;
    }
    return writer.end();
  }
}

/** Splits books into blocks. */
class BlockWriter {
  readonly #before: ReadonlyMap<number, Block>;
  /** Where the remaining previous blocks begin, in descending order. */
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
    if (this.#books.length === booksInBlock) this.#finish(book.id);
    this.#books.push(book);
  }

  end(): readonly Block[] {
    this.#finish(Infinity);
    return this.#blocks;
  }

  /** @param next Where the next block begins. */
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
