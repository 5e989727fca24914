import { open, type Database, type RootDatabase } from 'lmdb';
import { isId } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { prepareFolder, unusable } from './folder.ts';
import type { StoreIds } from '../ids.ts';

/** Under which the meta database says what the environment is, and holds the last id that was given. */
const formatKey = 'format';
const counterKey = 'last-id';
const format = 'shelflist 1';

/** An open LMDB environment with the store's two databases. The counter is read and set in transactions only. */
export class EmbeddedEnvironment {
  readonly root: RootDatabase<string, string>;
  /** id -> the whole book as JSON: lossless for every string and number that a book may hold. */
  readonly books: Database<string, number>;
  readonly #meta: Database<unknown, string>;

  constructor(path: string) {
    this.root = open<string, string>({
      ...layout(path),
      // A promise of a write then resolves after the finished sync, and nothing unsynced is ever visible.
      overlappingSync: false,
      // Its batches have a promise that nobody can hold: a full disk would end the process.
      eventTurnBatching: false,
    });
    try {
      refuseForeign(this.root, path);
      this.#meta = this.root.openDB<unknown, string>({ name: 'meta', encoding: 'json' });
      this.books = this.root.openDB<string, number>({ name: 'books', encoding: 'string' });
      this.root.transactionSync(() => {
        this.#prepare(path);
      });
    } catch (error) {
      void this.root.close();
      throw error;
    }
  }

  /** Idempotent: marks a new environment as ours, and lifts a counter that is behind the books. */
  #prepare(path: string): void {
    const found = this.#meta.get(formatKey);
    if (found === undefined) this.#meta.putSync(formatKey, format);
    else refuseFormat(found, path);
    const lastId = Math.max(this.#lastId(), this.#highestId());
    if (lastId !== this.#meta.get(counterKey)) this.#meta.putSync(counterKey, lastId);
  }

  /** Takes the next id. Books put back beside an older counter lift it past all of them. */
  takeId(): number {
    const id = Math.max(this.#lastId(), this.#highestId()) + 1;
    if (!isId(id)) throw new ShelflistError('unavailable', { message: 'there are no ids left' });
    this.#meta.putSync(counterKey, id);
    return id;
  }

  #lastId(): number {
    return readCounter(this.#meta);
  }

  #highestId(): number {
    return readHighestId(this.books);
  }
}

function readCounter(meta: Database<unknown, string>): number {
  const last = meta.get(counterKey) ?? 0;
  if (last === 0 || isId(last)) return last;
  throw new ShelflistError('store_damaged', { message: 'the counter of ids is not a number' });
}

function readHighestId(books: Database<string, number>): number {
  for (const id of books.getKeys({ reverse: true, limit: 1 })) return id;
  return 0;
}

function refuseForeign(root: RootDatabase<string, string>, path: string): void {
  const names = [...root.getKeys()];
  if (names.length === 0 || names.includes('meta')) return;
  throw unusable(path, 'its LMDB environment belongs to another program; name another folder');
}

function refuseFormat(found: unknown, path: string): void {
  if (found === format) return;
  throw unusable(path, `it was written as ${JSON.stringify(found)}, this version reads "${format}"; upgrade`);
}

/**
 * The ids of an environment that is there; nothing in it is changed.
 *
 * @throws {ShelflistError} `store_unusable` or `store_damaged`.
 */
export async function inspectEnvironment(path: string): Promise<StoreIds> {
  const root = open<string, string>({ ...layout(path), readOnly: true });
  try {
    refuseForeign(root, path);
    const meta = root.openDB<unknown, string>({ name: 'meta', encoding: 'json' });
    refuseFormat(meta.get(formatKey), path);
    const books = root.openDB<string, number>({ name: 'books', encoding: 'string' });
    return { lastId: readCounter(meta), highestId: readHighestId(books) };
  } finally {
    await root.close();
  }
}

/** How the environment lies in its folder, whatever it is opened for. */
function layout(path: string) {
  return {
    path,
    noSubdir: false, // Otherwise a dot in the folder's name would make it a file.
    maxDbs: 8,
    encoding: 'string',
  } as const;
}

/**
 * Opens a folder as an environment, making both where they are missing.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function openEnvironment(path: string): Promise<EmbeddedEnvironment> {
  await prepareFolder(path);
  try {
    return new EmbeddedEnvironment(path);
  } catch (cause) {
    if (cause instanceof ShelflistError) throw cause;
    throw unusable(
      path,
      `LMDB refuses it (${cause instanceof Error ? cause.message : 'unknown reason'})`,
      cause,
    );
  }
}
