import type { Book } from '../book.ts';
import { compareFolded, foldText } from './fold.ts';
import type { Condition } from './query.ts';

/** What a book is ordered by: its id, its year, or the start of its folded title or author. */
export type OrderKey = string | number;

/** A place in an ordered listing: that of a book, whether it still is there or not. */
export interface Position {
  readonly key: OrderKey;
  readonly id: number;
}

/** Texts that are alike up to here count as alike: an index, and a cursor in a URL, hold no more. In bytes of UTF-8. */
export const maxKeyBytes = 1000;

/** The folded text that a text is ordered by. */
export function textKey(text: string): string {
  return cut(foldText(text));
}

function cut(folded: string): string {
  if (Buffer.byteLength(folded) <= maxKeyBytes) return folded;
  let bytes = 0;
  let end = 0;
  for (const character of folded) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxKeyBytes) break;
    end += character.length;
  }
  return folded.slice(0, end);
}

/** Where a book stands. */
export function positionOf({ sort }: Condition, book: Book): Position {
  const { id } = book;
  const key = sort === 'title' || sort === 'author' ? textKey(book[sort]) : book[sort];
  return { key, id };
}

/** Orders positions as a query asks for it; ties by id, ascending in either direction. */
export function comparePositions({ isDescending }: Condition, a: Position, b: Position): number {
  const order = compareKeys(a.key, b.key);
  return (isDescending ? -order : order) || a.id - b.id;
}

function compareKeys(a: OrderKey, b: OrderKey): number {
  if (typeof a === 'string' && typeof b === 'string') return compareFolded(a, b);
  return Number(a) - Number(b);
}
