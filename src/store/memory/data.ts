// The books and their log, which all stores of one name share.
import { fieldsOf, type Book, type BookFields } from '../../catalogue/book.ts';
import type { ChangeKind } from '../../catalogue/changes.ts';
import { defaultRules, type SortRules } from '../../catalogue/sort-keys.ts';
import type { Attribution } from '../contract/history.ts';
import { HistoryClock } from '../contract/history-clock.ts';

/** At least this many changes are remembered. */
const minChanges = 100_000;

export interface Change extends Attribution {
  /** From 1, increasing by one. */
  readonly seq: number;
  readonly id: number;
  readonly kind: ChangeKind;
  readonly at: Date;
  /** The state before the change; `undefined` if there was no book. */
  readonly before: Readonly<BookFields> | undefined;
}

/** An idempotency key, and what was stored under it. */
export interface Repeat {
  readonly digest: string;
  readonly ids: readonly number[];
  readonly batch: string | undefined;
  /** When the books were stored, in milliseconds since 1970. */
  at: number;
}

const noOrigin: Attribution = { batch: undefined, user: undefined };

/** The books of a memory store, which every store opened under its name shares. */
export class MemoryData {
  readonly #books = new Map<number, Readonly<Book>>();
  readonly clock = new HistoryClock(Date.now());
  #epoch = newEpoch();
  #changes: Change[] = [];
  #lastChange = 0;
  /** The highest id allocated so far. */
  lastId = 0;

  #rules = defaultRules;

  /** By key, oldest first. */
  readonly repeats = new Map<string, Repeat>();

  /** By id, ascending. */
  get books(): Readonly<Book>[] {
    return [...this.#books.values()].sort((a, b) => a.id - b.id);
  }

  get version(): string {
    return `${this.#epoch}.${this.#lastChange}`;
  }

  /** The changes that are remembered, oldest first. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Those of the orders by title and author. */
  get rules(): SortRules {
    return this.#rules;
  }

  set rules(rules: SortRules) {
    if (rules === this.#rules) return;
    this.#rules = rules;
    this.#epoch = newEpoch(); // Listings have another order.
  }

  get(id: number): Readonly<Book> | undefined {
    return this.#books.get(id);
  }

  put(
    book: Book,
    origin: Attribution = noOrigin,
    kind: ChangeKind = this.#books.has(book.id) ? 'updated' : 'created',
  ): void {
    this.#note(book.id, kind, origin);
    this.#books.set(book.id, Object.freeze({ ...book }));
    this.lastId = Math.max(this.lastId, book.id);
  }

  remove(id: number, origin: Attribution): void {
    if (!this.#books.has(id)) return;
    this.#note(id, 'deleted', origin);
    this.#books.delete(id);
  }

  #note(id: number, kind: ChangeKind, { batch, user }: Attribution): void {
    const book = this.#books.get(id);
    const before = book && fieldsOf(book);
    this.#changes.push({ seq: ++this.#lastChange, id, kind, at: this.clock.stamp(), before, batch, user });
    if (this.#changes.length >= 2 * minChanges) this.#changes = this.#changes.slice(minChanges);
  }
}

function newEpoch(): string {
  return Math.random().toString(36).slice(2);
}

const named = new Map<string, MemoryData>();

/** The shelf of a name, created at first use; without a name, a new one each time. */
export function shelfOf(name: string): MemoryData {
  if (name === '') return new MemoryData();
  const shelf = named.get(name) ?? new MemoryData();
  named.set(name, shelf);
  return shelf;
}
