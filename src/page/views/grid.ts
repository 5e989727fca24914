import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pageParameters } from '../../api/queries.ts';
import { formatQuery } from '../../api/query-string.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import type { Cell } from '../state/cells.ts';
import { bookAt, type Pages, rowOf } from '../state/list.ts';

/** The rows between two indexes, the second one excluded. */
interface RowRange {
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
 * The rows that are rendered: those in the window, and some more. All rows have one height. `update` measures at once,
 * instead of in the next frame.
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

/**
 * Keeps the visible rows in place when books are added or removed above them: the window scrolls along. A new
 * list starts at its top; a new order keeps the column head where it was clicked.
 */
export function useAnchor(
  place: RefObject<HTMLElement | null>,
  pages: Pages,
  query: BookQuery,
  rowHeight: number,
): void {
  const queryText = formatQuery(query, pageParameters);
  const anchor = useRef<{ id: number; row: number; query: BookQuery }>(undefined);
  useLayoutEffect(() => {
    const before = anchor.current;
    const top = -(place.current?.getBoundingClientRect().top ?? 0);
    if (before !== undefined && top > 0) {
      if (formatQuery(before.query, pageParameters) === queryText) {
        const row = rowOf(pages, before.id);
        if (row !== -1 && row !== before.row) scrollBy(0, (row - before.row) * rowHeight);
      } else if (formatQuery({ ...before.query, sort: query.sort }, pageParameters) === queryText) {
        const head = place.current?.querySelector('th');
        scrollBy(0, -top - (head ? parseFloat(getComputedStyle(head).top) || 0 : 0));
      } else scrollTo(0, 0);
    }
    const keep = () => {
      const first = Math.max(0, Math.ceil(-(place.current?.getBoundingClientRect().top ?? 0) / rowHeight));
      const id = bookAt(pages, first)?.id;
      anchor.current = id === undefined ? undefined : { id, row: first, query };
    };
    keep();
    addEventListener('scroll', keep, { passive: true });
    return () => {
      removeEventListener('scroll', keep);
    };
  }, [pages, queryText, rowHeight]);
}

interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** The column that Tab leads to at first. */
  readonly firstColumn: number;
  readonly rowsInView: number;
  /** Whether several cells can be selected. */
  readonly hasRanges: boolean;
  readonly scrollToRow: (row: number) => void;
}

/**
 * The keyboard of a grid (ARIA Authoring Practices): one cell is in the sequence of Tab, arrows lead to the others. The cell
 * keeps its place while rows are rendered and forgotten around it. With Shift, the cells from the anchor to it are a range.
 */
export function useGridFocus(
  table: RefObject<HTMLElement | null>,
  { rows, columns, firstColumn, rowsInView, hasRanges, scrollToRow }: Grid,
) {
  const [{ active, anchor }, set] = useState<{ active: Cell; anchor: Cell }>(() =>
    at({ row: 0, column: firstColumn }),
  );
  const wanted = useRef(false);
  const hadFocus = table.current?.contains(document.activeElement) === true;

  useLayoutEffect(() => {
    const isLost = hadFocus && document.activeElement === document.body; // With a row that is gone.
    if (!wanted.current && !isLost) {
      const focused = cellOf(document.activeElement, table.current);
      if (focused !== undefined && focused.row !== active.row) set(at(focused)); // Its book has moved: keys are for that.
      return;
    }
    const row = Math.min(active.row, rows - 1);
    const cell = table.current?.querySelector(`[data-cell="${row}:${active.column}"]`);
    if (!(cell instanceof HTMLElement)) return;
    wanted.current = false;
    const inner = cell.querySelector<HTMLElement>('a:not(.cell-filter), button, input');
    (inner ?? cell).focus({ preventScroll: true });
  });

  const go = (row: number, column: number, isRange = false) => {
    const next = {
      row: Math.max(0, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    };
    wanted.current = true;
    scrollToRow(next.row);
    set(isRange ? { active: next, anchor } : at(next));
  };

  const { row, column } = active;
  const steps: Readonly<Record<string, readonly [row: number, column: number]>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
    PageDown: [row + rowsInView, column],
    PageUp: [row - rowsInView, column],
    Home: [row, 0],
    End: [row, columns - 1],
    'Control+Home': [0, 0],
    'Control+End': [rows - 1, columns - 1],
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
    if (event.altKey || event.metaKey || (event.shiftKey && !hasRanges)) return;
    const step = steps[`${event.ctrlKey ? 'Control+' : ''}${event.key}`];
    if (step === undefined) return;
    event.preventDefault();
    go(...step, event.shiftKey);
  };

  /** Follows the focus, by keyboard or pointer. */
  const onFocusIn = (event: FocusEvent) => {
    const cell = cellOf(event.target as Element, table.current);
    if (cell !== undefined && (cell.row !== active.row || cell.column !== active.column)) set(at(cell));
  };

  /** Ends a range, without a move of the focus. */
  const endRange = () => {
    set(at(active));
  };

  return { active, anchor, onKeyDown, onFocusIn, go, endRange };
}

/** The cell of a table that an element is in. */
function cellOf(element: Element | null, table: HTMLElement | null): Cell | undefined {
  const cell = element?.closest<HTMLElement>('[data-cell]');
  if (!cell || table?.contains(cell) !== true) return undefined;
  const [row = 0, column = 0] = (cell.dataset.cell ?? '').split(':').map(Number);
  return { row, column };
}

/** A cell without a range. */
const at = (cell: Cell) => ({ active: cell, anchor: cell });
