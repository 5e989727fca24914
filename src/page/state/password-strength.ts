import { isShortPassword } from '../../catalogue/limits.ts';

export type Strength = 'weak' | 'fair' | 'strong';

/** The alphabets of which a password may use letters, and their sizes. */
const alphabets: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/u, 26],
  [/[A-Z]/u, 26],
  [/\d/u, 10],
  [/[^a-zA-Z\d]/u, 33],
];

/**
 * Estimates how hard a password is to guess, from its alphabets and its pairs of characters. A pair that repeats counts once; one
 * that goes on in an alphabet, such as `aa`, `ab` or `21`, does not count. It knows no words, so it praises some bad passwords.
 */
export function strengthOf(password: string): Strength {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const pairs = codes
    .slice(1)
    .flatMap((code, i) => (Math.abs(code - (codes[i] ?? 0)) > 1 ? [`${codes[i] ?? 0} ${code}`] : []));
  const size = alphabets.reduce((sum, [has, letters]) => sum + (has.test(password) ? letters : 0), 0);
  const bits = new Set(pairs).size * Math.log2(Math.max(1, size));
  return bits < 50 || isShortPassword(password) ? 'weak' : bits < 75 ? 'fair' : 'strong';
}
