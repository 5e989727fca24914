import { createStore } from './store.ts';

/** The selected books: some ids, or all that the query of the list matches. */
export type Selection = { readonly ids: ReadonlySet<number> } | 'all';

export const nothingSelected: Selection = { ids: new Set() };

export const selection = createStore<Selection>(nothingSelected);

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

export function clearSelection(): void {
  selection.set(nothingSelected);
}

/** The number of selected books. @param total The number of books of the list. */
export function countSelected(current: Selection, total: number): number {
  return current === 'all' ? total : current.ids.size;
}
