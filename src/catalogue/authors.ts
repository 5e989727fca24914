/** An author, and the number of books. */
export interface AuthorCount {
  /** One spelling of the name. */
  author: string;
  /** The number of books. */
  count: number;
}

/** The orders of authors. Those with the same number of books are ordered by name. */
export const authorOrders = ['author', '-author', 'count', '-count'] as const;
/** What authors are sorted by. A leading `-` reverses the order: from Z to A, or those with the most books first. */
export type AuthorOrder = (typeof authorOrders)[number];
