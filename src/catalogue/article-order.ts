import { compareFolded, foldWords } from './fold.ts';

/** The sort key of a book: its id, an integer, or the start of a folded text. */
export type OrderKey = string | number;

/** The position of a book in an ordered listing. It stays valid if the book is deleted. */
export interface KeysetPosition {
  /** The sort key of the book. */
  readonly key: OrderKey;
  /** The id of the book, which decides between equal keys. */
  readonly id: number;
}

/**
 * The order of texts without a leading article. Keys of texts are stored whole, in an index. All keys with one article are
 * consecutive in it, and in the order of the rest. So this order merges several ranges of the index: one for each article,
 * and those between them. The articles can be changed at any time, because nothing stored depends on them.
 */

/** A range of keys. */
export interface KeyRange {
  /** The article with a space, which the order ignores; empty in a range without an article. */
  readonly prefix: string;
  readonly from: string;
  /** Above all keys of the range; `undefined`: there is no upper end. */
  readonly below: string | undefined;
}

/** Each article costs a read of its own. */
export const maxArticles = 16;

/** Whether a value is one word. An elided article such as `l'` is not: it is part of the next word. */
export function isArticle(value: unknown): value is string {
  return typeof value === 'string' && /^[\p{L}\p{M}]+$/u.test(value) && foldWords(value).length === 1;
}

/** Articles as in a key, each once, in order. */
export function foldArticles(articles: readonly string[]): string[] {
  return [...new Set(articles.flatMap(foldWords))].sort(compareFolded);
}

/** A key without its article. An article that is the whole key stays. */
export function withoutArticle(key: string, articles: readonly string[]): string {
  const space = key.indexOf(' ');
  return space > 0 && articles.includes(key.slice(0, space)) ? key.slice(space + 1) : key;
}

/**
 * The sequences of ranges to merge. The ranges of a sequence follow one another in the order.
 *
 * @param articles From {@link foldArticles}.
 */
export function rangesOf(articles: readonly string[], isDescending: boolean): KeyRange[][] {
  const ranges = articles.map((article) => ({
    prefix: `${article} `,
    from: `${article} `,
    below: `${article}!`, // In the order of characters, `!` follows the space.
  }));
  const between = [undefined, ...ranges].map((before, i) => ({
    prefix: '',
    from: before?.below ?? '',
    below: ranges[i]?.from,
  }));
  return [isDescending ? between.reverse() : between, ...ranges.map((range) => [range])];
}

/**
 * Where a range continues after a position of the order: after a key of its own, or at its beginning. `undefined`: the whole
 * range comes before the position.
 */
export function continueRange(
  { prefix, from, below }: KeyRange,
  isDescending: boolean,
  after: KeysetPosition | undefined,
): { after: KeysetPosition | undefined } | undefined {
  if (after === undefined) return { after };
  const key = `${prefix}${after.key}`;
  const isBelow = compareFolded(key, from) < 0;
  const isAbove = below !== undefined && compareFolded(key, below) >= 0;
  if (isBelow) return isDescending ? undefined : { after: undefined };
  if (isAbove) return isDescending ? { after: undefined } : undefined;
  return { after: { key, id: after.id } };
}

/** The key of an entry of a range in the order. */
export function keyInOrder({ prefix }: KeyRange, key: OrderKey): OrderKey {
  return typeof key === 'string' ? key.slice(prefix.length) : key;
}
