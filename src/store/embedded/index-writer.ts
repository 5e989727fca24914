import type { Book } from '../../book.ts';
import { decodeBook } from './record.ts';
import type { EmbeddedEnvironment, IndexKey } from './environment.ts';
import { changeIds, segmentOf } from './segment.ts';
import { termsOf } from './terms.ts';

/** Books that one step takes at the most: a few milliseconds in which nobody else gets a turn. */
const booksAtOnce = 250;

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
  readonly #environment: EmbeddedEnvironment;

  constructor(environment: EmbeddedEnvironment) {
    this.#environment = environment;
  }

  /** A book is about to be changed or removed: what the index knows of it is kept, to be taken out later. */
  noteChange(id: number, text: string): void {
    const { changed, meta } = this.#environment;
    if (id <= meta.indexed().upTo && changed.get(id) === undefined) changed.putSync(id, text);
  }

  /** Whether there is nothing to do; may be asked outside of a transaction. */
  get isUpToDate(): boolean {
    const { changed, books, meta } = this.#environment;
    const next = { start: meta.indexed().upTo + 1, limit: 1 };
    return changed.getKeysCount({ limit: 1 }) === 0 && books.getKeysCount(next) === 0;
  }

  /** Takes the next changed or new books into the index; gives how many there were, 0 when it is up to date. */
  step(): number {
    const { changed, books, meta } = this.#environment;
    const changes = new Map<string, Change>();
    const indexed = meta.indexed();
    let { upTo, books: count } = indexed;
    let work = 0;
    for (const { key: id, value: text } of [...changed.getRange({ limit: booksAtOnce })]) {
      work++;
      collect(changes, decodeBook(id, text), 'removed');
      const now = books.get(id);
      if (now === undefined) count--;
      else collect(changes, decodeBook(id, now), 'added');
      changed.removeSync(id);
    }
    for (const { key: id, value: text } of books.getRange({ start: upTo + 1, limit: booksAtOnce - work })) {
      work++;
      collect(changes, decodeBook(id, text), 'added');
      upTo = id;
      count++;
    }
    if (work === 0) return 0;
    this.#write(changes);
    meta.setIndexed({ upTo, books: count });
    // An id in the index is never given again, even if its book, put there by somebody else, goes before the next create.
    if (upTo > meta.lastId) meta.lastId = upTo;
    return work;
  }

  #write(changes: ReadonlyMap<string, Change>): void {
    const { index, meta } = this.#environment;
    const segments = new Set(meta.segments());
    const before = segments.size;
    for (const change of changes.values()) {
      const { key } = change;
      const [segment] = key;
      const ids = changeIds(segment, index.get(key), change);
      if (ids === undefined) index.removeSync(key);
      else index.putSync(key, ids);
      segments.add(segment);
    }
    if (segments.size > before) meta.setSegments([...segments].sort((a, b) => a - b));
  }

  /** Whether books were put there or taken away past the store, by somebody who does not know the index. */
  isForeign(): boolean {
    const { changed, books, meta } = this.#environment;
    const { upTo, books: count } = meta.indexed();
    let expected = count + books.getKeysCount({ start: upTo + 1 });
    for (const id of changed.getKeys()) if (!books.doesExist(id)) expected--;
    return expected !== this.#environment.bookCount;
  }

  /** Forgets all; the steps that follow begin with the first book. */
  clear(): void {
    const { changed, index, meta } = this.#environment;
    index.clearSync();
    changed.clearSync();
    meta.setIndexed({ upTo: 0, books: 0 });
    meta.setSegments([]);
  }
}

function collect(changes: Map<string, Change>, book: Book | undefined, what: 'added' | 'removed'): void {
  if (book === undefined) return; // What is no book is found by nobody.
  const segment = segmentOf(book.id);
  for (const term of termsOf(book)) {
    const name = `${segment} ${term[0]} ${term[1]}`;
    let change = changes.get(name);
    if (change === undefined) {
      change = { key: [segment, ...term], added: [], removed: [] };
      changes.set(name, change);
    }
    change[what].push(book.id);
  }
}
