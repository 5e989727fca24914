import { fstatSync, readSync } from 'node:fs';

/**
 * What stands where in a page (lmdb.h and mdb.c of the fork that lmdb-js builds). On a page of a tree the places of its
 * entries follow the head, and are counted from there.
 */
const at = { number: 0, writes: 8, flags: 18, keysEnd: 20, freeEnd: 22, run: 20, head: 24 };
const kinds = { branch: 0x01, leaf: 0x02, overflow: 0x04 };
const entry = { high: 2, flags: 4, keyLength: 6, head: 8 };

/** What a page or a tree must be and is not. */
export class Damage extends Error {}

/** Where an entry of a tree is, on its page. */
export interface Entry {
  readonly flags: number;
  /** Of the value, or of what stands in its place. */
  readonly start: number;
  /** Of the value, wherever it is. */
  readonly length: number;
}

/** On a leaf, in place of the value, there is the number of the page where it begins. */
export const isElsewhere = 0x01;
/** One key has several values: in no tree of a store. */
const isSeveral = 0x04;

/**
 * The pages of a data file, as far as one snapshot goes. They are read at once: a page takes less time than a turn of the
 * event loop.
 */
export class Pages {
  readonly #descriptor: number;
  readonly #size: number;
  readonly #last: number;
  readonly #writes: bigint;
  readonly #bytes: Buffer[] = [];
  /** A bit for each page of the file: whether it is known what it is for. */
  readonly #taken: Uint8Array;

  /** @param snapshot `writes`: how many there were when it was made. */
  constructor(
    descriptor: number,
    { pageSize, lastPage, writes }: { pageSize: number; lastPage: number; writes: bigint },
  ) {
    this.#descriptor = descriptor;
    this.#size = pageSize;
    this.#last = lastPage;
    this.#writes = writes;
    this.#taken = new Uint8Array(Math.ceil((lastPage + 1 - this.missing) / 8));
  }

  /** How many pages are missing at the end. Those that are free there were perhaps never written. */
  get missing(): number {
    return Math.max(0, this.#last + 1 - Math.floor(fstatSync(this.#descriptor).size / this.#size));
  }

  /** Notes that pages are free. @throws {Damage} They are in use: LMDB would write over them. */
  takeFree(start: number, length: number): void {
    this.#take(start, length);
  }

  /**
   * A page of a tree, as far as it can be used: until another one at this height is read.
   *
   * @param height 1 is a leaf.
   * @throws {Damage}
   */
  readTreePage(number: bigint, height: number): TreePage {
    const bytes = (this.#bytes[height] ??= Buffer.alloc(this.#size));
    this.#readInto(bytes, number);
    this.#take(Number(number), 1);
    const isLeaf = height === 1;
    if (kindOf(bytes) !== (isLeaf ? kinds.leaf : kinds.branch)) throw new Damage('no page of a tree');
    return new TreePage(bytes, isLeaf);
  }

  /** Looks at a long value, which has pages of its own. @throws {Damage} */
  checkOverflow(number: bigint, length: number): void {
    const head = Buffer.alloc(at.head);
    this.#readInto(head, number);
    // What took the place of a longer value, in the same write, has all of that one's pages.
    const count = head.readUInt32LE(at.run);
    if (kindOf(head) !== kinds.overflow || at.head + length > count * this.#size)
      throw new Damage('no long value');
    this.#take(Number(number), count);
  }

  /** A long value. @throws {Damage} */
  readOverflow(number: bigint, length: number): Buffer {
    this.checkOverflow(number, length);
    const bytes = Buffer.alloc(at.head + length);
    this.#readInto(bytes, number);
    return bytes.subarray(at.head);
  }

  /** No page is for two things; where one was damaged, pages may go round in circles. Those past the end were never written. */
  #take(start: number, length: number): void {
    if (start < 2 || start + length > this.#last + 1) throw new Damage('no such page');
    const end = Math.min(start + length, this.#taken.length * 8);
    for (let page = start; page < end; page++) {
      const [place, bit] = [page >> 3, 1 << (page & 7)];
      const taken = this.#taken[place] ?? 0;
      if ((taken & bit) !== 0) throw new Damage('a page is for two things');
      this.#taken[place] = taken | bit;
    }
  }

  #readInto(bytes: Buffer, number: bigint): void {
    if (number < 2n || number > this.#last) throw new Damage('no such page');
    const { length } = bytes;
    if (readSync(this.#descriptor, bytes, 0, length, Number(number) * this.#size) < length)
      throw new Damage('a page is missing');
    if (bytes.readBigUInt64LE(at.number) !== number) throw new Damage('a page is another one');
    // LMDB takes it for one that the write under way has made, and writes where the map is read-only.
    if (bytes.readBigUInt64LE(at.writes) > this.#writes) throw new Damage('a page is of the future');
  }
}

function kindOf(page: Buffer): number {
  return page.readUInt16LE(at.flags);
}

/** A page of a tree, whose entries lie where they may. */
export class TreePage {
  readonly bytes: Buffer;
  /** How many entries it has. */
  readonly count: number;
  readonly #isLeaf: boolean;
  readonly #freeEnd: number;

  constructor(bytes: Buffer, isLeaf: boolean) {
    this.bytes = bytes;
    this.#isLeaf = isLeaf;
    const keysEnd = bytes.readUInt16LE(at.keysEnd);
    this.#freeEnd = bytes.readUInt16LE(at.freeEnd);
    this.count = keysEnd / 2;
    if (keysEnd === 0 || keysEnd % 2 > 0 || keysEnd > this.#freeEnd || at.head + this.#freeEnd > bytes.length)
      throw new Damage('a page is in disorder');
  }

  /** The page that a branch names. @throws {Damage} */
  child(index: number): bigint {
    const place = this.#place(index);
    const low = BigInt(this.bytes.readUInt32LE(place));
    return low | (BigInt(this.bytes.readUInt16LE(place + entry.flags)) << 32n);
  }

  /** What a leaf has. @throws {Damage} */
  entry(index: number): Entry {
    const place = this.#place(index);
    const flags = this.bytes.readUInt16LE(place + entry.flags);
    if ((flags & isSeveral) !== 0) throw new Damage('an entry of another kind');
    const start = place + entry.head + this.bytes.readUInt16LE(place + entry.keyLength);
    const length = this.bytes.readUInt32LE(place);
    if (start + ((flags & isElsewhere) === 0 ? length : 8) > this.bytes.length) throw outside();
    return { flags, start, length };
  }

  #place(index: number): number {
    const { bytes } = this;
    const offset = bytes.readUInt16LE(at.head + index * 2);
    const place = at.head + offset;
    if (offset < this.#freeEnd || place + entry.head > bytes.length) throw outside();
    if (!this.#isLeaf && place + entry.head + bytes.readUInt16LE(place + entry.keyLength) > bytes.length)
      throw outside();
    return place;
  }
}

function outside(): Damage {
  return new Damage('an entry is outside of its page');
}
