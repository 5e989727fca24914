/** Base letters, each followed by the letters that are typed as it where a keyboard has no others. */
const table = [
  'a ⱥ',
  'aa ꜳ',
  'ae æ',
  'ao ꜵ',
  'au ꜷ',
  'av ꜹꜻ',
  'ay ꜽ',
  'b ƀƃɓ',
  'c ƈȼ',
  'd đðƌɖɗ',
  'e ɇɛ',
  'f ƒ',
  'g ǥɠ',
  'h ħⱨ',
  'hv ƕ',
  'i ɨɩ',
  'j ȷɉ',
  'k ƙⱪꝁ',
  'l łƚɫⱡ',
  'll ỻ',
  'm ɱ',
  'n ŋƞɲ',
  'o øɔꝋꝍ',
  'oe œ',
  'oi ƣ',
  'oo ꝏ',
  'p ƥᵽꝑ',
  'q ĸ',
  'r ɍɽ',
  's ȿ',
  't ŧƭʈⱦ',
  'th þꝥꝧ',
  'u ʉ',
  'v ʋỽ',
  'vy ꝡ',
  'w ⱳ',
  'y ƴɏỿ',
  'z ƶȥɀⱬ',
];

/**
 * Lower-case Latin letters that NFKD leaves alone, and their base letters: those of today's alphabets and of old prints. The
 * transform Latin-ASCII of Unicode's CLDR maps them likewise, except ɔ, which it leaves alone.
 */
export const baseLetters: ReadonlyMap<string, string> = new Map(
  table.flatMap((row) => {
    const [base = '', letters = ''] = row.split(' ');
    return Array.from(letters, (letter) => [letter, base] as const);
  }),
);

const letterWithBase = new RegExp(`[${[...baseLetters.keys()].join('')}]`, 'gu');

/** Replaces the letters of a lower-case text by their base letters. */
export function toBaseLetters(text: string): string {
  return text.replace(letterWithBase, (letter) => baseLetters.get(letter) ?? letter);
}
