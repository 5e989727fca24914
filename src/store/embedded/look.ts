import { open, type RootDatabase } from 'lmdb';
import type { StoreIds } from '../ids.ts';
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

/** What a store holds. */
export interface Contents {
  readonly books: number;
  /** The last id that was given. */
  readonly lastId: number;
}

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
export function inspectEnvironment(path: string): Promise<StoreIds> {
  return look(path, (root, { lastId }) => ({ lastId, highestId: readHighestId(openBooks(root)) }));
}

/**
 * How many books it has, and the last id that was given.
 *
 * @param name What it is called in an error.
 * @throws {ShelflistError} As {@link inspectEnvironment}.
 */
export function measureEnvironment(path: string, name: string): Promise<Contents> {
  return look(path, (root, { lastId }) => ({ books: countEntries(openBooks(root)), lastId }), name);
}

/**
 * Copies it into another folder, as it is at one moment, while others go on writing: LMDB's own copy, without the free
 * pages.
 */
export function copyEnvironment(path: string, folder: string): Promise<void> {
  return look(path, (root) => root.backup(folder, true));
}
