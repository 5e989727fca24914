import { open, type Database, type RootDatabase } from 'lmdb';
import type { StoreReport } from '../driver.ts';
import {
  countEntries,
  layout,
  openBooks,
  openMeta,
  readHighestId,
  refuseForeign,
  refuseFormat,
} from './layout.ts';
import type { Meta } from './meta.ts';
import { decodeBook } from './record.ts';

/** What a store holds. */
export interface Contents {
  readonly books: number;
  /** The last id that was given. */
  readonly lastId: number;
  /** Records among them that are no books; the first hundred. */
  readonly damaged: readonly number[];
}

/** Who has more of them does not mend them one by one. */
const mostDamaged = 100;

/** Opens an environment that is there for a look at it; nothing in it is changed. In an error it is called `name`. */
async function look<T>(
  path: string,
  action: (root: RootDatabase<string, string>, meta: Meta) => T | Promise<T>,
  name = path,
): Promise<T> {
  const root = open<string, string>({ ...layout(path), readOnly: true });
  try {
    refuseForeign(root, name);
    const meta = openMeta(root);
    refuseFormat(meta.readFormat(), name);
    return await action(root, meta);
  } finally {
    await root.close();
  }
}

/** Its ids. @throws {ShelflistError} `store_unusable` or `store_damaged`. */
export function inspectEnvironment(path: string): Promise<StoreReport> {
  return look(path, (root, { lastId }) => {
    const books = openBooks(root);
    return { lastId, highestId: readHighestId(books), damaged: findDamaged(books), problems: [] };
  });
}

/**
 * What it holds.
 *
 * @param name What it is called in an error.
 * @throws {ShelflistError} As {@link inspectEnvironment}.
 */
export function measureEnvironment(path: string, name: string): Promise<Contents> {
  const measure = (root: RootDatabase<string, string>, { lastId }: Meta): Contents => {
    const books = openBooks(root);
    return { books: countEntries(books), lastId, damaged: findDamaged(books) };
  };
  return look(path, measure, name);
}

function findDamaged(books: Database<string, number>): readonly number[] {
  const damaged: number[] = [];
  for (const { key, value } of books.getRange()) {
    if (decodeBook(key, value) === undefined && damaged.push(key) === mostDamaged) break;
  }
  return damaged;
}

/**
 * Copies it into another folder, as it is at one moment, while others go on writing: LMDB's own copy, without the free
 * pages.
 */
export function copyEnvironment(path: string, folder: string): Promise<void> {
  return look(path, (root) => root.backup(folder, true));
}
