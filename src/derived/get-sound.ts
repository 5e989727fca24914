import type { Book } from '../catalogue/book.ts';
import { hasCode } from '../catalogue/errors.ts';
import type { CompleteStore } from '../store/contract/store.ts';

/** A book; one whose record is damaged counts as missing. */
export async function getSound(
  store: Pick<CompleteStore, 'get'>,
  id: number,
): Promise<Readonly<Book> | undefined> {
  try {
    return await store.get(id);
  } catch (error) {
    if (hasCode(error, 'store_damaged')) return undefined;
    throw error;
  }
}
