import type { Book } from '../../book.ts';
import { toRanges, type IdRange } from '../ids.ts';

/** At least this many changes are remembered. */
const minChanges = 10_000;

/** The books of a memory store, which every store opened under its name shares. */
export class Shelf {
  readonly #books = new Map<number, Readonly<Book>>();
  readonly #epoch = Math.random().toString(36).slice(2);
  /** The id of each change, oldest first, and the number of earlier ones that were dropped. */
  #changes: number[] = [];
  #forgotten = 0;
  /** The highest id allocated so far. */
  lastId = 0;

  /** By id, ascending. */
  get books(): Readonly<Book>[] {
    return [...this.#books.values()].sort((a, b) => a.id - b.id);
  }

  get version(): string {
    return `${this.#epoch}.${this.#forgotten + this.#changes.length}`;
  }

  get(id: number): Readonly<Book> | undefined {
    return this.#books.get(id);
  }

  put(book: Book): void {
    this.#books.set(book.id, Object.freeze({ ...book }));
    this.lastId = Math.max(this.lastId, book.id);
    this.#note(book.id);
  }

  remove(id: number): void {
    if (this.#books.delete(id)) this.#note(id);
  }

  /** `undefined` for a version that is too old, or not one of this shelf. */
  changedSince(version: string): IdRange[] | undefined {
    const [epoch, count] = version.split('.');
    const start = Number(count) - this.#forgotten;
    return epoch === this.#epoch && start >= 0 ? toRanges(this.#changes.slice(start)) : undefined;
  }

  #note(id: number): void {
    if (this.#changes.push(id) < 2 * minChanges) return;
    this.#changes = this.#changes.slice(minChanges);
    this.#forgotten += minChanges;
  }
}

const named = new Map<string, Shelf>();

/** The shelf of a name, created at first use; without a name, a new one each time. */
export function shelfOf(name: string): Shelf {
  if (name === '') return new Shelf();
  const shelf = named.get(name) ?? new Shelf();
  named.set(name, shelf);
  return shelf;
}
