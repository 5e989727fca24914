/** The sort key of a book: its id, an integer, or the start of a folded text. */
export type OrderKey = string | number;

/** The position of a book in an ordered listing. It stays valid if the book is deleted. */
export interface KeysetPosition {
  readonly key: OrderKey;
  readonly id: number;
}
