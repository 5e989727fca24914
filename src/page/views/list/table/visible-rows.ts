import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** The rows between two indexes, the second one excluded. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** The rows above and below the visible ones that are rendered too. */
const overscan = 12;

/** Browsers cut higher elements off: Firefox at 17.9 million pixels, Chromium and Safari at 33.6. */
const maxHeight = 16_000_000;

/** The number of rows that a browser can show one below the other. */
export function countScrollable(rowHeight: number): number {
  return Math.floor(maxHeight / (rowHeight || 1));
}

/**
 * The rows that are rendered: those that the window shows of a place with rows of one height, and some more. `update` looks at
 * once, instead of with the next frame.
 */
export function useVisibleRows(
  place: RefObject<HTMLElement | null>,
  rowHeight: number,
  rows: number,
): RowRange & { readonly update: () => void } {
  const [range, setRange] = useState<RowRange>({ first: 0, end: 40 });
  const update = () => {
    if (place.current === null || rowHeight === 0) return;
    const first = Math.floor(-place.current.getBoundingClientRect().top / rowHeight);
    const shown = Math.ceil(innerHeight / rowHeight);
    const next = { first: Math.max(0, first - overscan), end: Math.max(0, first) + shown + overscan };
    setRange((before) => (isNear(before, next) ? before : next));
  };
  useLayoutEffect(() => {
    let frame = 0;
    const plan = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    update();
    addEventListener('scroll', plan, { passive: true });
    addEventListener('resize', plan);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', plan);
      removeEventListener('resize', plan);
    };
  }, [place, rowHeight]);
  return { first: Math.min(range.first, Math.max(0, rows - 1)), end: Math.min(range.end, rows), update };
}

/** Whether a range still covers another one well: rendering at each step of the wheel would be waste. */
function isNear(before: RowRange, next: RowRange): boolean {
  return Math.abs(before.first - next.first) < overscan / 2 && Math.abs(before.end - next.end) < overscan / 2;
}

/** The height of an element, which changes with the zoom and the width. */
export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      setHeight(entry?.contentRect.height ?? 0);
    });
    observer.observe(element.current);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  useLayoutEffect(() => {
    setHeight(element.current?.getBoundingClientRect().height ?? 0);
  }, [element]);
  return height;
}
