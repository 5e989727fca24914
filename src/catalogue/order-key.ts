/** The sort key of a book: its id, an integer, or the start of a folded text. */
export type OrderKey = string | number;

/** The position of a book in an ordered listing. It stays valid if the book is deleted. */
export interface KeysetPosition {
  /** The sort key of the book. */
  readonly key: OrderKey;
  /** The id of the book, which decides between equal keys. */
  readonly id: number;
}
