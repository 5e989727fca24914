// The sample that stands for all books where reading all of them would take too long: ranges of ids.
import { wait, type MaybePromise, type Gensync } from '../../lib/gensync.ts';
import { allIds, type IdRange } from '../contract/ids.ts';

/** The number of ids in one round of a sample. A catalogue with at most so many books is read as a whole. */
export const sampleSize = 10_000;
/** Imports are often sorted by year or author, so that neighbours are alike: many short ranges are better than a few long ones. */
const rangeLength = 16;
/** Bounds the ranges of a catalogue with many gaps between its ids. */
const maxRounds = 16;
/** The number of times that a large gap is looked for: copies and other programs may leave some. */
const maxGapSearches = 32;

/** With this many matches in a sample, the error of a decade is a few per cent. */
export const wantedMatches = 1000;
/** The number of values found in a sample whose books are then counted by an index. */
export const maxCandidates = 40;
/** With fewer matches in a sample, the first books that the index of words finds show more values. */
export const fewMatches = 250;
/** The number of these books. */
export const firstMatches = 500;

/** What was found in a sample. */
export interface Sample<Found> {
  readonly found: readonly Found[];
  /** The number of all books for each of these. */
  readonly factor: number;
}

/** A part of the books, and what a question finds in it. */
export interface SampledPart<Found> {
  readonly books: number;
  readonly found: readonly Found[];
}

/** What a sample reads of a store. */
export interface SampledStore<Found> {
  /** The number of all books, but at most this maximum. */
  count(most?: number): MaybePromise<number>;
  /** The lowest id from a place on (1), or the highest up to it (-1). */
  nextId(place: number, direction: 1 | -1): MaybePromise<number | undefined>;
  read(ranges: readonly IdRange[]): MaybePromise<SampledPart<Found>>;
  /** Reads the first books by id. Default: all. */
  readFirst(books?: number): MaybePromise<SampledPart<Found>>;
}

/**
 * Reads books of a sample until there are enough; a small catalogue as a whole.
 *
 * @param wanted The number of books to find.
 */
export function* takeSample<Found>(
  store: SampledStore<Found>,
  wanted: number,
  size = sampleSize,
): Gensync<Sample<Found>> {
  if ((yield* wait(store.count(size + 1))) <= size) {
    const { found } = yield* wait(store.readFirst());
    return { found, factor: 1 };
  }
  const found: Found[] = [];
  let [books, factor] = [0, 1];
  for (const round of sampleRounds(yield* findDense(store), size)) {
    const part = yield* wait(store.read(round.ranges));
    found.push(...part.found);
    books += part.books;
    factor = round.factor;
    if (isEnough(books, found.length, wanted, size)) break;
  }
  if (2 * books >= size || factor === 1) return { found, factor };
  // Hardly any of the ids is in use: the first books stand for all.
  const first = yield* wait(store.readFirst(size));
  return { found: first.found, factor: (yield* wait(store.count())) / Math.max(1, first.books) };
}

/** Ranges of ids with all books, without the largest gaps: one id may be far away from all others. */
function* findDense(store: Pick<SampledStore<unknown>, 'nextId'>): Gensync<IdRange[]> {
  const first = (yield* wait(store.nextId(allIds.first, 1))) ?? allIds.first;
  const dense: IdRange[] = [];
  const open = [{ first, last: (yield* wait(store.nextId(allIds.last, -1))) ?? first }];
  for (let looked = 0; open.length > 0 && looked < maxGapSearches; looked++) {
    open.sort((a, b) => lengthOf(a) - lengthOf(b));
    const range = open.pop() as IdRange;
    const middle = range.first + Math.floor((range.last - range.first) / 2);
    const below = (yield* wait(store.nextId(middle, -1))) ?? range.first;
    const above = (yield* wait(store.nextId(middle + 1, 1))) ?? range.last;
    const isGap = above - below > lengthOf(range) / 4 && lengthOf(range) > rangeLength;
    if (!isGap) dense.push(range);
    else open.push({ first: range.first, last: below }, { first: above, last: range.last });
  }
  return [...dense, ...open].sort((a, b) => a.first - b.first);
}

const lengthOf = ({ first, last }: IdRange) => last - first + 1;

/** A part of a sample. It has about {@link sampleSize} ids, or all of them. */
export interface SampleRound {
  /** Ascending and disjoint; those of different rounds may overlap. */
  readonly ranges: readonly IdRange[];
  /** The number of all ids for each id of this and the earlier rounds. */
  readonly factor: number;
}

/**
 * The rounds of a sample. Each takes one range at a random place of each of several hundred equal parts of all ids. The places
 * depend on the number of the round alone, so that a repeated question gets the same answer, and a few more books change little.
 *
 * @param all Ranges that contain the ids of all books.
 * @param seed Other places, for tests.
 */
export function* sampleRounds(
  all: readonly IdRange[],
  size = sampleSize,
  seed = 0,
): Generator<SampleRound, void> {
  const ids = all.reduce((sum, range) => sum + lengthOf(range), 0);
  const parts = Math.ceil(size / rangeLength);
  const step = ids / parts;
  if (step <= rangeLength) {
    yield { ranges: all, factor: 1 };
    return;
  }
  for (let round = 1; round <= maxRounds; round++) {
    const places = Array.from({ length: parts }, (_, part) =>
      Math.floor(part * step + fraction(part, round + maxRounds * seed) * (step - rangeLength)),
    );
    const ranges = places.flatMap((place) => rangesAt(all, place));
    yield { ranges, factor: ids / (round * parts * rangeLength) };
  }
}

/** The ids of one place of a sample, counted within some ranges. */
function rangesAt(all: readonly IdRange[], from: number): IdRange[] {
  let before = 0;
  return all.flatMap((range) => {
    const first = Math.max(range.first, range.first + from - before);
    const last = Math.min(range.last, range.first + from + rangeLength - 1 - before);
    before += lengthOf(range);
    return first <= last ? { first, last } : [];
  });
}

/**
 * Whether a sample has enough books: half of a round, and the wanted matches. After three rounds, fewer matches are enough.
 *
 * @param books The number of books read.
 * @param matches The number of those that a filter selects.
 */
export function isEnough(books: number, matches: number, wanted: number, size = sampleSize): boolean {
  return 2 * books >= size && (matches >= wanted || books >= 2.5 * size);
}

/** A number from 0 to below 1 that looks random: the last step of MurmurHash3. */
function fraction(part: number, round: number): number {
  let mixed = Math.imul(part + 1, 0x9e3779b1) ^ Math.imul(round, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
