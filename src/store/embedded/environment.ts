import { stat } from 'node:fs/promises';
import { open, type RootDatabase } from 'lmdb';
import { ShelflistError } from '../../errors.ts';
import { syncFolder } from '../../new-file.ts';
import type { Databases, IndexKey } from './databases.ts';
import { prepareFolder, unusable } from './folder.ts';
import { allIds, type IdRange } from '../ids.ts';
import { IndexWriter } from './index-writer.ts';
import {
  countEntries,
  format,
  layout,
  openBooks,
  openMeta,
  readHighestId,
  refuseForeign,
  refuseFormat,
} from './layout.ts';
import type { Meta } from './meta.ts';

/** An open LMDB environment with the store's databases. */
export class EmbeddedEnvironment implements Databases {
  readonly root: RootDatabase<string, string>;
  readonly books: Databases['books'];
  readonly meta: Meta;
  readonly index: Databases['index'];
  readonly changed: Databases['changed'];
  readonly indexWriter = new IndexWriter(this);

  constructor(path: string) {
    this.root = open<string, string>({
      ...layout(path),
      ...roomyMap,
      // A promise of a write then resolves after the finished sync, and nothing unsynced is ever visible.
      overlappingSync: false,
      // Its batches have a promise that nobody can hold: a full disk would end the process.
      eventTurnBatching: false,
    });
    try {
      refuseForeign(this.root, path);
      this.meta = openMeta(this.root);
      this.books = openBooks(this.root);
      this.index = this.root.openDB<Buffer, IndexKey>({ name: 'index', encoding: 'binary' });
      this.changed = this.root.openDB<string, number>({ name: 'changed', encoding: 'string' });
      this.root.transactionSync(() => {
        this.prepare(path);
      });
    } catch (error) {
      void this.root.close();
      throw error;
    }
  }

  get bookCount(): number {
    return countEntries(this.books);
  }

  /** Idempotent: marks a new environment as ours, lifts a counter that is behind the books, and drops what was known of them if others changed them. */
  prepare(path: string): void {
    const found = this.meta.readFormat();
    if (found !== undefined) refuseFormat(found, path);
    if (found !== format) this.meta.setFormat(format);
    const highestId = readHighestId(this.books);
    if (highestId > this.meta.lastId) this.meta.lastId = highestId;
    if (found !== format || this.indexWriter.isForeign()) this.indexWriter.clear();
    if (this.meta.books === this.bookCount) return;
    this.meta.books = this.bookCount;
    this.meta.touch();
  }

  /** Takes the next ids, fewer where none are left. Books put back beside an older counter lift it past all of them. */
  takeIds(count: number): IdRange {
    const before = Math.max(this.meta.lastId, readHighestId(this.books));
    const last = Math.min(before + count, allIds.last);
    if (last > before) this.meta.lastId = last;
    return { first: before + 1, last };
  }
}

/**
 * A map that need not grow: lmdb-js keeps the smaller ones that it outgrew, and every page of the file would be counted
 * in each. It takes addresses and no memory; Windows would make the file as long.
 */
const roomyMap = process.platform === 'win32' ? {} : { mapSize: 4 * 1024 ** 3 };

/** What is open in this process, by its folder's place on the disk, and how many have it open. */
const shared = new Map<string, { readonly environment: EmbeddedEnvironment; users: number }>();

/**
 * Opens a folder as an environment, making both where they are missing. Whoever opens it again in the same process is
 * given the same one: two of lmdb-js on one file wake each other up in the middle of a write, and may wait for ever.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function openEnvironment(path: string): Promise<EmbeddedEnvironment> {
  const { isNew } = await prepareFolder(path);
  const { dev, ino } = await stat(path, { bigint: true });
  const key = `${dev} ${ino}`;
  try {
    const found = shared.get(key);
    if (found === undefined) {
      const environment = new EmbeddedEnvironment(path);
      shared.set(key, { environment, users: 1 });
      if (isNew) await syncFolder(path);
      return environment;
    }
    const { environment } = found;
    found.users++;
    await environment.root
      .transaction(() => {
        environment.prepare(path);
      })
      .catch(async (error: unknown) => {
        await closeEnvironment(environment);
        throw error;
      });
    return environment;
  } catch (cause) {
    if (cause instanceof ShelflistError) throw cause;
    throw unusable(
      path,
      `LMDB refuses it (${cause instanceof Error ? cause.message : 'unknown reason'})`,
      cause,
    );
  }
}

/** Lets go of an environment, which is closed when nobody has it open any more. */
export async function closeEnvironment(environment: EmbeddedEnvironment): Promise<void> {
  for (const [key, each] of shared) {
    if (each.environment !== environment || --each.users > 0) continue;
    shared.delete(key);
    await environment.root.close();
  }
}
