import { randomBytes } from 'node:crypto';
import type { Database, GetOptions } from 'lmdb';
import { isId } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { addWrite, toRecent, type Recent } from '../recent.ts';

/** How far the index goes. */
export interface Indexed {
  /** The highest id that it knows; later ones are not in it yet. */
  readonly upTo: number;
  /** How many books it knows. */
  readonly books: number;
  /** The segments that have any, ascending. */
  readonly segments: readonly number[];
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

  /** How many books there are, if nobody else has put some there or taken some away. */
  get books(): number {
    return Number(this.#database.get('books'));
  }

  set books(count: number) {
    this.#database.putSync('books', count);
  }

  /** What {@link touch} has made last. */
  get version(): string {
    return (this.#database.get('version') as string | undefined) ?? '0';
  }

  /** Makes another version, which there was never before. */
  touch(): void {
    this.#database.putSync('version', `${this.#writer}.${(++this.#writes).toString(36)}`);
  }

  /** What the last versions stand for. One that {@link noteChanged} did not follow is not among them. */
  get recent(): Recent {
    return toRecent(this.#database.get('recent'));
  }

  /**
   * Notes which books are not the same any more as before the last {@link touch}. What was noted before is forgotten where
   * somebody has made the version before without a note: of that change nothing is known.
   *
   * @param before The version before that one.
   */
  noteChanged(before: string, ids: readonly number[]): void {
    const { recent } = this;
    const known = recent.at(-1)?.[0] === before ? recent : [];
    this.#database.putSync('recent', addWrite(known, this.version, ids));
  }

  /** Nothing is indexed before {@link setIndexed}. */
  indexed(options?: GetOptions): Indexed {
    return this.readIndexed(options) ?? { upTo: 0, books: 0, segments: [] };
  }

  /** `undefined` also for what somebody else has put there. */
  readIndexed(options?: GetOptions): Indexed | undefined {
    const found = this.#database.get('indexed', options);
    return isIndexed(found) ? found : undefined;
  }

  setIndexed(indexed: Indexed): void {
    this.#database.putSync('indexed', indexed);
    this.#database.putSync('indexed-to', indexed.upTo);
  }

  /** The `upTo` of {@link indexed} alone, which every write asks for. */
  get indexedTo(): number {
    return Number(this.#database.get('indexed-to') ?? 0);
  }
}

function isIndexed(value: unknown): value is Indexed {
  const { upTo, books, segments } = Object(value) as Record<string, unknown>;
  return isCount(upTo) && isCount(books) && Array.isArray(segments) && segments.every(isCount);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
