import type { Book } from './book.ts';
import type { Sort, SortKey } from './sorts.ts';
import {
  indexedIntegers,
  indexedTexts,
  searchedFields,
  type IndexedInteger,
  type IndexedText,
  type RangeParameter,
  type SearchedField,
  type WordsParameter,
} from './fields.ts';
import { rankingWords, type RankingWords } from './ranking.ts';
import { isWholeText, wholeText, type WholeText } from './spelling.ts';
import { hasNumber, isNumber, queryTerms, searchTerms, withoutSign, type Term } from './words.ts';

/**
 * Selects and orders books. A missing member matches every book. A text filters by the whole text, compared without case,
 * accents and punctuation, but with signs: `C` is not `C++`. Its words (`titleWords`) search like `q`, but only in this field.
 * An integer filters by value or by range, both ends included.
 */
export interface BookQuery
  extends
    Partial<Record<IndexedText | WordsParameter, string | undefined>>,
    Partial<Record<RangeParameter, number | undefined>> {
  /**
   * Prefix search over the searched fields, such as title and author: every word must match. A word is a run of letters and
   * digits; `Spider-Man` is also `spiderman`, and `J.K.` is also `jk`. A whole number also matches the books of that year. Search
   * reads the first 32,768 UTF-16 code units of each field, and at most 4,096 different words of it.
   */
  q?: string | undefined;
  /** Equal books are ordered by id. A leading `-` reverses the whole order. Default: `best` with words, `id` without. */
  sort?: Sort | undefined;
}

/** A member of a query that contains words. */
export type WordMember = 'q' | WordsParameter;

/** A query as a store receives it. */
export interface StoreQuery extends BookQuery {
  /** For words with which no word of a book begins: the words that contain them. Each finds what the typed word would. */
  readonly parts?: Readonly<Partial<Record<WordMember, ReadonlyMap<string, Term>>>> | undefined;
  /** Whether whole texts are compared by their words alone: `C` is `C++`. */
  readonly ignoresSigns?: boolean | undefined;
}

/** The values that pass, both ends included. */
export interface Range {
  /** The lowest value. */
  readonly from: number;
  /** The highest value. */
  readonly to: number;
}

/** A parsed query, with which books are compared. */
export interface BookFilter {
  /**
   * The words that a book must have. No word is a prefix of another one, or of a word of a field; only numbers may be. A negative
   * number keeps its `-`.
   */
  readonly words: readonly Term[];
  /** The words of one field, for the fields that the query has any for. */
  readonly fieldWords: Readonly<Partial<Record<SearchedField, readonly Term[]>>>;
  /** Whole texts: an index finds candidates, which are then compared by letters and signs. */
  readonly texts: Readonly<Partial<Record<IndexedText, WholeText>>>;
  /** Only ranges that exclude some value. */
  readonly ranges: Readonly<Partial<Record<IndexedInteger, Range>>>;
  /** What the books are sorted by, unless they are {@link best}. */
  readonly sort: SortKey;
  /** The words by which the books are ranked. */
  readonly best?: RankingWords | undefined;
  /** Whether the order is reversed. */
  readonly isDescending: boolean;
}

/** What books must match, whatever their order. */
export type BookCondition = Omit<BookFilter, 'sort' | 'best' | 'isDescending'>;

/** Parses a query, once for many books. */
export function toFilter(query: StoreQuery): BookFilter {
  const { q = '', sort = 'best' } = query;
  const isBest = sort === 'best';
  const wordTexts = [q, ...searchedFields.map((name) => query[`${name}Words`] ?? '')];
  const fieldWords = searchedFields.flatMap((name) => {
    const words = withoutPrefixes(termsOf(query, `${name}Words`).map(withoutSigns));
    return words.length === 0 ? [] : [[name, words] as const];
  });
  const ofFields = plainWords(fieldWords.flatMap(([, words]) => words));
  const texts = indexedTexts.flatMap((name) => {
    const text = query[name];
    return text === undefined ? [] : [[name, wholeText(text, query.ignoresSigns)] as const];
  });
  const ranges = indexedIntegers.flatMap((name) => {
    const range = rangeOf(query, name);
    return range === undefined ? [] : [[name, range] as const];
  });
  return {
    // A book with the words of a field has their prefixes.
    words: withoutPrefixes(termsOf(query, 'q'), isNumber).filter(
      (term) => !isPlain(term) || !withoutSigns(term).some((word) => hasStart(ofFields, word)),
    ),
    fieldWords: Object.fromEntries(fieldWords),
    texts: Object.fromEntries(texts),
    ranges: Object.fromEntries(ranges),
    sort: isBest ? 'id' : (sort.replace('-', '') as SortKey),
    ...(isBest && wordTexts.some((text) => text.trim() !== '') && { best: rankingWords(wordTexts) }),
    isDescending: sort.startsWith('-'),
  };
}

function termsOf(query: StoreQuery, member: WordMember): Term[] {
  const containing = query.parts?.[member];
  const terms = queryTerms(query[member] ?? '');
  if (containing === undefined) return terms;
  return terms.map((term) => [...term, ...(containing.get(term[0] ?? '') ?? [])]);
}

/** A number of a field is a word of its text. */
function withoutSigns(term: Term): Term {
  return term.map(withoutSign);
}

/** Each term once, in order, without words that are prefixes of another one, unless they mean more. */
function withoutPrefixes(all: readonly Term[], meansMore = (_word: string) => false): Term[] {
  // The order of the words does not matter, and cursors show it.
  const terms = [...new Map(all.map((term) => [term.join(), term])).values()].sort((a, b) =>
    a.join() < b.join() ? -1 : 1,
  );
  const plain = plainWords(terms);
  // The extensions of a word follow it.
  const isPrefix = (word: string) => plain[lowerBound(plain, word) + 1]?.startsWith(word) === true;
  return terms.filter((term) => !isPlain(term) || term.some(meansMore) || !term.some(isPrefix));
}

/** Without alternatives: a few of those may be asked for twice. */
function isPlain(term: Term): boolean {
  return term.length === 1;
}

function plainWords(terms: readonly Term[]): string[] {
  return terms.filter(isPlain).flat().sort();
}

function rangeOf(query: BookQuery, name: IndexedInteger): Range | undefined {
  const value = query[name];
  const from = query[`${name}From`] ?? Number.MIN_SAFE_INTEGER;
  const to = query[`${name}To`] ?? Number.MAX_SAFE_INTEGER;
  const range = { from: Math.max(from, value ?? from), to: Math.min(to, value ?? to) };
  const isWhole = range.from === Number.MIN_SAFE_INTEGER && range.to === Number.MAX_SAFE_INTEGER;
  return isWhole ? undefined : range;
}

export function matchesEverything(filter: BookCondition): boolean {
  return (
    !hasWords(filter) && Object.keys(filter.texts).length === 0 && Object.keys(filter.ranges).length === 0
  );
}

export function hasWords({ words, fieldWords }: BookCondition): boolean {
  return words.length > 0 || Object.keys(fieldWords).length > 0;
}

/** Whether a book passes a filter. */
export function matches({ words, fieldWords, texts, ranges }: BookCondition, book: Book): boolean {
  for (const name of indexedIntegers) {
    const range = ranges[name];
    if (range !== undefined && (book[name] < range.from || book[name] > range.to)) return false;
  }
  for (const name of indexedTexts) {
    const text = texts[name];
    if (text !== undefined && !isWholeText(book[name], text)) return false;
  }
  for (const name of searchedFields) {
    const starts = fieldWords[name];
    if (starts !== undefined && !haveStarts(searchTerms(book[name]), starts)) return false;
  }
  if (words.length === 0) return true;
  return haveStarts(
    searchedFields.flatMap((name) => searchTerms(book[name])),
    words.filter((term) => !term.some((word) => hasNumber(book, word))).map(withoutSigns),
  );
}

/** Whether there is a word that begins with each term. */
export function haveStarts(present: string[], terms: readonly Term[]): boolean {
  if (terms.length * present.length < maxComparisons)
    return terms.every((term) => term.some((start) => present.some((each) => each.startsWith(start))));
  present.sort();
  return terms.every((term) => term.some((start) => hasStart(present, start)));
}

/** With more comparisons, sorting the words first is faster. */
const maxComparisons = 10_000;

/** Whether one of the sorted words has this prefix. */
function hasStart(ordered: readonly string[], start: string): boolean {
  return ordered[lowerBound(ordered, start)]?.startsWith(start) === true;
}

/** The index of the first sorted word that is not before a text. */
function lowerBound(ordered: readonly string[], text: string): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
