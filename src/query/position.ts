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

/** The folded text that a text is ordered by: its start, if it is long. */
export function textKey(text: string): string {
  // Of a long text only as much is folded as the key needs: what folding takes away may be most of it.
  for (let length = 4 * maxKeyBytes; length < text.length; length *= 4) {
    const start = foldText(text.slice(0, length));
    if (Buffer.byteLength(start) > maxKeyBytes + longestCharacter) return foldedKey(start);
  }
  return foldedKey(foldText(text));
}

/** In bytes of UTF-8. */
const longestCharacter = 4;

/** Whether a key is the whole of its text, for certain; else it may be the start of several. */
export function isWholeKey(key: string): boolean {
  return Buffer.byteLength(key) <= maxKeyBytes - longestCharacter - 1;
}

/** The key of a folded text. */
export function foldedKey(folded: string): string {
  if (Buffer.byteLength(folded) <= maxKeyBytes) return folded;
  let bytes = 0;
  let end = 0;
  for (const character of folded) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxKeyBytes) break;
    end += character.length;
  }
  return folded.slice(0, end).trimEnd(); // A key is folded text itself, which ends with a word.
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
