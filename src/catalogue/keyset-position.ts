import type { Book } from './book.ts';
import { compareFolded, foldText } from './fold.ts';
import type { BookFilter } from './query.ts';
import type { WholeText } from './spelling.ts';

/** The sort key of a book: its id, an integer, or the start of a folded text. */
export type OrderKey = string | number;

/** The position of a book in an ordered listing. It stays valid if the book is deleted. */
export interface KeysetPosition {
  /** The sort key of the book. */
  readonly key: OrderKey;
  /** The id of the book, which decides between equal keys. */
  readonly id: number;
  /** Names the rules of an order by title or author. A store refuses a position of other rules than its own. */
  readonly order?: string | undefined;
  /** Names the words that contain those of the query, if they are what the listing finds. Stores that find no parts ignore it. */
  readonly parts?: string | undefined;
}

/** The maximum length of a key in an index and in a cursor, in bytes of UTF-8. Texts with the same key are equal in order. */
export const maxKeyBytes = 1000;

/** The sort key of a text: its folded text, cut to {@link maxKeyBytes}. */
export function textKey(text: string): string {
  // Folds only as much of a long text as the key needs. Folding may remove most of it.
  for (let length = 4 * maxKeyBytes; length < text.length; length *= 4) {
    const start = foldText(text.slice(0, length));
    if (Buffer.byteLength(start) > maxKeyBytes + maxCharacterBytes) return foldedKey(start);
  }
  return foldedKey(foldText(text));
}

/** The maximum length of a character in UTF-8. */
const maxCharacterBytes = 4;

/** Whether a key is certainly a whole folded text, and not the start of one. */
export function isWholeKey(key: string): boolean {
  return Buffer.byteLength(key) <= maxKeyBytes - maxCharacterBytes - 1;
}

/** Whether the key of a whole text that is asked for decides alone which texts are equal to it. */
export function isDecidedByKey({ folded, spelling }: Pick<WholeText, 'folded' | 'spelling'>): boolean {
  return spelling === undefined && isWholeKey(foldedKey(folded));
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
  return folded.slice(0, end).trimEnd(); // A key is a folded text, which ends with a word.
}

/** The position of a book if texts are ordered by their words as they are written. */
export function textPosition({ sort }: Pick<BookFilter, 'sort'>, book: Book): KeysetPosition {
  const value = book[sort];
  return { key: typeof value === 'string' ? textKey(value) : value, id: book.id };
}

/** Compares positions in the order of a query: by key, then by id. A descending order is the exact reverse. */
export function comparePositions(
  { isDescending }: Pick<BookFilter, 'isDescending'>,
  a: KeysetPosition,
  b: KeysetPosition,
): number {
  const [first, second] = isDescending ? [b, a] : [a, b];
  return compareKeys(first.key, second.key) || first.id - second.id;
}

/** Whether no id can follow that of a position: the next book has another key. Callers use it to skip all books of one key. */
export function isEndOfKey(
  { isDescending }: Pick<BookFilter, 'isDescending'>,
  { id }: Pick<KeysetPosition, 'id'>,
): boolean {
  return isDescending ? id <= 1 : id >= Number.MAX_SAFE_INTEGER;
}

function compareKeys(a: OrderKey, b: OrderKey): number {
  if (typeof a === 'string' && typeof b === 'string') return compareFolded(a, b);
  return Number(a) - Number(b);
}
