// The sample that stands for all books where reading all of them would take too long: ranges of ids.
import type { IdRange } from './ids.ts';

/** The number of ids in one round of a sample. A catalogue with at most so many books is read as a whole. */
export const sampleSize = 10_000;
/** Imports are often sorted by year or author, so that neighbours are alike: many short ranges are better than a few long ones. */
const rangeLength = 16;
/** Bounds the ranges of a catalogue with large gaps between its ids. */
const maxRounds = 16;

/** The number of matches in a sample that make the error of a decade a few per cent. */
export const wantedMatches = 1000;
/** The number of values found in a sample whose books are then counted by an index. */
export const maxCandidates = 40;
/** With fewer matches in a sample, the first books that the index of words finds show more values. */
export const fewMatches = 250;
/** The number of these books. */
export const firstMatches = 500;

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
 * @param all From the lowest to the highest id of a book.
 * @param seed Other places, for tests.
 */
export function* sampleRounds(all: IdRange, size = sampleSize, seed = 0): Generator<SampleRound, void> {
  const ids = all.last - all.first + 1;
  const parts = Math.ceil(size / rangeLength);
  const step = ids / parts;
  if (step <= rangeLength) {
    yield { ranges: [all], factor: 1 };
    return;
  }
  for (let round = 1; round <= maxRounds; round++) {
    const ranges = Array.from({ length: parts }, (_, part) => {
      const place = part * step + fraction(part, round + maxRounds * seed) * (step - rangeLength);
      const first = all.first + Math.floor(place);
      return { first, last: first + rangeLength - 1 };
    });
    yield { ranges, factor: ids / (round * parts * rangeLength) };
  }
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
