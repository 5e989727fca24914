import { hash } from 'node:crypto';
import type { Book } from '../../catalogue/book.ts';
import {
  areDuplicates,
  sameKey,
  spellBook,
  type BookSpelling,
  type DuplicateLevel,
  withoutSpaces,
} from '../../catalogue/duplicates.ts';
import { indexedTexts } from '../../catalogue/fields.ts';
import { DisjointSets } from '../../lib/grouping/disjoint-sets.ts';
import { HashGroups } from '../../lib/grouping/hash-groups.ts';
import { hashText, visitDeletions } from '../../lib/grouping/text-hash.ts';
import { longWork, visitInSlices } from '../../lib/time-slices.ts';
import type { BookStore } from '../../store/contract/store.ts';

/** The maximum number of books in memory. More are compared in several parts, each of which reads all books. */
const maxBooksPerPart = 500_000;
/** The maximum number of books of one part. More have the same author, or the same title: the newest are not compared. */
const maxRows = 1_000_000;
/** The maximum number of hashes in memory. More are compared in several rounds. */
const maxHashes = 8_000_000;
/** Longer texts are compared as a whole, without typing errors. */
const maxTypoLength = 500;
/** If more texts than this differ in the same place, they are a series. */
const maxAlike = 20;

/** A book in memory. Long texts are replaced by their hashes. */
interface Row extends BookSpelling {
  readonly id: number;
}

/**
 * Finds the groups of duplicates in a store: ids in ascending order, and groups in the order of their first ids. A book is in
 * at most one group: with its duplicates, and with theirs. Books may change meanwhile, so the caller checks the groups.
 *
 * Reads all books and compares their hashes, in pieces of {@link longWork}. Takes bounded memory.
 *
 * @throws {ShelflistError} As the store does; and the signal's reason when it is aborted.
 */
export async function findDuplicates(
  store: BookStore,
  level: DuplicateLevel,
  signal: AbortSignal,
  maxBooks = maxBooksPerPart,
): Promise<number[][]> {
  const parts = Math.ceil((await store.count({}, signal)) / maxBooks) || 1;
  const sets = new DisjointSets();
  // A typing error is in one text, and the other texts are equal: they say in which part the books are compared.
  for (const field of level === 'typo' ? indexedTexts.keys() : [-1]) {
    for (let part = 0; part < parts; part++) {
      const isInPart = (row: Row) => parts === 1 || hashOthers(row, field) % parts === part;
      const rows = await readRows(store, isInPart, signal);
      const different = await joinCopies(rows, level, sets, signal);
      if (level === 'typo') await joinTypos(different, field, sets, signal);
    }
  }
  return sets.toArrays();
}

async function readRows(
  store: BookStore,
  isWanted: (row: Row) => boolean,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  const pages = store.list()[Symbol.asyncIterator]();
  try {
    for (;;) {
      // The synchronous work of a store counts like any other.
      const page = await longWork.run(() => pages.next(), signal);
      if (page.done === true) return rows;
      await visitInSlices(page.value, (book) => {
        const row = toRow(book);
        if (rows.length < maxRows && isWanted(row)) rows.push(row);
      });
    }
  } finally {
    await pages.return?.();
  }
}

function toRow(book: Book): Row {
  const { texts, integers } = spellBook(book);
  return { id: book.id, texts: texts.map(shorten), integers };
}

function shorten(text: string): string {
  return text.length <= maxTypoLength ? text : hash('sha256', withoutSpaces(text), 'hex');
}

/** The hash of all texts of a book but one. */
function hashOthers({ texts }: Row, field: number): number {
  return texts.reduce((seed, text, i) => (i === field ? seed : hashText(withoutSpaces(text), seed)), 0);
}

/** Joins the books with equal keys; returns the first book of each key. */
async function joinCopies(
  rows: readonly Row[],
  level: DuplicateLevel,
  sets: DisjointSets,
  signal: AbortSignal,
): Promise<Row[]> {
  const keyOf = ({ texts, integers }: Row) => sameKey(level === 'year' ? { texts } : { texts, integers });
  const groups = new HashGroups();
  await visitInSlices(rows.entries(), ([i, row]) => {
    groups.add(hashOthers(row, -1), i);
  });
  const copies = new Set<Row>();
  for (const some of groups.groups()) {
    signal.throwIfAborted();
    const firsts = new Map<string, Row>();
    await visitInSlices(rowsOf(some.flat(), rows), (row) => {
      const key = keyOf(row);
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, row);
      else {
        sets.join(first.id, row.id);
        copies.add(row);
      }
    });
  }
  return rows.filter((row) => !copies.has(row));
}

/** Joins the books that differ by a typing error in one text. */
async function joinTypos(
  rows: readonly Row[],
  field: number,
  sets: DisjointSets,
  signal: AbortSignal,
): Promise<void> {
  const rounds = Math.ceil(
    rows.reduce((sum, { texts }) => sum + (texts[field]?.length ?? 0) + 2, 0) / maxHashes,
  );
  for (let round = 0; round < rounds; round++) {
    const groups = new HashGroups();
    await visitInSlices(rows.entries(), ([i, row]) => {
      visitHashes(row, field, (hash) => {
        if (hash % rounds === round) groups.add(hash, i);
      });
    });
    for (const some of groups.groups()) {
      signal.throwIfAborted();
      await visitInSlices(some, (group) => {
        if (group.length > maxAlike) return;
        const alike = [...rowsOf(group, rows)];
        for (const [i, row] of alike.entries())
          for (const other of alike.slice(i + 1))
            if (areDuplicates('typo', row, other)) sets.join(row.id, other.id);
      });
    }
  }
}

const digit = /\p{Nd}/u;

/** Visits hashes of which two books share one if they differ by a typing error in this text. */
function visitHashes(row: Row, field: number, visit: (hash: number) => void): void {
  const text = row.texts[field] ?? '';
  const seed = hashOthers(row, field);
  const whole = withoutSpaces(text);
  visit(hashText(text, seed));
  if (whole !== text) visit(hashText(whole, seed));
  visitDeletions(text, seed, (hash, at) => {
    // Different numbers are not typing errors.
    if (!digit.test(text.charAt(at))) visit(hash);
  });
}

function* rowsOf(items: readonly number[], rows: readonly Row[]): Generator<Row> {
  for (const item of items) {
    const row = rows[item];
    if (row !== undefined) yield row;
  }
}
