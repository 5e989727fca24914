import { parseStoreAddress } from './address.ts';

/** What a store holds of ids. */
export interface StoreIds {
  /** The last id that was given, by the counter. */
  lastId: number;
  /** The highest id that a book has; 0 when there is no book. */
  highestId: number;
}

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
    const { inspectMongo } = await import('./mongo.ts');
    return inspectMongo(address.url);
  }
  const { hasStore } = await import('./embedded-folder.ts');
  if (!(await hasStore(address.path))) return undefined;
  const { inspectEnvironment } = await import('./embedded-environment.ts');
  return inspectEnvironment(address.path);
}
