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

const combiningMarks = /\p{M}+/gu;
const token = /[\p{L}\p{Nd}]+(?:'[\p{L}\p{Nd}]+)*/gu;
const asciiWord = /[a-z0-9]+/g;
const asciiToken = /[a-z0-9]+(?:'[a-z0-9]+)*/g;
// eslint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;
/** NFKD makes a space of them. */
const acuteAccent = /[\u00b4\u1ffd]/g;
/** Characters typed or printed for an apostrophe, those of transliterations included; and the dot in the Catalan `l·l`. */
const apostrophe = /[`·ʹʺʻʼʽʾʿˊˋˮ՚׳‘’‛′‵ꞌ]/g;

/**
 * The words of a text: its runs of letters and digits, after NFKD, without marks, case and apostrophes. `Grandpré` equals
 * `GRANDPRE`, `Straße` equals `STRASSE`, `Nesbø` equals `nesbo`, and `O’Brien` equals `OBrien`. Folding is idempotent, and
 * takes linear time.
 */
export function foldWords(text: string): string[] {
  return foldTokens(text).map(withoutApostrophes);
}

/** The words of a text. An apostrophe between two letters or digits is part of the word, as `'`. */
export function foldTokens(text: string): string[] {
  if (ascii.test(text)) return asciiTokens(text);
  // NFKD takes quadratic time for a run of marks, because it sorts them. Removing marks first leaves nothing to sort:
  // other characters decompose into few marks in a row, or into a run of one class (kana sound marks).
  const unmarked = text.replace(acuteAccent, "'").replace(combiningMarks, '');
  const bare = unmarked.normalize('NFKD').replace(combiningMarks, '');
  if (ascii.test(bare)) return asciiTokens(bare);
  // To upper case and back, which unifies ß and ss, ſ and s.
  const folded = bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return toBaseLetters(folded).replace(apostrophe, "'").match(token) ?? [];
}

function asciiTokens(text: string): string[] {
  const folded = text.toLowerCase();
  // Most texts have no apostrophe, and a simpler pattern is faster.
  if (!folded.includes("'") && !folded.includes('`')) return folded.match(asciiWord) ?? [];
  return folded.replaceAll('`', "'").match(asciiToken) ?? [];
}

export function withoutApostrophes(word: string): string {
  return word.includes("'") ? word.replaceAll("'", '') : word;
}

/** The words of a text, joined by spaces. Texts with the same words are equal. */
export function foldText(text: string): string {
  return withoutApostrophes(foldTokens(text).join(' '));
}

/** Whether {@link foldText} of a text equals a given one. Folds only as much of a long text as needed. */
export function foldsTo(text: string, folded: string): boolean {
  for (let length = firstPartLength; length < text.length; length *= 4) {
    if (!folded.startsWith(foldText(text.slice(0, length)))) return false;
  }
  return foldText(text) === folded;
}

/** The part of a long text that is folded first, in UTF-16 code units. */
const firstPartLength = 4_000;

/** Orders folded texts by code points, which is the order of their bytes in UTF-8 too. */
export function compareFolded(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates encode code points after U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
