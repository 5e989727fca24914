// The order by rank, over what each store can read: its matches, titles by their keys, ids.
import { createHash } from 'node:crypto';
import { textLength, type Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { isTitleMatch, titleArticles, titleStarts, type RankingWords } from '../../catalogue/ranking.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { wait, type MaybePromise, type Gensync } from '../../lib/gensync.ts';
import { createPage, maxCharacters, type StorePage } from './page.ts';

/** With more matches, only the books that the query names are ranked, and the others follow by id. */
const maxRanked = 10_000;
/** A query without the words of its author may begin many titles: each such beginning names at most the maximum divided by this. */
const partialShareDivisor = 20;
/** The number of books that are read first: if they are long, so may be the others. */
const firstRead = 100;
/** A cursor goes on ranking all matches when they have become more, up to this multiple. */
const maxGrown = 10;

/** Titles with keys from a text on, before another one. */
export interface KeyRange {
  readonly from: string;
  /** Not among them. */
  readonly to: string;
}

/** Where a book stands in the order. */
export interface RankedId {
  /** Its rank: the lower, the better it fits. */
  readonly key: number;
  readonly id: number;
}

/** What the order by rank reads of a store. */
export interface RankingStore {
  /** The places of the matching books, in any order; `undefined`: there are more than so many. */
  rankMatches(most: number): MaybePromise<readonly RankedId[] | undefined>;
  /** The number of titles in a range, but at most this maximum. */
  countTitles(range: KeyRange, most: number): MaybePromise<number>;
  /** The places of the matching books among the titles of a range. */
  rankTitles(range: KeyRange): MaybePromise<readonly RankedId[]>;
  /** The ids of matching books after an id, ascending: so many, or all that follow. */
  idsAfter(id: number, limit: number): MaybePromise<readonly number[]>;
  /** The books with these ids that match, in this order. */
  read(ids: readonly number[]): MaybePromise<readonly Book[]>;
}

/**
 * A page in the order by rank. A cursor goes on as its listing began: with all matches ranked, or only with those that the query
 * names. So no book comes twice or is left out while others are written.
 *
 * @throws {ShelflistError} `invalid_query`: the matches, or the titles that begin so, have become too many or few to go on.
 */
export function* findBest(
  store: RankingStore,
  words: RankingWords,
  limit: number,
  after: KeysetPosition | undefined,
  most = maxRanked,
): Gensync<StorePage> {
  const isNamed = after?.order !== undefined;
  const hasRanks = after !== undefined && !isNamed;
  const all = isNamed ? undefined : yield* wait(store.rankMatches(hasRanks ? maxGrown * most : most));
  if (hasRanks && all === undefined) throw outgrown();
  const { places: ranked, choice } =
    all === undefined ? yield* rankNamed(store, words, most) : { places: all };
  if (isNamed && after.order !== choice) throw outgrown();
  const last = after && { key: Number(after.key), id: after.id };
  const first = (last ? ranked.filter((place) => compare(place, last) > 0) : [...ranked]).sort(compare);
  const others = all === undefined ? (last?.key === otherKey ? last.id : 0) : undefined;
  const isRanked = new Set(others === undefined ? [] : ranked.map(({ id }) => id));
  const page = yield* fillPage(store, { first, others, isRanked }, limit);
  return { ...page, end: page.end && { ...page.end, order: choice } };
}

/** The key of the books that are not ranked. */
const otherKey = 1e9;

function compare(a: RankedId, b: RankedId): number {
  return a.key - b.key || a.id - b.id;
}

/** The books that the query names. */
interface Named {
  readonly places: readonly RankedId[];
  /** Names the choice of titles in positions: a listing of another choice would repeat books, or omit some. */
  readonly choice: string;
}

/** Finds the books that the query names. A beginning of very many titles names only those that are equal to it. */
function* rankNamed(store: RankingStore, words: RankingWords, most: number): Gensync<Named> {
  const found = new Map<number, RankedId>();
  const skipped: string[] = [];
  let left = most;
  /** Adds the titles of a range, if they are at most so many. */
  function* add(range: KeyRange, limit: number): Gensync<boolean> {
    const count = yield* wait(store.countTitles(range, limit + 1));
    if (count > limit) {
      skipped.push(range.from, range.to);
      return false;
    }
    left -= count;
    for (const { key, id } of count > 0 ? yield* wait(store.rankTitles(range)) : [])
      if (isTitleMatch(key)) found.set(id, { key, id });
    return true;
  }
  const { whole, parts } = titleStarts(words);
  for (const [starts, limit] of [
    [whole, most],
    [parts, Math.ceil(most / partialShareDivisor)],
  ] as const)
    for (const start of starts)
      for (const range of rangesOf(start)) {
        const isAdded = yield* add(range, Math.min(left, limit));
        if (!isAdded && range.from === start) yield* add({ from: start, to: `${start}\0` }, left);
      }
  const choice = createHash('sha256').update(skipped.join('\n')).digest('hex').slice(0, 8);
  return { places: [...found.values()], choice };
}

/** The titles that begin so, without those that begin with an article, which does not count. */
function rangesOf(start: string): KeyRange[] {
  const end = `${start}\u{10ffff}`;
  const skipped = titleArticles.map((article) => `${article} `).filter((text) => text.startsWith(start));
  const ends = skipped.sort().flatMap((text) => [text, `${text.slice(0, -1)}!`]);
  const bounds = [start, ...ends, end];
  return bounds.flatMap((from, i) => (i % 2 === 0 ? [{ from, to: bounds[i + 1] ?? end }] : []));
}

/** What is left of a listing. */
interface Rest {
  /** The ranked places, in order. */
  readonly first: readonly RankedId[];
  /** The others begin after this id; `undefined`: there are none. */
  readonly others: number | undefined;
  /** The ids that are not among the others. */
  readonly isRanked: ReadonlySet<number>;
}

function* fillPage(
  store: RankingStore,
  { first, others, isRanked }: Rest,
  limit: number,
): Gensync<StorePage> {
  const page = createPage(limit);
  // One more than fits, to find out whether another page follows.
  const atOnce = page.maxBooks + 1;
  let size = Math.min(firstRead, atOnce);
  let end: KeysetPosition | undefined;
  /** Returns whether more books fit. */
  function* add(places: readonly RankedId[]): Gensync<boolean> {
    for (let i = 0; i < places.length;) {
      const part = places.slice(i, i + size);
      const keys = new Map(part.map(({ id, key }) => [id, key]));
      const books = yield* wait(store.read([...keys.keys()]));
      for (const book of books) {
        if (page.isFull) return false;
        page.add(book);
        end = { key: keys.get(book.id) ?? otherKey, id: book.id };
      }
      i += part.length;
      const characters = books.reduce((sum, book) => sum + textLength(book), 0);
      size = characters > maxCharacters ? firstRead : atOnce;
    }
    return true;
  }
  if (!(yield* add(first))) return { books: page.books, isLast: false, end };
  for (let last = others; last !== undefined;) {
    const ids: readonly number[] = yield* wait(store.idsAfter(last, atOnce));
    const places = ids.filter((id) => !isRanked.has(id)).map((id) => ({ key: otherKey, id }));
    if (!(yield* add(places))) return { books: page.books, isLast: false, end };
    last = ids.length < atOnce ? undefined : ids.at(-1);
  }
  return { books: page.books, isLast: true, end };
}

function outgrown(): ShelflistError {
  return new ShelflistError('invalid_query', {
    message:
      'cannot continue from "after": the number of matches has changed too much; begin again without it',
  });
}
