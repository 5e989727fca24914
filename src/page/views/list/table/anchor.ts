import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { bookAt, rowOf, type Pages } from '../../../state/list/pages.ts';

/**
 * Keeps the rows that somebody reads where they are, when books come or go above them: the window scrolls along.
 */
export function useAnchor(
  place: RefObject<HTMLElement | null>,
  pages: Pages,
  queryText: string,
  rowHeight: number,
): void {
  const anchor = useRef<{ id: number; row: number; queryText: string }>(undefined);
  useLayoutEffect(() => {
    const before = anchor.current;
    const top = -(place.current?.getBoundingClientRect().top ?? 0);
    if (before?.queryText === queryText && top > 0) {
      const row = rowOf(pages, before.id);
      if (row !== -1 && row !== before.row) scrollBy(0, (row - before.row) * rowHeight);
    } else if (before !== undefined && before.queryText !== queryText && top > 0) {
      scrollTo(0, 0); // Another list begins at its beginning.
    }
    const keep = () => {
      const first = Math.max(0, Math.ceil(-(place.current?.getBoundingClientRect().top ?? 0) / rowHeight));
      const id = bookAt(pages, first)?.id;
      anchor.current = id === undefined ? undefined : { id, row: first, queryText };
    };
    keep();
    addEventListener('scroll', keep, { passive: true });
    return () => {
      removeEventListener('scroll', keep);
    };
  }, [pages, queryText, rowHeight]);
}
