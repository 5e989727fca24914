import { useLayoutEffect, useRef } from 'preact/hooks';
import { fieldNames } from '../../catalogue/fields.ts';
import { type Cell, rangeOf, selectedCells, sizeOf } from '../state/cells.ts';
import { list } from '../state/live.ts';
import { type Column, isField } from './row.tsx';

interface Options {
  readonly columns: readonly Column[];
  readonly active: Cell;
  /** The other corner of the range. */
  readonly anchor: Cell;
  readonly go: (row: number, column: number, isRange?: boolean) => void;
  readonly endRange: () => void;
  readonly canWrite: boolean;
}

/** The rows of a range whose books are watched: more are hardly in memory. */
const maxWatched = 2000;

/** The selected cells of the table: Shift, and the mouse while its button is down, extend them. */
export function useCellRange({ columns, active, anchor, go, endRange, canWrite }: Options) {
  const isDragging = useRef(false);
  const firstField = columns.findIndex(isField);
  const range = rangeOf(anchor, active, firstField, columns.findLastIndex(isField));
  const size = sizeOf(range);
  const isRange = canWrite && anchor !== active && size.rows * size.columns > 1;
  const watched = useRef<{ active: Cell; anchor: Cell; ids: readonly (number | undefined)[] }>(undefined);
  useLayoutEffect(() => {
    const before = watched.current;
    const isSame = before?.active === active && before.anchor === anchor;
    const rows = isRange ? Math.min(size.rows, maxWatched) : 0;
    const ids = Array.from({ length: rows }, (_, i) => list.bookAt(range.from.row + i)?.id);
    // Books have come, gone or moved: a paste would change some that nobody has selected.
    if (isSame && before.ids.some((id, i) => id !== undefined && id !== (ids[i] ?? id))) endRange();
    watched.current = { active, anchor, ids: isSame ? ids.map((id, i) => id ?? before.ids[i]) : ids };
  });
  useLayoutEffect(() => {
    const names = fieldNames.slice(range.from.column - firstField);
    selectedCells.set(canWrite ? { range, names } : undefined);
  }, [active, anchor, canWrite]);
  useLayoutEffect(
    () => () => {
      selectedCells.set(undefined);
    },
    [],
  );

  const onMouse = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const cell = target?.closest<HTMLElement>('tr:not(.editing) > [data-cell]');
    const [row = 0, column = 0] = (cell?.dataset.cell ?? '').split(':').map(Number);
    const name = columns[column];
    if (!canWrite || event.button !== 0 || !cell || name === undefined || !isField(name)) return;
    const isPress = event.type === 'mousedown';
    if (isPress) isDragging.current = !event.shiftKey;
    const isExtending = isPress ? event.shiftKey : isDragging.current && event.buttons === 1;
    const isOther = row !== active.row || column !== active.column;
    const hasFocus = cell.hasAttribute('tabindex') || target?.closest('a') !== null;
    if (isPress && !isExtending && (!hasFocus || (isRange && !isOther))) {
      if (!hasFocus) event.preventDefault(); // The focus would go elsewhere.
      go(row, column);
    } else if (isExtending && isOther) {
      event.preventDefault();
      getSelection()?.removeAllRanges();
      go(row, column, true);
    }
  };

  return { range, isRange, onMouse };
}
