import type { Database, RootDatabase } from 'lmdb';
import { unusable } from './folder.ts';
import { Meta } from './meta.ts';

/** Version 1 had no index, and would write past it. */
export const format = 'shelflist 2';
const readableFormats: readonly unknown[] = [format, 'shelflist 1'];

/** How the environment lies in its folder, whatever it is opened for. */
export function layout(path: string) {
  return {
    path,
    noSubdir: false, // Otherwise a dot in the folder's name would make it a file.
    maxDbs: 8,
    encoding: 'string',
  } as const;
}

export function openMeta(root: RootDatabase<string, string>): Meta {
  return new Meta(root.openDB<unknown, string>({ name: 'meta', encoding: 'json' }));
}

export function openBooks(root: RootDatabase<string, string>): Database<string, number> {
  return root.openDB<string, number>({ name: 'books', encoding: 'string' });
}

export function readHighestId(books: Database<string, number>): number {
  for (const id of books.getKeys({ reverse: true, limit: 1 })) return id;
  return 0;
}

export function countEntries(database: Database<string, number>): number {
  return Number((database.getStats() as { entryCount?: number }).entryCount);
}

/** @throws {ShelflistError} `store_unusable` */
export function refuseForeign(root: RootDatabase<string, string>, path: string): void {
  const names = [...root.getKeys()];
  if (names.length === 0 || names.includes('meta')) return;
  throw unusable(path, 'its LMDB environment belongs to another program; name another folder');
}

/** @throws {ShelflistError} `store_unusable` */
export function refuseFormat(found: unknown, path: string): void {
  if (readableFormats.includes(found)) return;
  throw unusable(path, `it was written as ${JSON.stringify(found)}, this version reads "${format}"; upgrade`);
}
