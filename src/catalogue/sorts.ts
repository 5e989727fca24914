import { indexedIntegers, indexedTexts } from './fields.ts';

/** The fields by which listings can be sorted. */
export const fieldSorts = ['id', ...indexedTexts, ...indexedIntegers] as const;
/** What books are sorted by; a `-` before it reverses the order. */
export type SortKey = (typeof fieldSorts)[number];
/** The orders of listings. `best`: how well a book fits the words of a query; without words, by id. */
export type Sort = 'best' | SortKey | `-${SortKey}`;
export const sorts: readonly Sort[] = /* @__PURE__ */ listSorts();

function listSorts(): Sort[] {
  return ['best', ...fieldSorts.flatMap((key) => [key, `-${key}`] as const)];
}
