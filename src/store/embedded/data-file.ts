import { open, type FileHandle } from 'node:fs/promises';

/** Where an LMDB meta page has what is read here (lmdb.h and mdb.c of the fork that lmdb-js builds). */
const meta = { magic: 24, pageSize: 48, freeRoot: 88, lastPage: 144, writes: 152, length: 160 };
const magicNumber = 0xbeefc0de;

/** The same of any other page, and of the entries on it. */
const page = { flags: 18, keysEnd: 20, header: 24, isBranch: 1, isLeaf: 2 };
const entry = { flags: 4, keyLength: 6, header: 8, isElsewhere: 1 };
const noPage = 0xffff_ffff_ffff_ffffn;
/** Of a tree in LMDB. */
const maxDepth = 32;

/** One state of the whole store. */
interface Snapshot {
  readonly writes: bigint;
  readonly pageSize: number;
  readonly lastPage: number;
  /** The root of the tree that lists the free pages. */
  readonly freeRoot: bigint;
}

/**
 * Looks at an LMDB data file before LMDB maps it into memory, where a page that is not there ends the process. A whole
 * one may be shorter than its last page: what is free at the end need never have been written.
 */
export async function inspectDataFile(file: string): Promise<'whole' | 'foreign' | 'cut off'> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).size === 0) return 'whole'; // Made by an open that was cut off before it wrote anything.
    for (let before: bigint | undefined; ;) {
      const snapshot = await readSnapshot(handle);
      if (snapshot === undefined) return 'foreign';
      if (await isWhole(handle, snapshot)) return 'whole';
      // Another process may have written over what was being read; then there is a newer snapshot.
      if (snapshot.writes === before) return 'cut off';
      before = snapshot.writes;
    }
  } finally {
    await handle.close();
  }
}

/** The newest of the two snapshots that a file holds. */
async function readSnapshot(handle: FileHandle): Promise<Snapshot | undefined> {
  const first = await read(handle, 0, meta.length);
  if (first?.readUInt32LE(meta.magic) !== magicNumber) return undefined;
  const pageSize = first.readUInt32LE(meta.pageSize);
  if (pageSize < meta.length || pageSize > 2 ** 16) return undefined;
  const second = await read(handle, pageSize, meta.length);
  const [one, other] = [first, second ?? first].map((bytes) => ({
    writes: bytes.readBigUInt64LE(meta.writes),
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(meta.lastPage)),
    freeRoot: bytes.readBigUInt64LE(meta.freeRoot),
  }));
  return one && other && one.writes > other.writes ? one : other;
}

async function isWhole(handle: FileHandle, { pageSize, lastPage, freeRoot }: Snapshot): Promise<boolean> {
  const { size } = await handle.stat();
  let missing = lastPage + 1 - Math.floor(size / pageSize);
  if (missing <= 0) return true;
  const firstMissing = lastPage + 1 - missing;
  try {
    for await (const [start, length] of readFree(handle, pageSize, freeRoot))
      missing -= Math.max(0, start + length - Math.max(start, firstMissing));
  } catch (error) {
    if (error instanceof RangeError) return false; // The list itself is cut off, or noise.
    throw error;
  }
  return missing === 0;
}

/** The free pages of a snapshot, as runs. @throws {RangeError} The list is not there. */
async function* readFree(
  handle: FileHandle,
  pageSize: number,
  number: bigint,
  depth = 0,
): AsyncGenerator<[start: number, length: number]> {
  if (number === noPage) return;
  if (depth > maxDepth) throw new RangeError('no tree');
  const bytes = await readAt(handle, pageSize, number, pageSize);
  const flags = bytes.readUInt16LE(page.flags);
  if ((flags & (page.isBranch | page.isLeaf)) === 0) throw new RangeError('no page of a tree');
  for (let i = 0; i < bytes.readUInt16LE(page.keysEnd) / 2; i++) {
    const at = page.header + bytes.readUInt16LE(page.header + i * 2);
    const low = bytes.readUInt32LE(at);
    const entryFlags = bytes.readUInt16LE(at + entry.flags);
    if ((flags & page.isBranch) !== 0) {
      yield* readFree(handle, pageSize, BigInt(low) | (BigInt(entryFlags) << 32n), depth + 1);
    } else {
      const start = at + entry.header + bytes.readUInt16LE(at + entry.keyLength);
      yield* runsOf(
        (entryFlags & entry.isElsewhere) === 0
          ? bytes.subarray(start, start + low)
          : (await readAt(handle, pageSize, bytes.readBigUInt64LE(start), page.header + low)).subarray(
              page.header,
            ),
      );
    }
  }
}

/** A list of pages: their count, then each of them; or minus the length of a run, and its first page; 0 is nothing. */
function* runsOf(list: Buffer): Generator<[start: number, length: number]> {
  const count = Number(list.readBigInt64LE(0));
  for (let i = 1; i <= count; i++) {
    const number = Number(list.readBigInt64LE(i * 8));
    if (number > 0) yield [number, 1];
    else if (number < 0) yield [Number(list.readBigInt64LE(++i * 8)), -number];
  }
}

async function readAt(handle: FileHandle, pageSize: number, number: bigint, length: number): Promise<Buffer> {
  const bytes = await read(handle, Number(number) * pageSize, length);
  if (bytes === undefined) throw new RangeError('no such page');
  return bytes;
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  return bytesRead === length ? bytes : undefined;
}
