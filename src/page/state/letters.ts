export const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Sorts after every text with the same first letter. */
const last = 'z'.repeat(40);

/**
 * The cursor of the page that begins with a letter, in a list by title or author.
 *
 * @param cursor Any cursor of the same list; it encodes an array: query, key, id and order (`src/api/cursor.ts`).
 */
export function cursorAt(cursor: string, letter: string, isDescending: boolean): string {
  const array = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as unknown[];
  const before = letters[letters.indexOf(letter) - 1] ?? '9';
  const key = `${isDescending ? letter : before}${last}`.toLowerCase();
  const text = btoa(JSON.stringify([array[0], key, 1, ...array.slice(3)]));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
