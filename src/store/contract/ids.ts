// Ranges of ids.
/** Ids from the first to the last, both included. */
export interface IdRange {
  /** The lowest id. */
  readonly first: number;
  /** The highest id, which is included. */
  readonly last: number;
}

export const allIds: IdRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

/** Converts ids, in any order and with duplicates, to the fewest ranges, ascending. */
export function toRanges(ids: Iterable<number>): IdRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && id <= range.last + 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges;
}
