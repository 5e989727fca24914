import { parseStoreAddress } from './address.ts';
import type { StoreIds } from './ids.ts';

/**
 * Looks at the store that an address names, and changes nothing: it makes no folder and lifts no counter.
 *
 * @returns `undefined` when there is no store yet.
 * @throws {TypeError} The address names no store.
 * @throws {ShelflistError} `store_unusable`: it cannot be reached or read; says what to do.
 */
export async function inspectStore(url: string): Promise<StoreIds | undefined> {
  const address = parseStoreAddress(url);
  if (address.kind === 'mongodb') {
    const { inspectMongo } = await import('./mongo/store.ts');
    return inspectMongo(address.url);
  }
  const { hasStore, withoutLockFile } = await import('./embedded/folder.ts');
  if (!(await hasStore(address.path))) return undefined;
  const { inspectEnvironment } = await import('./embedded/look.ts');
  return withoutLockFile(address.path, inspectEnvironment);
}
