/** What a store holds of ids. */
export interface StoreIds {
  /** The last id that was given, by the counter. */
  lastId: number;
  /** The highest id that a book has; 0 when there is no book. */
  highestId: number;
  /** Records that are no books; missing where that was not looked for. */
  damaged?: readonly number[];
}

/** Ids from the first to the last. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

export const allIds: IdRange = { first: 1, last: Number.MAX_SAFE_INTEGER };
