// Which encoding a text has that does not say so: the one in which its letters are most plausible.
import { createPlainDecoder, escapeSequence, sevenBit, usualEncodings } from './encodings.ts';
import { characters, letterPairs, tellingWords } from './letter-pairs.ts';

/** A plausible encoding of a file, and what a line of the file is in it. */
export interface Reading {
  readonly encoding: string;
  readonly sample: string;
}

const languages = [...Object.keys(letterPairs), ...Object.keys(characters)];

/** Costs are negative binary logarithms of a probability, twice that of a character, since each letter of an alphabet has two pairs. */
const cost = {
  /** A pair that the table lacks, of a letter that the language has, or has not. */
  unlistedPair: 15,
  foreignLetter: 20,
  unlistedCharacter: 34,
  halfWidth: 40,
  /** Of a word that is not telling for a language, or less so with each rank. */
  otherWord: 12,
  tellingWord: 5,
  /** Letters after each other share a pair. */
  sharedPair: -8,
  capitalWithin: 14,
  mixedScripts: 20,
  mixedWidths: 6,
  validUtf8: 4,
  invalidUtf8: 24,
  mixedUtf8: 40,
  notText: 40,
  /** More than any number of unknown characters. */
  escape: 1e7,
} as const;

/** What is less than this above the best reading is as plausible. Chosen by the figures of `judge-encoding.slow.test.ts`. */
const maxDifference = 7;
const maxReadings = 4;

/** The cost of a pair, a character or a word in each language; `undefined` where a language lacks it. */
type Costs = (number | undefined)[];
type CostTable = Map<string, Costs>;

const alphabets: CostTable = new Map();
const { pairs, words } = readTables();

function readTables(): { pairs: CostTable; words: CostTable } {
  const pairTable: CostTable = new Map();
  const wordTable: CostTable = new Map();
  const add = (table: CostTable, key: string, language: string, value: number) => {
    const costs = table.get(key) ?? [];
    costs[languages.indexOf(language)] = value;
    table.set(key, costs);
  };
  const groups = (text: string) =>
    [...text.matchAll(/(\d+)([^\d ]+)/gu)].map(
      ([, level, rest = '']) => [Number(level), Array.from(rest)] as const,
    );
  for (const [language, text] of Object.entries(letterPairs))
    for (const [level, letters] of groups(text))
      for (let i = 0; i < letters.length; i += 2) {
        const pair = letters.slice(i, i + 2);
        add(pairTable, pair.join(''), language, level);
        for (const letter of pair) add(alphabets, letter, language, 0);
      }
  for (const [language, text] of Object.entries(characters))
    for (const [level, found] of groups(text))
      for (const character of found) add(pairTable, character, language, 2 * level);
  for (const [language, text] of Object.entries(tellingWords))
    for (const [rank, word] of text.split(' ').entries())
      add(wordTable, word, language, cost.tellingWord + rank / 5);
  return { pairs: pairTable, words: wordTable };
}

/**
 * Judges a text by its beginning.
 *
 * @param bytes With bytes beyond ASCII, or escape sequences.
 * @param isWhole Whether the text ends with them.
 * @param encodings The possible ones, and how much less usual each is than another, in bits.
 * @returns The plausible readings, the best one first.
 */
export function judgeEncoding(
  bytes: Uint8Array,
  isWhole: boolean,
  encodings: typeof usualEncodings = usualEncodings,
): Reading[] {
  const sample = linesBeyondAscii(bytes, isWhole);
  const telling = findTellingWords(bytes);
  const readings = new Map<string, { encoding: string; text: string; cost: number }>();
  const isSevenBit = bytes.every((byte) => byte < 0x80);
  for (const [encoding, rarity] of Object.entries(encodings)) {
    if (sevenBit.includes(encoding) && !isSevenBit) continue;
    const text = createPlainDecoder(encoding)(sample, true);
    if (readings.has(text)) continue; // The encodings differ in other bytes only.
    const sum = encoding === 'utf-8' ? costOfUtf8(text) : costOf(text, telling);
    const escapes = text.split(escapeSequence).length - 1;
    readings.set(text, { encoding, text, cost: sum + rarity + escapes * cost.escape });
  }
  const [best, ...others] = [...readings.values()].sort((a, b) => a.cost - b.cost);
  if (best === undefined) return [];
  const rivals = others.filter((other) => other.cost - best.cost < maxDifference).slice(0, maxReadings - 1);
  const line = lineThatDiffers(best.text, rivals[0]?.text);
  return [best, ...rivals].map(({ encoding, text }) => ({ encoding, sample: shorten(lineAt(text, line)) }));
}

/** In bytes. The lines up to the first limit are judged, then those with bytes that no line before had, up to the second. */
const [sampleBytes, maxSampleBytes] = [6_000, 24_000];

/** Of a longer line, a part is judged at a time, which begins not long before its first byte beyond ASCII. */
const [maxLineBytes, maxAsciiBefore] = [4_000, 200];

/** The lines with bytes beyond ASCII. No line end is part of a character, in any of the encodings. */
function linesBeyondAscii(bytes: Uint8Array, isWhole: boolean): Uint8Array {
  const sample: number[] = [];
  const known = new Set<number>();
  let start = 0;
  while (start < bytes.length && sample.length < maxSampleBytes) {
    let end = lineEnd(bytes, start);
    if (end === bytes.length && !isWhole && sample.length > 0) break; // It may be cut within a character.
    const first = bytes.subarray(start, end).findIndex((byte) => byte >= 0x80 || byte === 0x1b);
    const from = Math.max(start, start + first - maxAsciiBefore);
    if (first >= 0 && end - from > maxLineBytes) end = separatorAfter(bytes, from + maxLineBytes, end);
    start = end + 1;
    if (first < 0) continue;
    const line = bytes.subarray(from, end);
    const high = line.filter((byte) => byte >= 0x80);
    if (sample.length >= sampleBytes && high.every((byte) => known.has(byte))) continue;
    for (const byte of high) known.add(byte);
    for (const byte of line) sample.push(byte);
    sample.push(0x0a);
  }
  return Uint8Array.from(sample);
}

/** The next white space or punctuation that is no part of a character, in any of the encodings. */
function separatorAfter(bytes: Uint8Array, start: number, end: number): number {
  const last = Math.min(end, start + maxLineBytes);
  for (let at = start; at < last; at++) if ((bytes[at] ?? 0) < 0x30) return at;
  return last;
}

function lineEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) if (bytes[at] === 0x0a || bytes[at] === 0x0d) return at;
  return bytes.length;
}

const maxTellingWords = 300;

/** The costs of words in ASCII that tell a language. */
function findTellingWords(bytes: Uint8Array): Costs[] {
  const text = createPlainDecoder('windows-1252')(bytes.subarray(0, maxSampleBytes), true);
  const found = text.matchAll(/(?<![\w\x80-\uffff])[A-Za-z]+(?![\w\x80-\uffff])/g);
  return [...found]
    .map(([word]) => words.get(word.toLowerCase()))
    .filter((costs) => costs !== undefined)
    .slice(0, maxTellingWords);
}

const maxTokens = 400;

/** A word that is repeated more often tells no more. */
const maxCount = 3;

/** The words with characters beyond ASCII, and how often they occur. */
function tokensOf(text: string): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const [token] of text.matchAll(/[^\0- ,;|"]*[^\0-\x7f][^\0- ,;|"]*/gu)) {
    tokens.set(token, Math.min(maxCount, (tokens.get(token) ?? 0) + 1));
    if (tokens.size >= maxTokens) break;
  }
  return tokens;
}

/** The cost of a text: that of its characters, by the languages that its words make plausible. */
function costOf(text: string, telling: readonly Costs[]): number {
  let sum = 0;
  const counted: { costs: Float64Array; count: number }[] = telling.map((found) => ({
    costs: Float64Array.from(languages, (_, i) => found[i] ?? cost.otherWord),
    count: 1,
  }));
  for (const [token, count] of tokensOf(text.normalize('NFC'))) {
    const { shared, costs } = costOfToken(Array.from(token));
    sum += shared * count;
    if (costs) counted.push({ costs, count });
  }
  return sum + costOfMixture(counted);
}

/** Rounds after which the shares of the languages hardly change, and what each has without any word. */
const [rounds, initialShare] = [4, 0.05];

/** The cost of words in a mixture of languages, whose shares are estimated from them (expectation maximization). */
function costOfMixture(counted: readonly { costs: Float64Array; count: number }[]): number {
  let shares = languages.map(() => 1 / languages.length);
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    total = 0;
    const next = languages.map(() => initialShare);
    for (const { costs, count } of counted) {
      const least = costs.reduce((a, b) => Math.min(a, b));
      const parts = shares.map((share, i) => share * 2 ** (least - (costs[i] ?? 0)));
      const whole = parts.reduce((a, b) => a + b);
      total += (least - Math.log2(whole)) * count;
      for (const [i, part] of parts.entries()) next[i] = (next[i] ?? 0) + (count * part) / whole;
    }
    const all = next.reduce((a, b) => a + b);
    shares = next.map((share) => share / all);
  }
  return total;
}

const isAsciiLetter = (character: string) => /^[A-Za-z]$/.test(character);
const isLetter = (character: string) => /^[\p{L}\p{M}]$/u.test(character);
const isUpper = (character: string) => character.toLowerCase() !== character;
const isLower = (character: string) => character.toUpperCase() !== character;
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]$/u;
const eastAsianPunctuation = /^[\u3000-\u303f・〜（）：，！？“”‘’《》·—…／－]$/;
const notText = /^[\u0080-\u009f\ufffd-\uffff\ue000-\uf8ff\p{Cn}]$/u;

/** The cost of a word with characters beyond ASCII: what is the same in all languages, and what it is in each. */
function costOfToken(token: readonly string[]): { shared: number; costs?: Float64Array } {
  let shared = 0;
  let costs: Float64Array | undefined;
  const addPair = (key: string, other: (i: number) => number) => {
    const found = pairs.get(key);
    costs ??= new Float64Array(languages.length);
    for (let i = 0; i < costs.length; i++) costs[i] = (costs[i] ?? 0) + (found?.[i] ?? other(i));
  };
  for (const [at, character] of token.entries()) {
    if (character < '\x80') continue;
    const before = token[at - 1] ?? '';
    const after = token[at + 1] ?? '';
    if (eastAsian.test(character)) {
      const unlisted = /[\uff61-\uff9f]/.test(character) ? cost.halfWidth : cost.unlistedCharacter;
      addPair(character, () => unlisted);
      if (isAsciiLetter(before) || isAsciiLetter(after)) shared += cost.mixedWidths;
    } else if (isLetter(character)) {
      const letter = toKey(character);
      const known = alphabets.get(letter);
      const other = (i: number) => (known?.[i] === undefined ? cost.foreignLetter : cost.unlistedPair);
      addPair(toKey(before) + letter, other);
      addPair(letter + toKey(after), other);
      if (before > '\x7f' && isLetter(before)) shared += cost.sharedPair;
      shared += costOfCase(character, before, after);
      const isForeign = letter > '\u024f' && !/[\u1e00-\u1eff]/.test(letter);
      if (isForeign && (isAsciiLetter(before) || isAsciiLetter(after))) shared += cost.mixedScripts;
    } else shared += costOfSign(character, before, after);
  }
  return costs ? { shared, costs } : { shared };
}

/** A character of a pair: a letter in lower case; `_` for the edge of a word; other signs, which no pair has, as they are. */
function toKey(character: string): string {
  if (isLetter(character)) return foldings[character] ?? character.toLowerCase();
  return character > '\x7f' && !/^[\p{P}\s]$/u.test(character) ? character : '_';
}

/** The letters of Romanian with a comma are a cedilla in most encodings; a dotted İ has no lower case of one character. */
const foldings: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ', Ș: 'ş', Ț: 'ţ', İ: 'İ' };

/** A capital after a small letter, or a small letter between capitals. */
function costOfCase(character: string, before: string, after: string): number {
  if (isUpper(character))
    return isLetter(before) && isLower(before) && !isUpper(before) ? cost.capitalWithin : 0;
  if (!isLower(character) || !isLetter(before) || !isLetter(after)) return 0;
  return isUpper(before) && isUpper(after) ? cost.capitalWithin : 0;
}

/** Where signs are usual: after and before a letter (`a`), a digit (`0`), or anything else (`_`). */
const usualSigns = new Set(
  'a’a a’_ _’0 0’a _“a _”a _„a _«a _‘a _‚a _‹a a”_ a»_ a“_ a›_ _»a a«_ _”_ _»_ _«_ _–_ 0–0 a–a _–0 0–_ _—_ a—a 0—0 a…_ _…_ _…a 0…_ a…a _¿a _¡a 0º_ 0ª_ a°_ aº_ 0°_ _·_'.split(
    ' ',
  ),
);
const knownSigns = '§©®™€£×½¼¾·•²³´°º…–—’“”„«»‘‚¿¡\u00a0';

function costOfSign(sign: string, before: string, after: string): number {
  if (notText.test(sign)) return cost.notText;
  if (eastAsianPunctuation.test(sign) && (before > '\u2fff' || after > '\u2fff')) return 14;
  const [left, right] = [kindOf(before), kindOf(after)];
  const isWithin = left === 'a' && right === 'a';
  if (sign === '·' && /l/i.test(before) && /l/i.test(after)) return 14; // Catalan.
  if (usualSigns.has(left + sign + right)) {
    if (isWithin) return sign === '’' ? 17 : 26;
    if (sign === '…' && (left === 'a' || right === 'a')) return 18;
    return /[¿¡]/.test(sign) && isLower(after) ? 20 : 12;
  }
  if (isWithin) return 46;
  if (knownSigns.includes(sign)) return left === 'a' ? 28 : 20;
  return left === 'a' || right === 'a' ? 44 : 34;
}

function kindOf(character: string): string {
  return isLetter(character) ? 'a' : /^\d$/.test(character) ? '0' : '_';
}

/**
 * The cost of UTF-8, whose valid characters are hardly chance: each is plausible, unless it mixes scripts in a word. So are control
 * characters (C1), with which library programs enclose an article (U+0098, U+009C). A text with more than two invalid bytes for
 * each of them has another encoding.
 */
function costOfUtf8(text: string): number {
  if (/^[\0-\x7f]*$/.test(text)) return 0;
  let sum = 0;
  let valid = 0;
  for (const [token, count] of tokensOf(text)) {
    const all = token.match(/[^\0-\x7f]/gu) ?? [];
    const bad = all.filter((each) => each > '\x9f' && notText.test(each)).length;
    const mixed = token.match(mixedScripts)?.length ?? 0;
    valid += all.length - bad;
    sum += count * (bad * cost.invalidUtf8 + (all.length - bad) * cost.validUtf8 + mixed * cost.mixedUtf8);
  }
  const invalid = text.match(/\ufffd/g)?.length ?? 0; // Not of the words: many invalid ones are the same word.
  return valid > 0 && invalid <= 2 * (text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0) ? sum : Infinity;
}

/** A letter of another script beside one of ASCII. */
const mixedScripts =
  /[A-Za-z](?!\p{Script=Latin})[^\0-\x7f\P{L}]|(?!\p{Script=Latin})[^\0-\x7f\P{L}][A-Za-z]/gu;

/** The number of the first line that differs. */
function lineThatDiffers(text: string, other: string | undefined): number {
  const others = other?.split('\n') ?? [];
  return Math.max(
    0,
    text.split('\n').findIndex((line, i) => line !== others[i]),
  );
}

function lineAt(text: string, line: number): string {
  return text.split('\n')[line] ?? '';
}

const maxShown = 120;

function shorten(line: string): string {
  // eslint-disable-next-line no-control-regex -- A wrong encoding has them.
  const shown = line.replace(/[\0-\x1f\x7f-\x9f]/g, ' ').trim();
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown;
}
