import type { Book } from '../../book.ts';
import { decodeBook } from './record.ts';
import { hasKeys, type Databases, type IndexKey } from './databases.ts';
import { changeIds, segmentOf } from './segment.ts';
import { termsOf } from './terms.ts';

/** A step takes about so many terms: a few milliseconds in which nobody else gets a turn. */
const termsAtOnce = 1500;

/** So many characters of a book take as long to read as a term takes to be written. */
const charactersPerTerm = 500;

/** What a step will write of one term in one segment. */
interface Change {
  readonly key: IndexKey;
  readonly added: number[];
  readonly removed: number[];
}

/**
 * Brings the index up to date. Every function here runs inside a write transaction, so that the index is what it says
 * it is at any moment, whoever else writes.
 */
export class IndexWriter {
  readonly #databases: Databases;

  constructor(databases: Databases) {
    this.#databases = databases;
  }

  /** A book is about to be changed or removed: what the index knows of it is kept, to be taken out later. */
  noteChange(id: number, text: string): void {
    const { changed, meta } = this.#databases;
    if (id <= meta.indexedTo && changed.get(id) === undefined) changed.putSync(id, text);
  }

  /** Whether there is nothing to do; may be asked outside of a transaction. */
  get isUpToDate(): boolean {
    const { changed, books, meta } = this.#databases;
    return !hasKeys(changed, {}) && !hasKeys(books, { start: meta.indexed().upTo + 1 });
  }

  /**
   * Takes the next changed or new books into the index; gives how many there were, 0 when it is up to date. It reads
   * first and writes then: a callback of lmdb-js that throws takes back nothing.
   */
  step(): number {
    const { changed, books, meta } = this.#databases;
    const changes = new Changes();
    const before = meta.indexed();
    let { upTo, books: count } = before;
    const done: number[] = [];
    for (const { key: id, value: text } of changed.getRange()) {
      changes.collect(decodeBook(id, text), 'removed');
      const now = books.get(id);
      if (now === undefined) count--;
      else changes.collect(decodeBook(id, now), 'added');
      done.push(id);
      if (changes.terms >= termsAtOnce) break;
    }
    let added = 0;
    for (const { key: id, value: text } of books.getRange({ start: upTo + 1 })) {
      if (changes.terms >= termsAtOnce) break;
      changes.collect(decodeBook(id, text), 'added');
      upTo = id;
      count++;
      added++;
    }
    if (done.length + added === 0) return 0;
    this.#write(changes.all);
    for (const id of done) changed.removeSync(id);
    const touched = [...changes.all].map(({ key: [segment] }) => segment);
    meta.setIndexed({ upTo, books: count, segments: this.#segments(before.segments, touched) });
    // An id in the index is never given again, even if its book, put there by somebody else, goes before the next create.
    if (upTo > meta.lastId) meta.lastId = upTo;
    return done.length + added;
  }

  #write(changes: Iterable<Change>): void {
    const { index } = this.#databases;
    const entries = [...changes].map((change): [IndexKey, Buffer | undefined] => {
      const { key } = change;
      return [key, changeIds(key[0], index.get(key), change)];
    });
    for (const [key, ids] of entries) {
      if (ids === undefined) index.removeSync(key);
      else index.putSync(key, ids);
    }
  }

  /** The segments that have terms now, of those that had some and those that a step has touched. */
  #segments(before: readonly number[], touched: readonly number[]): number[] {
    const { index } = this.#databases;
    const segments = new Set(before);
    for (const segment of new Set(touched)) {
      if (hasKeys(index, { start: [segment], end: [segment + 1] })) segments.add(segment);
      else segments.delete(segment);
    }
    return [...segments].sort((a, b) => a - b);
  }

  /** Whether books were put there or taken away past the store, by somebody who does not know the index. */
  isForeign(): boolean {
    const { changed, books, meta, bookCount } = this.#databases;
    const indexed = meta.readIndexed();
    if (indexed === undefined) return true;
    let expected = indexed.books + books.getKeysCount({ start: indexed.upTo + 1 });
    for (const id of changed.getKeys()) if (!books.doesExist(id)) expected--;
    return expected !== bookCount;
  }

  /** Forgets all; the steps that follow begin with the first book. */
  clear(): void {
    const { changed, index, meta } = this.#databases;
    index.clearSync();
    changed.clearSync();
    meta.setIndexed({ upTo: 0, books: 0, segments: [] });
  }
}

/** What a step will write. */
class Changes {
  readonly #changes = new Map<string, Change>();
  terms = 0;

  get all(): Iterable<Change> {
    return this.#changes.values();
  }

  collect(book: Book | undefined, what: 'added' | 'removed'): void {
    this.terms++;
    if (book === undefined) return; // What is no book is found by nobody.
    this.terms += Math.floor((book.title.length + book.author.length) / charactersPerTerm);
    const segment = segmentOf(book.id);
    for (const term of termsOf(book)) {
      const name = `${segment} ${term[0]} ${term[1]}`;
      let change = this.#changes.get(name);
      if (change === undefined) {
        change = { key: [segment, ...term], added: [], removed: [] };
        this.#changes.set(name, change);
      }
      change[what].push(book.id);
      this.terms++;
    }
  }
}
