import { isId } from '../book.ts';
import type { IdRange } from './ids.ts';

/** So many writes are remembered, and so many ranges of each: who is further behind reads everything again. */
export const maxWrites = 16;
const maxRanges = 32;

/** The last writes, oldest first: the version that each has made, and the first and last of each range of ids that it changed. */
export type Recent = readonly Write[];
export type Write = readonly [
  version: string,
  ids: readonly (readonly [first: number, last: number])[] | null,
];

/** @param ids In any order, also twice; `undefined`: it is not known which. */
export function toWrite(version: string, ids: readonly number[] | undefined): Write {
  const ranges = ids === undefined ? [] : toRanges(ids);
  const isKnown = ids !== undefined && ranges.length <= maxRanges;
  return [version, isKnown ? ranges : null];
}

/** The last writes with one more, of which {@link toWrite} says the same. */
export function addWrite(recent: Recent, version: string, ids: readonly number[] | undefined): Recent {
  return [...recent.slice(1 - maxWrites), toWrite(version, ids)];
}

/**
 * What was changed between two versions; `undefined`: it may be anything.
 *
 * @param now The version at which this was read: of what the last write has not noted, nothing is known.
 */
export function changedBetween(recent: Recent, since: string, now: string): readonly IdRange[] | undefined {
  if (since === now) return [];
  const found = recent.findLastIndex(([version]) => version === since);
  if (found === -1 || recent.at(-1)?.[0] !== now) return undefined;
  const ranges: IdRange[] = [];
  for (const [, ids] of recent.slice(found + 1)) {
    if (ids === null) return undefined;
    for (const [first, last] of ids) ranges.push({ first, last });
  }
  return ranges;
}

/** What another process left in a store is not trusted to be this: then nothing is known. */
export function toRecent(value: unknown): Recent {
  return Array.isArray(value) && value.every(isWrite) ? value : [];
}

function isWrite(value: unknown): value is Write {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const ids: unknown = value[1];
  return ids === null || (Array.isArray(ids) && ids.every(isRange));
}

function isRange(value: unknown): boolean {
  return Array.isArray(value) && isId(value[0]) && isId(value[1]);
}

function toRanges(ids: readonly number[]): [first: number, last: number][] {
  const ranges: [first: number, last: number][] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && id <= range[1] + 1) range[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}
