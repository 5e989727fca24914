import { baseLetters } from '../../src/catalogue/fold.ts';
import { indexedIntegers, indexedTexts, searchedFields } from '../../src/catalogue/fields.ts';
import { isWholeText, wholeText } from '../../src/catalogue/spelling.ts';
import { defaultRules, isOrderedText, sortKey, type SortRules } from '../../src/catalogue/sort-keys.ts';
import type { Book, BookQuery, SortKey } from '../../src/index.ts';

/** All books that a query matches, in its order: a second, simple implementation of a store. */
export function answer(books: Iterable<Book>, question: BookQuery, rules: SortRules = defaultRules): Book[] {
  const { q = '', sort = 'id' } = question;
  const key = sort.replace('-', '') as SortKey;
  const sign = sort.startsWith('-') ? -1 : 1;
  const has = (text: string, start: string) => {
    for (const word of searchableOf(text)) if (word.startsWith(start)) return true;
    return false;
  };
  return [...books]
    .filter(
      (book) =>
        wordsOf(q).every((start) => searchedFields.some((name) => has(book[name], start))) &&
        searchedFields.every((name) =>
          wordsOf(question[`${name}Words`] ?? '').every((start) => has(book[name], start)),
        ) &&
        indexedTexts.every((name) => {
          const text = question[name];
          return text === undefined || isWholeText(book[name], wholeText(text));
        }) &&
        indexedIntegers.every((name) => {
          const { [name]: value = book[name] } = question;
          const from = question[`${name}From`] ?? -Infinity;
          const to = question[`${name}To`] ?? Infinity;
          return book[name] === value && book[name] >= from && book[name] <= to;
        }),
    )
    .sort((a, b) => sign * (compare(keyOf(a, key, rules), keyOf(b, key, rules)) || a.id - b.id));
}

const apostrophes = "'`·ʹʺʻʼʽʾʿˊˋˮ՚׳‘’‛′‵ꞌ";

/** Remembers the results for short texts: each question reads every book. */
function remembered<T extends object | string>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const result = known.get(text) ?? read(text);
    if (known.size >= 50_000) known.clear();
    if (text.length < 1000) known.set(text, result);
    return result;
  };
}

function wordsOf(text: string): string[] {
  return tokensOf(text).map((token) => token.replaceAll("'", ''));
}

/**
 * Folds each character: decomposes it, drops combining marks, converts to upper case and back, and takes the base letter. An
 * apostrophe between letters or digits stays, as `'`. Other characters end a word.
 */
function tokensOf(text: string): string[] {
  let folded = '';
  for (const character of text.replace(/[\u00b4\u1ffd]/g, "'").normalize('NFKD')) {
    if (/\p{M}/u.test(character)) continue;
    for (const each of character.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')) {
      if (apostrophes.includes(each)) folded += "'";
      else if (/[\p{L}\p{Nd}]/u.test(each)) folded += baseLetters.get(each) ?? each;
      else if (!/\p{M}/u.test(each)) folded += ' ';
    }
  }
  const tokens = folded.split(/ |''+/).map((token) => token.replace(/^'|'$/g, ''));
  return tokens.filter((token) => token !== '');
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Ahom}]/u;

/** The further forms of a word, in the order in which they count. */
function formsOf(token: string): string[] {
  const letters = Array.from(token);
  const starts = letters.flatMap((letter, i) => {
    const before = letters[i - 1];
    if (before === undefined || letter === "'") return [];
    const changes = (unspaced.test(before) || before === 'ー') && letter !== 'ー';
    return before === "'" || unspaced.test(letter) || changes ? [i] : [];
  });
  const short = (start: number) =>
    letters
      .slice(start)
      .filter((letter) => letter !== "'")
      .slice(0, 64)
      .join('');
  return [...starts.map(short), ...prefixLengths(token.replaceAll("'", '')).map((n) => shortOf(token, n))];
}

function shortOf(token: string, prefixLength: number): string {
  return Array.from(token.replaceAll("'", '').slice(prefixLength)).slice(0, 64).join('');
}

/** The lengths of the Hebrew or Arabic prefixes that a word may begin with. */
function prefixLengths(word: string): number[] {
  const lengths: number[] = [];
  if (/^[והבכלמש].{2}/s.test(word)) lengths.push(1);
  if (/^[והבכלמש]{2}.{2}/s.test(word)) lengths.push(2);
  for (const conjunction of ['', 'و', 'ف'])
    for (const rest of ['', 'ب', 'ك', 'ل', 'ال', 'بال', 'كال', 'لل']) {
      const prefix = conjunction + rest;
      if (prefix !== '' && word.startsWith(prefix) && word.length >= prefix.length + 2)
        lengths.push(prefix.length);
    }
  return lengths;
}

/** The searchable words of a text: the first 4,096 that end in the first 32,768 units, and 1,024 further forms of these. */
const searchableOf = remembered((text) => {
  let start = text;
  if (text.length > 32_768) {
    start = '';
    for (const character of text) {
      if (start.length + character.length > 32_768) break;
      start += character;
    }
  }
  const tokens = tokensOf(start);
  const withNext = tokensOf(`${start}x`);
  const last = tokens.at(-1)?.replaceAll("'", '') ?? '';
  if (start !== text && withNext.length === tokens.length && Array.from(last).length <= 64) tokens.pop();
  const different = [...new Set(tokens)].slice(0, 4096);
  const first = tokens.length <= 4096 ? tokens : different;
  const forms = first.flatMap(formsOf).slice(0, 1024);
  return new Set([...first.map((token) => token.replaceAll("'", '')), ...forms]);
});

const textOf = remembered((text) => wordsOf(text).join(' '));

/** The key of a book in an order. `test/catalogue/sort-keys.test.ts` tests those of texts. */
function keyOf(book: Book, key: SortKey, rules: SortRules): number | Buffer {
  return isOrderedText(key) ? Buffer.from(sortKey(key, book[key], rules)) : book[key];
}

function compare(a: number | Buffer, b: number | Buffer): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return Buffer.compare(a, b);
}
