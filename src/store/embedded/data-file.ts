import { open, type FileHandle } from 'node:fs/promises';
import { Damage, Pages } from './pages.ts';
import { checkTree, readFree, readTree, type Tree } from './tree.ts';
import { run, type Work } from './work.ts';

/** Where an LMDB meta page has what is read here (lmdb.h and mdb.c of the fork that lmdb-js builds). */
const meta = {
  magic: 24,
  version: 28,
  pageSize: 48,
  flags: 52,
  freeTree: 48,
  mainTree: 96,
  lastPage: 144,
  writes: 152,
  length: 160,
};
const magicNumber = 0xbeefc0de;
const dataVersion = 2;
/** A flag of the whole file. */
const isEncrypted = 0x2000;

/** One state of the whole store. */
interface Snapshot {
  readonly writes: bigint;
  readonly pageSize: number;
  readonly lastPage: number;
  /** Lists the free pages. */
  readonly freeTree: Tree;
  /** Has the databases. */
  readonly mainTree: Tree;
}

/** `damaged`: a page of it is not what it was. */
export type DataFileState = 'whole' | 'foreign' | 'cut off' | 'damaged';

/** With so many new states meanwhile, others write to the file all the time: they have looked at it when they began. */
const maxLooks = 3;

/** LMDB writes to a new file at once. */
const newMs = 10_000;

/**
 * Looks at an LMDB data file, page by page, before LMDB maps it into memory, where a page that is not there, or is noise, ends
 * the process. A whole file may be shorter than its last page: what is free at the end need never have been written.
 */
export async function inspectDataFile(file: string): Promise<DataFileState> {
  const handle = await open(file, 'r');
  try {
    const { size, birthtimeMs, mtimeMs } = await handle.stat();
    // Made by an open that was cut off before it wrote anything; one that was emptied later had something in it.
    if (size === 0) return Math.abs(mtimeMs - birthtimeMs) < newMs ? 'whole' : 'cut off';
    let before: bigint | undefined;
    for (let look = 0; look < maxLooks; look++) {
      const snapshot = await readSnapshot(handle);
      if (snapshot === undefined) return 'foreign';
      const state = await run(inspectSnapshot(handle.fd, snapshot));
      // Another process may have written over what was being read; then there is a newer snapshot.
      if (state === 'whole' || snapshot.writes === before) return state;
      before = snapshot.writes;
    }
    return 'whole';
  } finally {
    await handle.close();
  }
}

/** The newest of the two snapshots that a file holds. */
async function readSnapshot(handle: FileHandle): Promise<Snapshot | undefined> {
  const first = await read(handle, 0);
  if (first === undefined || !isMeta(first)) return undefined;
  const pageSize = first.readUInt32LE(meta.pageSize);
  if (pageSize < meta.length || pageSize > 2 ** 16) return undefined;
  const second = await read(handle, pageSize);
  if (second !== undefined && !isMeta(second)) return undefined;
  if (second !== undefined && second.readUInt32LE(meta.pageSize) !== pageSize) return undefined;
  const [one, other] = [first, second ?? first].map((bytes) => ({
    writes: bytes.readBigUInt64LE(meta.writes),
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(meta.lastPage)),
    freeTree: readTree(bytes, meta.freeTree),
    mainTree: readTree(bytes, meta.mainTree),
  }));
  return one && other && one.writes > other.writes ? one : other;
}

/** LMDB refuses another version, too, and what is encrypted, but lmdb-js does not survive that. */
function isMeta(bytes: Buffer): boolean {
  return (
    bytes.readUInt32LE(meta.magic) === magicNumber &&
    bytes.readUInt16LE(meta.version) === dataVersion &&
    (bytes.readUInt16LE(meta.flags) & isEncrypted) === 0
  );
}

function* inspectSnapshot(descriptor: number, snapshot: Snapshot): Work<DataFileState> {
  const pages = new Pages(descriptor, snapshot);
  try {
    if (yield* isCutOff(pages, snapshot)) return 'cut off';
    yield* checkTree(pages, snapshot.mainTree);
    return 'whole';
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    return pages.missing > 0 ? 'cut off' : 'damaged';
  }
}

/** Whether a page is missing that is not free. @throws {Damage} */
function* isCutOff(pages: Pages, { lastPage, freeTree }: Snapshot): Work<boolean> {
  let { missing } = pages;
  const firstMissing = lastPage + 1 - missing;
  yield* readFree(pages, freeTree, (start, length) => {
    pages.takeFree(start, length);
    missing -= Math.max(0, start + length - Math.max(start, firstMissing));
  });
  return missing > 0;
}

async function read(handle: FileHandle, position: number): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(meta.length);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, position);
  return bytesRead === bytes.length ? bytes : undefined;
}
