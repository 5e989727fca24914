import type { BookQuery } from '../../../catalogue/query.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { atOnce } from '../../state/at-once.ts';
import type { Selection } from '../../state/selection.ts';
import { client } from '../../state/service.ts';

/** The ids of the selected books. All of a query are read first, because changes may move them. */
export async function idsOf(
  chosen: Selection,
  query: BookQuery,
  signal: AbortSignal,
): Promise<readonly number[]> {
  if (chosen !== 'all') return [...chosen.ids];
  const ids: number[] = [];
  for await (const { id } of client.books(query, { signal })) ids.push(id);
  return ids;
}

/**
 * Does something with each book; returns how many it was done with. A book that is gone is left out.
 *
 * @throws {ShelflistError} Another failure, or the `AbortError` of the signal.
 */
export async function forEach(
  ids: readonly number[],
  work: (id: number) => Promise<unknown>,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<number> {
  let [done, gone] = [0, 0];
  await atOnce(ids, async (id) => {
    signal.throwIfAborted();
    try {
      await work(id);
      done++;
    } catch (error) {
      if (!(error instanceof ShelflistError) || error.code !== 'book_not_found') throw error;
      // The service says so of any delete that fails.
      if (await exists(id)) throw new ShelflistError('unavailable');
      gone++;
    }
    onProgress(done + gone);
  });
  return done;
}

/** @throws {ShelflistError} It cannot be known. */
async function exists(id: number): Promise<boolean> {
  try {
    await client.get(id);
    return true;
  } catch (error) {
    if (error instanceof ShelflistError && error.code === 'book_not_found') return false;
    throw error;
  }
}
