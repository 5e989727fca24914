import { share } from '../store/gather.ts';
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
    this.#refreshTogether = share(() => this.#refresh());
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
        ? await this.#readAll()
        : await this.#readAgain(before.blocks, ids);
    const isTooLong = blocks === undefined || lengthOf(blocks) > mostBytes;
    if (isTooLong) this.#isTooLongUntil = performance.now() + tooLongForMs;
    this.#listed = isTooLong ? undefined : { version, json: toArray(blocks), blocks };
    return this.#listed;
  }

  async #readAll(): Promise<readonly Block[] | undefined> {
    // Where they cannot be counted in time they are too many; what else fails here fails when they are read.
    const count = await this.#store.count({}).catch(() => Infinity);
    return count > mostBooks ? undefined : this.#readBlocks(allIds);
  }

  /** The blocks as they were, but read anew where they hold one of these ids. */
  async #readAgain(before: readonly Block[], ids: readonly IdRange[]): Promise<readonly Block[] | undefined> {
    const blocks: Block[] = [];
    for (const [i, block] of before.entries()) {
      const last = (before[i + 1]?.first ?? Infinity) - 1;
      const isSame = ids.every((range) => range.last < block.first || range.first > last);
      const range = { first: block.first, last: Math.min(last, allIds.last) };
      const read = isSame ? [block] : await this.#readBlocks(range);
      if (read === undefined) return undefined;
      blocks.push(...read);
    }
    return blocks;
  }

  /** The blocks of a range, the first of which begins with it; `undefined` if they are too long. */
  async #readBlocks(range: IdRange): Promise<readonly Block[] | undefined> {
    const blocks: Block[] = [];
    let length = 0;
    for await (const page of this.#store.list(range)) {
      await longWork.run(() => {
        for (let start = 0; start < page.length; start += booksInBlock) {
          const books = page.slice(start, start + booksInBlock);
          const bytes = Buffer.from(`,${JSON.stringify(books).slice(1, -1)}`);
          blocks.push({ first: blocks.length === 0 ? range.first : (books[0]?.id ?? 0), bytes });
          length += bytes.length;
        }
      });
      if (length > mostBytes) return undefined;
    }
    return blocks.length === 0 ? [{ first: range.first, bytes: new Uint8Array() }] : blocks;
  }
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function toArray(blocks: readonly Block[]): JsonText {
  const [first, ...others] = blocks.map(({ bytes }) => bytes).filter(({ length }) => length > 0);
  return first === undefined ? new JsonText('[]') : new JsonText('[', first.subarray(1), ...others, ']');
}
