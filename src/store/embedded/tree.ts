import { Damage, isElsewhere, type Entry, type Pages } from './pages.ts';
import type { Work } from './work.ts';

/** Where a tree is, and how large, as its parent has it: a meta page, or an entry of the main tree. */
export interface Tree {
  readonly depth: number;
  readonly flags: number;
  readonly entries: number;
  readonly root: bigint;
}

/** What stands where in that. */
const record = { flags: 4, depth: 6, entries: 32, root: 40, length: 48 };
const noPage = 0xffff_ffff_ffff_ffffn;
/** Of a tree in LMDB. */
const maxDepth = 32;
/** The value of an entry is a tree. */
const isTree = 0x02;
/** Of a tree: a key may have several values. In a store none has. */
const hasSeveral = 0x04;

/** @throws {RangeError} The bytes end before it does. */
export function readTree(bytes: Buffer, start: number): Tree {
  return {
    depth: bytes.readUInt16LE(start + record.depth),
    flags: bytes.readUInt16LE(start + record.flags),
    entries: Number(bytes.readBigUInt64LE(start + record.entries)),
    root: bytes.readBigUInt64LE(start + record.root),
  };
}

type Visit = (bytes: Buffer, entry: Entry) => void;

/** Looks at every page and every entry of a tree. @throws {Damage} */
export function* walkTree(pages: Pages, { depth, flags, entries, root }: Tree, visit: Visit): Work<void> {
  let found = 0;
  function* walk(number: bigint, height: number): Work<void> {
    yield;
    const page = pages.readTreePage(number, height);
    if (height === 1) {
      found += page.count;
      for (let i = 0; i < page.count; i++) visit(page.bytes, page.entry(i));
    } else {
      for (let i = 0; i < page.count; i++) yield* walk(page.child(i), height - 1);
    }
  }
  if ((flags & hasSeveral) !== 0) throw new Damage('no tree');
  if (root !== noPage) {
    if (depth < 1 || depth > maxDepth) throw new Damage('no tree');
    yield* walk(root, depth);
  }
  if (found !== entries) throw new Damage(`a tree has ${found} entries, and not ${entries}`);
}

/** Looks at a tree of values, and at the trees that are values of it. @throws {Damage} */
export function* checkTree(pages: Pages, tree: Tree): Work<void> {
  const trees: Tree[] = [];
  yield* walkTree(pages, tree, (bytes, { flags, start, length }) => {
    if ((flags & isElsewhere) !== 0) pages.checkOverflow(bytes.readBigUInt64LE(start), length);
    if ((flags & isTree) === 0) return;
    if (length !== record.length) throw new Damage('no tree');
    trees.push(readTree(bytes, start));
  });
  for (const each of trees) yield* checkTree(pages, each);
}

/** Finds the free pages, in runs: the tree that lists them has no other values. @throws {Damage} */
export function readFree(
  pages: Pages,
  tree: Tree,
  visit: (start: number, length: number) => void,
): Work<void> {
  return walkTree(pages, tree, (bytes, { flags, start, length }) => {
    const list =
      (flags & isElsewhere) === 0
        ? bytes.subarray(start, start + length)
        : pages.readOverflow(bytes.readBigUInt64LE(start), length);
    readRuns(list, visit);
  });
}

/** A list of pages: their count, then each of them; or minus the length of a run, and its first page; 0 is nothing. */
function readRuns(list: Buffer, visit: (start: number, length: number) => void): void {
  if (list.length < 8) throw new Damage('no list of pages');
  const count = Number(list.readBigInt64LE(0));
  if (count < 0 || (count + 1) * 8 > list.length) throw new Damage('no list of pages');
  for (let i = 1; i <= count; i++) {
    const number = Number(list.readBigInt64LE(i * 8));
    if (number > 0) visit(number, 1);
    else if (number < 0 && i < count) visit(Number(list.readBigInt64LE(++i * 8)), -number);
  }
}
