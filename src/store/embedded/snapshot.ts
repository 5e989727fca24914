import type { Transaction } from 'lmdb';
import type { Book } from '../../book.ts';
import { isWholeKey, textKey, type Position } from '../../query/position.ts';
import type { Condition } from '../../query/query.ts';
import type { Databases } from './databases.ts';
import { decodeBook } from './record.ts';
import { BookSet, decodeIds, segmentOf } from './segment.ts';
import { lastTerm, manyWords, wordKey } from './terms.ts';
import type { Work } from './work.ts';
import { walk } from './walk.ts';

/** The books of a segment that may fit a condition; all of them do, if it is exact. */
export interface Candidates {
  /** Ascending. */
  readonly ids: readonly number[];
  readonly isExact: boolean;
}

/** The books and their index as they were at one moment. */
export class Snapshot {
  /** The highest id in the index. */
  readonly upTo: number;
  /** How many books it knows. */
  readonly indexedBooks: number;
  /** Ascending. */
  readonly segments: readonly number[];
  /** The books that were changed or removed since the index took them in, by segment. */
  readonly changed: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #databases: Databases;
  readonly #at: { readonly transaction: Transaction };

  /** Reads what the index does not know any more, which may be much while much is written. */
  static *open(databases: Databases, transaction: Transaction): Work<Snapshot> {
    const changed = new Map<number, Set<number>>();
    for (const id of databases.changed.getKeys({ transaction })) {
      const segment = segmentOf(id);
      changed.set(segment, (changed.get(segment) ?? new Set()).add(id));
      yield;
    }
    return new Snapshot(databases, transaction, changed);
  }

  private constructor(
    databases: Databases,
    transaction: Transaction,
    changed: ReadonlyMap<number, ReadonlySet<number>>,
  ) {
    this.#databases = databases;
    this.#at = { transaction };
    this.changed = changed;
    const { upTo, books, segments } = databases.meta.indexed(this.#at);
    this.upTo = upTo;
    this.indexedBooks = books;
    this.segments = segments;
  }

  get(id: number): Book | undefined {
    const text = this.#databases.books.get(id, this.#at);
    return text === undefined ? undefined : decodeBook(id, text);
  }

  /** The books from an id on, in either direction. */
  *books(range: { start?: number; reverse?: boolean }): Generator<Book> {
    for (const { key, value } of this.#databases.books.getRange({ ...range, ...this.#at })) {
      const book = decodeBook(key, value);
      if (book !== undefined) yield book;
    }
  }

  /** The books that the index does not know, or not as they are. */
  *rest(): Generator<Book> {
    for (const ids of this.changed.values()) {
      for (const id of ids) {
        const book = this.get(id);
        if (book !== undefined) yield book;
      }
    }
    yield* this.books({ start: this.upTo + 1 });
  }

  /** What the index knows of a segment; books that were changed since are left out. */
  *candidates(segment: number, { words, title, author, yearFrom, yearTo }: Condition): Work<Candidates> {
    const many = words.length > 0 ? this.#union(segment, 'word', manyWords) : undefined;
    let isExact = many === undefined || many.isEmpty;
    let set: BookSet | undefined;
    const narrow = (next: BookSet) => {
      set?.intersect(next);
      set ??= next;
    };
    for (const [kind, text] of [['title', title] as const, ['author', author] as const]) {
      if (text === undefined) continue;
      const key = textKey(text);
      isExact &&= isWholeKey(key);
      narrow(this.#union(segment, kind, key));
    }
    for (const word of words) {
      const key = wordKey(word);
      isExact &&= key === word;
      if (set?.isEmpty === true) break;
      const found = this.#union(segment, 'word', key, key + lastTerm);
      if (many !== undefined) found.unite(many);
      narrow(found);
      yield;
    }
    if (set === undefined || yearFrom > Number.MIN_SAFE_INTEGER || yearTo < Number.MAX_SAFE_INTEGER)
      narrow(this.#union(segment, 'year', yearFrom, yearTo + 1));
    const found = set ?? new BookSet(segment);
    for (const id of this.changed.get(segment) ?? []) found.remove(id);
    return { ids: found.ids, isExact };
  }

  /** The books of one term, or of those from `from` up to `to`, which is left out. */
  #union(segment: number, kind: string, from: string | number, to?: string | number): BookSet {
    const set = new BookSet(segment);
    const { index } = this.#databases;
    const add = (bytes: Buffer) => {
      for (const id of decodeIds(segment, bytes)) set.add(id);
    };
    if (to === undefined) {
      const bytes = index.get([segment, kind, from], this.#at);
      if (bytes !== undefined) add(bytes);
    } else {
      const range = { start: [segment, kind, from], end: [segment, kind, to] };
      for (const { value } of index.getRange({ ...range, ...this.#at })) add(value);
    }
    return set;
  }

  /** The ids in the index in the order of a condition, which is not that of ids, from behind a position. */
  *walk(condition: Condition, after: Position | undefined): Generator<number> {
    const { index } = this.#databases;
    for (const id of walk(index, this.#at.transaction, this.segments, condition, after))
      if (this.changed.get(segmentOf(id))?.has(id) !== true) yield id;
  }
}
