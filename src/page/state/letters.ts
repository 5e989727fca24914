export const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Stands for the books before all letters, which begin with a digit or a sign. */
export const digits = '0–9';

/** Sorts after every text with the same first letter. */
const last = 'z'.repeat(40);

/**
 * The cursor of the page that begins with a letter, or with {@link digits}, in a list by title or author.
 *
 * @param cursor Any cursor of the same list; it encodes an array: query, key, id and order (`src/api/cursor.ts`).
 */
export function cursorAt(cursor: string, letter: string, isDescending: boolean): string {
  const array = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as unknown[];
  const text = btoa(JSON.stringify([array[0], ...placeBefore(letter, isDescending), ...array.slice(3)]));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The key and the id that the page follows. */
function placeBefore(letter: string, isDescending: boolean): [key: string, id: number] {
  if (letter === digits) return isDescending ? ['a', 1] : ['', Number.MAX_SAFE_INTEGER]; // After what has no text.
  const before = letters[letters.indexOf(letter) - 1] ?? '9';
  return [`${isDescending ? letter : before}${last}`.toLowerCase(), 1];
}
