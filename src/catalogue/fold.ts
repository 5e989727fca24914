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

// Bundles of the client leave out what is marked as pure.

/**
 * Lower-case Latin letters that NFKD leaves alone, and their base letters: those of today's alphabets and of old prints. The
 * transform Latin-ASCII of Unicode's CLDR maps them likewise, except ɔ, which it leaves alone.
 */
export const baseLetters: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ table.flatMap((row) => {
    const [base = '', letters = ''] = row.split(' ');
    return Array.from(letters, (letter) => [letter, base] as const);
  }),
);

const letterWithBase = /* @__PURE__ */ letterPattern();

function letterPattern(): RegExp {
  return new RegExp(`[${[...baseLetters.keys()].join('')}]`, 'gu');
}

/** Replaces the letters of a lower-case text by their base letters. */
export function toBaseLetters(text: string): string {
  return text.replace(letterWithBase, (letter) => baseLetters.get(letter) ?? letter);
}

/**
 * Format characters, such as soft hyphens; tatweel; and the marks that do not distinguish letters: accents of Latin, Greek and
 * Cyrillic, niqqud, harakat, and the variation selectors of emoji. Other marks are letters: vowel signs, hamza and madda.
 */
const ignored = /* @__PURE__ */ new RegExp(
  // eslint-disable-next-line no-misleading-character-class -- the marks themselves are meant.
  '[\\p{Cf}\\u0640\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\u2de0-\\u2dff\\ua66f-\\ua672\\ua674-\\ua67d\\ua69e\\ua69f\\ufe20-\\ufe2f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\ufb1e\\u0610-\\u061a\\u064b-\\u0652\\u0656-\\u065e\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u0897-\\u089f\\u08ca-\\u08e1\\u08e3-\\u08ff\\ufe00-\\ufe0f\\u{1d242}-\\u{1d244}\\u{1e08f}\\u{e0100}-\\u{e01ef}]+',
  'gu',
);
/** No word has such a run of marks, or of what NFKD makes a mark. */
const longRunOfMarks = /* @__PURE__ */ new RegExp('([\\p{M}\\uff9e\\uff9f]{32,})', 'u');
/**
 * A mark cannot follow an apostrophe: once that is removed, marks would join in an order that NFKD changes. Signs at the end are part
 * of the word: `C++`, `C#`.
 */
const token = /* @__PURE__ */ new RegExp(
  "[\\p{L}\\p{M}\\p{Nd}]+(?:'[\\p{L}\\p{Nd}][\\p{L}\\p{M}\\p{Nd}]*)*(?:[+#]+(?![\\p{L}\\p{M}\\p{Nd}+#]))?",
  'gu',
);
const asciiWord = /[a-z0-9]+/g;
const asciiToken = /[a-z0-9]+(?:'[a-z0-9]+)*(?:[+#]+(?![a-z0-9+#]))?/g;
const otherThanWords = /['`+#]/;
// eslint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;
/** NFKD makes a space of them. */
const acuteAccent = /[\u00b4\u1ffd]/g;
/** Characters typed or printed for an apostrophe, those of transliterations included; and the dot in the Catalan `l·l`. */
const apostrophe = /[`·ʹʺʻʼʽʾʿˊˋˮ՚׳‘’‛′‵ꞌ]/g;

/**
 * The words of a text: its runs of letters and digits, in their letters (`toLetters`), without apostrophes, and with the `+`
 * and `#` that follow (`C++`). `Grandpré` equals `GRANDPRE`, `Straße` equals `STRASSE`, `Nesbø` equals `nesbo`, and `O’Brien`
 * equals `OBrien`. Folding is idempotent, and takes linear time.
 */
export function foldWords(text: string): string[] {
  return foldTokens(text).map(withoutApostrophes);
}

/** The words of a text. An apostrophe between two letters or digits is part of the word, as `'`. */
export function foldTokens(text: string): string[] {
  return tokensOf(toLetters(text));
}

/** The same of a text in its letters. */
export function tokensOf(letters: string): string[] {
  return ascii.test(letters) ? asciiTokens(letters) : (letters.match(token) ?? []);
}

/** Lower case, in base letters. To upper case and back, which unifies ß and ss, ſ and s. */
function withoutCase(text: string): string {
  return toBaseLetters(text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'));
}

/**
 * A text in its letters: without case, width, ligatures and accents. Equal for texts that have the same letters and signs. Marks
 * that are letters, such as vowel signs, stay: `राम` is not `रमा`. It takes linear time.
 */
export function toLetters(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const bare = text.replace(acuteAccent, "'").replace(ignored, '');
  return withoutCase(decompose(bare).replace(ignored, '')).replace(apostrophe, "'");
}

/** NFKD, but a long run of marks stays as it is: NFKD sorts it in quadratic time. */
function decompose(text: string): string {
  if (!longRunOfMarks.test(text)) return text.normalize('NFKD');
  const parts = text.split(longRunOfMarks);
  return parts.map((part) => (longRunOfMarks.test(part) ? part : part.normalize('NFKD'))).join('');
}

function asciiTokens(folded: string): string[] {
  // Most texts have neither apostrophes nor signs, and a simpler pattern is faster.
  if (!otherThanWords.test(folded)) return folded.match(asciiWord) ?? [];
  return folded.replaceAll('`', "'").match(asciiToken) ?? [];
}

export function withoutApostrophes(word: string): string {
  return word.includes("'") ? word.replaceAll("'", '') : word;
}

/** The words of a text, joined by spaces. Texts with the same words, whatever their signs, are equal. */
export function foldText(text: string): string {
  return joinFolded(foldTokens(text));
}

/** As {@link foldText}, of its tokens or words. */
export function joinFolded(tokens: readonly string[]): string {
  return tokens.join(' ').replaceAll(/['+#]/g, '');
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
