const marks = /\p{M}+/gu;
const word = /[\p{L}\p{Nd}]+/gu;
const asciiWord = /[a-z0-9]+/g;
// eslint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

/**
 * The words of a text: its runs of letters and digits, after NFKD, without marks and case (`Grandpré` and `GRANDPRE`,
 * `Straße` and `STRASSE` are one). Folding is idempotent, and takes linear time.
 */
export function foldWords(text: string): string[] {
  if (ascii.test(text)) return text.toLowerCase().match(asciiWord) ?? [];
  // NFKD takes quadratic time for a run of marks, because it sorts them. Removing marks first leaves nothing to sort:
  // other characters decompose into few marks in a row, or into a run of one class (kana sound marks).
  const bare = text.replace(marks, '').normalize('NFKD').replace(marks, '');
  // Up and down again, because some letters have one form only on the way (ß, ſ, ς).
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').match(word) ?? [];
}

/** A whole text as its words: two texts with the same words are alike. */
export function foldText(text: string): string {
  return foldWords(text).join(' ');
}

/** Whether {@link foldText} of a text equals a given one. Folds only as much of a long text as needed. */
export function foldsTo(text: string, folded: string): boolean {
  for (let length = firstPart; length < text.length; length *= 4) {
    if (!folded.startsWith(foldText(text.slice(0, length)))) return false;
  }
  return foldText(text) === folded;
}

/** The part of a long text that is folded first, in UTF-16 code units. */
const firstPart = 4_000;

/** Orders folded texts by code points, which is the order of their bytes in UTF-8 too. */
export function compareFolded(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for what comes after U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
