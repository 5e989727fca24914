// The order of a search: the index that it follows, and the parts of that index after a position.
import type { Filter, Sort } from 'mongodb';
import { isEndOfKey, type KeysetPosition, type OrderKey } from '../../catalogue/keyset-position.ts';
import type { IndexedText } from '../../catalogue/fields.ts';
import { matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import type { SortKey } from '../../catalogue/sorts.ts';
import { candidates } from './filter.ts';
import { anyId, live, type BookDocument } from './schema.ts';

/** A member of the index entries that an order follows; or the id. */
export type IndexName = SortKey | `${IndexedText}Order`;

/** A filter, and how the server finds its candidates in order. */
export interface OrderedSearch {
  readonly filter: BookFilter;
  readonly index: IndexName;
  /** The path of the key in a document. */
  readonly field: string;
  readonly sort: Sort;
  readonly terms: readonly Filter<BookDocument>[];
}

export function orderedSearch(filter: BookFilter, index: IndexName): OrderedSearch {
  const direction = filter.isDescending ? -1 : 1;
  const isById = index === 'id';
  const field = isById ? '_id' : `index.${index}`;
  return {
    filter,
    index,
    field,
    sort: isById ? { _id: direction } : { [field]: direction, _id: direction },
    terms: matchesEverything(filter) && isById ? [live] : candidates(filter),
  };
}

/** The parts of the index after a position: the remaining ids with its key, then the keys beyond it. */
export function placesAfter(
  { filter, index, field }: OrderedSearch,
  last: KeysetPosition | undefined,
): Filter<BookDocument>[] {
  const beyond = filter.isDescending ? '$lt' : '$gt';
  if (index === 'id') return [{ [field]: { ...anyId, ...(last && { [beyond]: last.key }) } }];
  if (last === undefined) return [{ [field]: { $exists: true } }];
  const others = { [field]: { [beyond]: last.key } };
  return isEndOfKey(filter, last) ? [others] : [{ [field]: last.key, _id: { [beyond]: last.id } }, others];
}

export function keyOf({ index }: OrderedSearch, document: BookDocument): OrderKey | undefined {
  return index === 'id' ? document._id : document.index?.[index];
}
