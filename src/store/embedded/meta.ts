import { randomBytes } from 'node:crypto';
import type { Database, GetOptions } from 'lmdb';
import { isId } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';

/** How far the index goes. */
export interface Indexed {
  /** The highest id that it knows; later ones are not in it yet. */
  readonly upTo: number;
  /** How many books it knows. */
  readonly books: number;
}

/** What the environment is, and how far it has come: set in write transactions only. */
export class Meta {
  readonly #database: Database<unknown, string>;
  /** Two processes, or two lives of one, never make the same version. */
  readonly #writer = randomBytes(9).toString('base64url');
  #writes = 0;

  constructor(database: Database<unknown, string>) {
    this.#database = database;
  }

  readFormat(): unknown {
    return this.#database.get('format');
  }

  setFormat(format: string): void {
    this.#database.putSync('format', format);
  }

  /** The last id that was given; 0 before the first. @throws {ShelflistError} `store_damaged`. */
  get lastId(): number {
    const last = this.#database.get('last-id') ?? 0;
    if (last === 0 || isId(last)) return last;
    throw new ShelflistError('store_damaged', { message: 'the counter of ids is not a number' });
  }

  set lastId(id: number) {
    this.#database.putSync('last-id', id);
  }

  /** What {@link touch} has made last. */
  get version(): string {
    return (this.#database.get('version') as string | undefined) ?? '0';
  }

  /** Makes another version, which there was never before. */
  touch(): void {
    this.#database.putSync('version', `${this.#writer}.${(++this.#writes).toString(36)}`);
  }

  indexed(options?: GetOptions): Indexed {
    return (this.#database.get('indexed', options) as Indexed | undefined) ?? { upTo: 0, books: 0 };
  }

  setIndexed(indexed: Indexed): void {
    this.#database.putSync('indexed', indexed);
  }

  /** The segments that the index has, ascending. */
  segments(options?: GetOptions): readonly number[] {
    return (this.#database.get('segments', options) as readonly number[] | undefined) ?? [];
  }

  setSegments(segments: readonly number[]): void {
    this.#database.putSync('segments', segments);
  }
}
