import type { Book } from '../book.ts';
import { compareFolded, foldsTo, foldText, foldWords } from './fold.ts';
import { searchableWords } from './index-terms.ts';

/** By what books can be ordered. */
export const sortKeys = ['id', 'title', 'author', 'year'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Which books, and in which order. What is not named excludes no book. */
export interface BookQuery {
  /**
   * Prefix search over title and author: every word must match. A word is a run of letters and digits. Search reads
   * the first 32,768 UTF-16 code units of a title and of an author, and at most 4,096 different words of each.
   */
  q?: string;
  /** The whole title, as its words: without case, marks and punctuation. */
  title?: string;
  /** The whole author, likewise. */
  author?: string;
  year?: number;
  /** The first year, included. */
  yearFrom?: number;
  /** The last year, included. */
  yearTo?: number;
  /** With `-` in front the other way round. Books that are alike stand by id, ascending. Default `id`. */
  sort?: SortKey | `-${SortKey}`;
}

/** A query as it is compared: folded, with one range of years. */
export interface Condition {
  /** Starts of words; none of them the start of another. */
  readonly words: readonly string[];
  /** The folded text. */
  readonly title: string | undefined;
  readonly author: string | undefined;
  readonly yearFrom: number;
  readonly yearTo: number;
  readonly sort: SortKey;
  readonly isDescending: boolean;
}

export function toCondition({ q = '', title, author, year, sort = 'id', ...range }: BookQuery): Condition {
  const { yearFrom = Number.MIN_SAFE_INTEGER, yearTo = Number.MAX_SAFE_INTEGER } = range;
  const words = [...new Set(foldWords(q))].sort(compareFolded);
  return {
    // A word's extension follows it in this order, if there is one.
    words: words.filter((word, i) => words[i + 1]?.startsWith(word) !== true),
    title: title === undefined ? undefined : foldText(title),
    author: author === undefined ? undefined : foldText(author),
    yearFrom: Math.max(yearFrom, year ?? yearFrom),
    yearTo: Math.min(yearTo, year ?? yearTo),
    sort: sort.replace('-', '') as SortKey,
    isDescending: sort.startsWith('-'),
  };
}

/** Whether a condition lets every book pass. */
export function isUnconditional({ words, title, author, yearFrom, yearTo }: Condition): boolean {
  return (
    words.length === 0 &&
    title === undefined &&
    author === undefined &&
    yearFrom === Number.MIN_SAFE_INTEGER &&
    yearTo === Number.MAX_SAFE_INTEGER
  );
}

/** Whether a book is among those that were asked for. */
export function matches({ words, title, author, yearFrom, yearTo }: Condition, book: Book): boolean {
  if (book.year < yearFrom || book.year > yearTo) return false;
  if (title !== undefined && !foldsTo(book.title, title)) return false;
  if (author !== undefined && !foldsTo(book.author, author)) return false;
  if (words.length === 0) return true;
  const present = [...searchableWords(book.title).words, ...searchableWords(book.author).words];
  if (words.length * present.length < fewComparisons)
    return words.every((start) => present.some((each) => each.startsWith(start)));
  present.sort();
  return words.every((start) => hasStart(present, start));
}

/** With more, it is quicker to put the words in order first. */
const fewComparisons = 10_000;

/** Whether one of the words, which are in order, begins so. */
function hasStart(ordered: readonly string[], start: string): boolean {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle] ?? '') < start) low = middle + 1;
    else high = middle;
  }
  return ordered[low]?.startsWith(start) === true;
}
