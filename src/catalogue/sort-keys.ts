// The order of books by title and author: its rules, and the keys that they make.
import { createHash } from 'node:crypto';
import type { Book } from './book.ts';
import { authorField, nameField } from './fields.ts';
import { maxArticles } from './articles.ts';
import { rankOf } from './ranking.ts';
import { compareFolded, foldTokens } from './fold.ts';
import { foldedKey, textKey, textPosition, type KeysetPosition } from './keyset-position.ts';
import { familyFirst } from './names.ts';
import type { BookFilter } from './query.ts';
import type { SortKey } from './sorts.ts';

/** How authors are ordered: by family name, as on a shelf, or by the words as they are written. */
export type SortNames = 'family' | 'written';

/** The settings of an order. A missing one keeps the current value of the store. */
export interface SortSettings {
  readonly sortArticles?: readonly string[] | undefined;
  readonly sortNames?: SortNames | undefined;
}

/** The rules of the orders by title and by author. A store keeps them with its books, and makes keys by them. */
export interface SortRules {
  /** Folded articles that the order by title ignores. */
  readonly articles: readonly string[];
  /** Whether the order by author begins with the family name. */
  readonly names: SortNames;
  /** Names these rules in positions and versions. */
  readonly name: string;
}

export function isSortNames(value: unknown): value is SortNames {
  return value === 'family' || value === 'written';
}

/** Articles as they begin a folded title, each once, in order. */
function foldArticles(articles: readonly string[]): string[] {
  const folded = articles.flatMap((article) =>
    foldTokens(article).map((word) => (/['’]$/.test(article) ? `${word}'` : word)),
  );
  return [...new Set(folded)].sort(compareFolded);
}

/** Changes with the code that makes keys: stores then make all of them again. */
const keysVersion = 1;

function rulesOf(articles: readonly string[], names: SortNames): SortRules {
  const hash = createHash('sha256').update(JSON.stringify([keysVersion, articles, names]));
  return { articles, names, name: hash.digest('hex').slice(0, 8) };
}

/** The rules of a store without settings. */
export const defaultRules = rulesOf([], 'family');

/** Applies settings to rules. Returns the same object if nothing changes. */
export function changeRules(rules: SortRules, { sortArticles, sortNames }: SortSettings): SortRules {
  const articles = sortArticles === undefined ? rules.articles : foldArticles(sortArticles);
  const changed = rulesOf(articles, sortNames ?? rules.names);
  return changed.name === rules.name ? rules : changed;
}

/** Reads what {@link formatRules} wrote; `undefined` if it is something else. */
export function parseRules(json: string): SortRules | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { articles, names } = Object(value) as Partial<Record<keyof SortRules, unknown>>;
  const isList = Array.isArray(articles) && articles.length <= maxArticles;
  return isList && articles.every((each) => typeof each === 'string') && isSortNames(names)
    ? rulesOf(articles, names)
    : undefined;
}

export function formatRules({ articles, names }: SortRules): string {
  return JSON.stringify({ articles, names });
}

/** A field whose order follows rules. */
type OrderedText = typeof nameField | typeof authorField;

/**
 * The key of a text in the order of its field: without a leading article of a title, with the family name of the first author in
 * front. Numbers are written so that they are in the order of their values. It is a folded text of at most `maxKeyBytes`.
 *
 * @param key The {@link textKey} of the text.
 */
export function sortKey(name: OrderedText, text: string, rules: SortRules, key = textKey(text)): string {
  if (name === nameField) return orderNumbers(withoutArticle(text, key, rules.articles));
  const author = rules.names === 'family' ? familyFirst(text) : text;
  return orderNumbers(author === text ? key : textKey(author));
}

/** The part of a title that is searched for an article: longer than any with its apostrophe, after some punctuation. */
const startLength = 200;

/** The key of a title without a leading article, unless that is the whole title. */
function withoutArticle(title: string, key: string, articles: readonly string[]): string {
  if (articles.length === 0) return key;
  const [first = ''] = foldTokens(title.slice(0, startLength));
  for (const article of articles) {
    if (first === article && key.startsWith(`${article} `)) return key.slice(article.length + 1);
    // The key has no apostrophes.
    if (article.endsWith("'") && first.length > article.length && first.startsWith(article))
      return key.slice(article.length - 1);
  }
  return key;
}

const digit = /\p{Nd}/u;
const number = /\p{Nd}+/gu;

/** Writes the number of its digits before each number, so that `2` comes before `10`: 12 and 210. Leading zeros do not count. */
function orderNumbers(key: string): string {
  if (!digit.test(key)) return key;
  return foldedKey(
    key.replace(number, (run) => {
      const digits = Array.from(run, digitOf)
        .join('')
        .replace(/^0+(?!$)/, '');
      // A length of nine or more is a row of nines and a smaller digit, so that no length begins another.
      return '9'.repeat(Math.floor(digits.length / 9)) + String(digits.length % 9) + digits;
    }),
  );
}

/** The value of a digit of any script: Unicode has them in rows of ten, some of which follow one another. */
function digitOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  let first = code;
  while (first > 0x39 && digit.test(String.fromCodePoint(first - 1))) first--;
  return first > 0x39 ? (code - first) % 10 : code - 0x30;
}

/** Whether books are ordered by rules when they are sorted by this. */
export function isOrderedText(sort: SortKey): sort is OrderedText {
  return sort === nameField || sort === authorField;
}

/** The position of a book in the order of a query, unless the store does not rank all matches (`contract/best.ts`). */
export function positionOf(
  { sort, best }: Pick<BookFilter, 'sort' | 'best'>,
  book: Book,
  rules: SortRules = defaultRules,
): KeysetPosition {
  if (best !== undefined) return { key: rankOf(best, book), id: book.id };
  if (!isOrderedText(sort)) return textPosition({ sort }, book);
  return { key: sortKey(sort, book[sort], rules), id: book.id, order: rules.name };
}
