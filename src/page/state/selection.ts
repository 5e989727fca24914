import type { BookQuery } from '../../catalogue/query.ts';
import { readPages } from '../../client/client.ts';
import { shownQuery, type ListState } from './list.ts';
import { client } from './service.ts';
import { createSignal } from './signal.ts';

/** The maximum number of requests in flight that change books. */
export const maxInFlight = 4;

/** The selected books: some ids, or all that the query of the list matches. */
export type Selection = { readonly ids: ReadonlySet<number> } | 'all';

export const nothingSelected: Selection = { ids: new Set() };

export const selection = createSignal<Selection>(nothingSelected);

export function isSelected(current: Selection, id: number): boolean {
  return current === 'all' || current.ids.has(id);
}

/** Selects a book, or takes it out of the selection. */
export function toggleSelected(id: number): void {
  const current = selection.value;
  const ids = new Set(current === 'all' ? [] : current.ids);
  if (!ids.delete(id)) ids.add(id);
  selection.set({ ids });
}

/** Selects more books. */
export function selectMore(more: readonly number[]): void {
  if (selection.value !== 'all') selection.set({ ids: new Set([...selection.value.ids, ...more]) });
}

export function clearSelection(): void {
  selection.set(nothingSelected);
}

/** The number of selected books. @param total The number of books of the list. */
export function countSelected(current: Selection, total: number): number {
  return current === 'all' ? total : current.ids.size;
}

/** Since the books of a list were selected, its words begin no word of a book any more, or begin one again. */
export class ListChanged extends Error {}

/**
 * The ids of the selected books. All of a list are read first, because changes may move them.
 *
 * @param list The list that is shown. Books that only contain its words are chosen only if it shows such books.
 * @throws {ListChanged} Its query finds others.
 */
export async function idsOf(
  chosen: Selection,
  list: Pick<ListState, 'query' | 'correction' | 'match'>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  if (chosen !== 'all') return [...chosen.ids];
  const query: BookQuery = { ...shownQuery(list), sort: 'id' };
  const all = readPages(async (page) => {
    const { items: books, next, match } = await client.page({ ...query, ...page }, { signal });
    if (books.length > 0 && match !== list.match) throw new ListChanged();
    return { items: books, next };
  });
  const ids: number[] = [];
  for await (const { id } of all) ids.push(id);
  return ids;
}
