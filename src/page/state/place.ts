import type { ListState, Pages } from './list.ts';
import { asObject, isHeaderText, readJson, writeJson } from './store.ts';

const key = 'place';
/** More pages would fill the storage of the tab: after a reload, a longer list starts at its beginning. */
const maxKept = 1000;

/** How far the list was scrolled before a reload, in pixels, until this position is restored. */
let scrolled: number | undefined;

/** Keeps the place in a list for the next document of this tab. @param address The query of the list. */
export function keepPlace(address: string, { pages, letter, correction }: ListState): void {
  const isWhole = letter === undefined && correction === undefined; // The address says all of it.
  const isKept = scrollY > 0 && pages.length <= maxKept && isWhole;
  const known = pages.map(({ cursor, length, next }) => ({ cursor, length, next }));
  writeJson(key, isKept ? { address, scrolled: scrollY, known } : undefined);
}

/** Takes the pages that were known before a reload out of the storage; none if they are of another list, or damaged. */
export function takePages(address: string): Pages {
  const kept = asObject(readJson(key));
  writeJson(key, undefined);
  if (kept.address !== address || typeof kept.scrolled !== 'number' || !Array.isArray(kept.known)) return [];
  const pages = kept.known.map((page: unknown) => {
    const { cursor, length, next } = asObject(page);
    return {
      cursor: isHeaderText(cursor) ? cursor : undefined,
      length: Number(length),
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

/** Scrolls to where the list was before a reload, once its rows have their height. */
export function restoreScroll(): void {
  if (scrolled !== undefined) scrollTo(0, scrolled);
  scrolled = undefined;
}
