import { sortInSlices } from '../lib/sort-in-slices.ts';
import { forEachYielding, type PrioritySignal } from '../lib/scheduler.ts';

/** The maximum number of pairs in memory. Further ones are left out. */
const maxPairs = 1_000_000;

/** How {@link nearPairs} compares texts. */
export interface NearPairsOptions {
  /** Whether two texts, given by their indexes, are near each other. It accepts texts within one edit, at most. */
  readonly isNear: (i: number, j: number) => boolean;
  /** A text with more near texts than this is one of a series, whose pairs are left out. Default: none is. */
  readonly maxNear?: number;
  /** The number of texts after each one, in order, that it is compared with: more begin alike in a series. */
  readonly maxFollowers: number;
  readonly signal: PrioritySignal;
}

type Pair = readonly [number, number];

/**
 * The pairs of texts that are near each other, each once, by their indexes. An edit (one insertion, deletion, replacement or swap of
 * neighbours) leaves one half of a text unchanged. So texts within one edit are close to each other in their order, or in that of their
 * reverses: no pairs elsewhere are compared.
 *
 * @throws The signal's reason when it is aborted.
 */
export async function nearPairs(
  texts: readonly string[],
  { isNear, maxNear = Infinity, maxFollowers, signal }: NearPairsOptions,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const counts = new Uint32Array(texts.length);
  const count = (i: number) => (counts[i] = (counts[i] ?? 0) + 1);
  const forward = await orderOf(texts, signal);
  /** The place of each text in its order. */
  const places = new Uint32Array(texts.length);
  const setPlace = ([place, i]: readonly [number, number]) => {
    places[i] = place;
  };
  await forEachYielding(forward.order.entries(), setPlace, signal);
  const wasCompared = (i: number, j: number) => {
    const [from = 0, to = 0] = [places[i], places[j]].sort((a = 0, b = 0) => a - b);
    const [a, b] = [forward.at(from), forward.at(to)];
    return to - from <= maxFollowers && sharedLength(a, b) >= halfOf(a);
  };
  const reversed: string[] = [];
  await forEachYielding(texts, (text) => reversed.push(reverse(text)), signal);
  for (const isReverse of [false, true]) {
    const { order, at } = isReverse ? await orderOf(reversed, signal) : forward;
    /** How much of its beginning each text shares with the one before. */
    const shared = new Uint32Array(texts.length);
    const setShared = (place: number) => {
      shared[place] = place === 0 ? 0 : sharedLength(at(place - 1), at(place));
    };
    await forEachYielding(order.keys(), setShared, signal);
    const findNear = (place: number) => {
      const [text, i = 0] = [at(place), order[place]];
      const half = halfOf(text);
      const end = Math.min(order.length, place + 1 + maxFollowers);
      let start = text.length;
      for (let next = place + 1; next < end; next++) {
        start = Math.min(start, shared[next] ?? 0);
        if (start < half) break;
        const j = order[next] ?? 0;
        // Neither needs more pairs to be one of a series.
        if (Math.min(counts[i] ?? 0, counts[j] ?? 0) > maxNear) continue;
        if (!mayBeNear(text, at(next), start) || !isNear(i, j)) continue;
        if (isReverse && wasCompared(i, j)) continue;
        const most = Math.max(count(i), count(j));
        if (most <= maxNear && pairs.length < maxPairs) pairs.push([i, j]);
      }
    };
    await forEachYielding(order.keys(), findNear, signal);
  }
  return pairs.filter((pair) => pair.every((i) => (counts[i] ?? 0) <= maxNear));
}

/** The order of texts, and the text at a place of it. */
async function orderOf(texts: readonly string[], signal: PrioritySignal) {
  const order = await sortInSlices(texts, signal);
  return { order, at: (place: number) => texts[order[place] ?? -1] ?? '' };
}

/** The length of the half of a text that it shares with those within one edit, at least. */
function halfOf(text: string): number {
  return Math.max(0, Math.floor(text.length / 2) - 1);
}

/** A quick test for most texts: behind an edit, both end alike. @param start The length of their common beginning. */
function mayBeNear(a: string, b: string, start: number): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const common = Math.max(a.length, b.length) - start - 2;
  for (let i = 1; i <= common; i++)
    if (a.charCodeAt(a.length - i) !== b.charCodeAt(b.length - i)) return false;
  return true;
}

function sharedLength(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a.charCodeAt(i) !== b.charCodeAt(i)) return i;
  return length;
}

function reverse(text: string): string {
  let reversed = '';
  for (let i = text.length - 1; i >= 0; i--) reversed += text.charAt(i);
  return reversed;
}
