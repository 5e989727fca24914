import type { ListState, Pages } from './list.ts';
import { asObject, isHeaderText, readJson, writeJson } from './signal.ts';

const key = 'place';
/** More pages would fill the storage of the tab: after a reload, a longer list starts at its beginning. */
const maxKept = 1000;

/** How far a list was scrolled, in pixels, until this position is restored. */
let scrolled: number | undefined;

/** A place in a list. */
interface Place {
  /** The query of the list. */
  readonly address: string;
  readonly scrolled: number;
  readonly known: readonly object[];
}

/** The places that Back may lead to, the last one at the end. */
let left: readonly Place[] = [];
const maxLeft = 20;

function placeIn(address: string, { pages, letter, correction }: ListState): Place | undefined {
  const isWhole = letter === undefined && correction === undefined; // The address says all of it.
  if (scrollY === 0 || pages.length > maxKept || !isWhole) return undefined;
  const known = pages.map(({ cursor, length, next, isLong }) => ({ cursor, length, next, isLong }));
  return { address, scrolled: scrollY, known };
}

/** Keeps the place in a list for the next document of this tab. @param address The query of the list. */
export function keepPlace(address: string, state: ListState): void {
  writeJson(key, placeIn(address, state));
}

/** Keeps the place in a list that is left for another list or view. */
export function leavePlace(address: string, state: ListState): void {
  const place = placeIn(address, state);
  const others = left.filter((each) => each.address !== address);
  left = [...others, ...(place === undefined ? [] : [place])].slice(-maxLeft);
}

/**
 * Takes the pages out of the storage that were known when the list was left, by a reload or for what Back has led from; none if
 * they are of another list, or damaged.
 */
export function takePages(address: string, isBack: boolean): Pages {
  const stored = asObject(readJson(key));
  writeJson(key, undefined);
  const kept = asObject(isBack ? left.find((place) => place.address === address) : stored);
  if (kept.address !== address || typeof kept.scrolled !== 'number' || !Array.isArray(kept.known)) return [];
  const pages = kept.known.map((page: unknown) => {
    const { cursor, length, next, isLong } = asObject(page);
    return {
      cursor: isHeaderText(cursor) ? cursor : undefined,
      length: Number(length),
      isLong: isLong === true,
      next: isHeaderText(next) ? next : undefined,
      books: undefined,
    };
  });
  const isWhole = pages.every(
    ({ cursor, length }, i) => length > 0 && cursor === (i === 0 ? undefined : pages[i - 1]?.next),
  );
  if (!isWhole) return [];
  scrolled = kept.scrolled;
  return pages;
}

/** Scrolls to where the list was when it was left, once its rows have their height. */
export function restoreScroll(): void {
  if (scrolled !== undefined) scrollTo(0, scrolled);
  scrolled = undefined;
}
