import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A cell of the grid, counted from 0. Row -1 is the header. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** The column that Tab leads to at first. */
  readonly firstColumn: number;
  readonly rowsInView: number;
  readonly scrollToRow: (row: number) => void;
}

/**
 * The keyboard of a grid (ARIA Authoring Practices): one cell is in the sequence of Tab, arrows lead to the others. The cell
 * keeps its place while rows are rendered and forgotten around it.
 */
export function useGridFocus(
  table: RefObject<HTMLElement | null>,
  { rows, columns, firstColumn, rowsInView, scrollToRow }: Grid,
) {
  const [active, setActive] = useState<Cell>({ row: 0, column: firstColumn });
  const wanted = useRef(false);
  const hadFocus = table.current?.contains(document.activeElement) === true;

  useLayoutEffect(() => {
    const isLost = hadFocus && document.activeElement === document.body; // With a row that is gone.
    if (!wanted.current && !isLost) return;
    const row = Math.min(active.row, rows - 1);
    const cell = table.current?.querySelector(`[data-cell="${row}:${active.column}"]`);
    if (!(cell instanceof HTMLElement)) return;
    wanted.current = false;
    const inner = cell.querySelector<HTMLElement>('a, button, input');
    (inner ?? cell).focus({ preventScroll: true });
  });

  const go = (row: number, column: number) => {
    const next = {
      row: Math.max(0, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    };
    wanted.current = true;
    scrollToRow(next.row);
    setActive(next);
  };

  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      go(active.row + 1, active.column);
    },
    ArrowUp: () => {
      go(active.row - 1, active.column);
    },
    ArrowRight: () => {
      go(active.row, active.column + 1);
    },
    ArrowLeft: () => {
      go(active.row, active.column - 1);
    },
    PageDown: () => {
      go(active.row + rowsInView, active.column);
    },
    PageUp: () => {
      go(active.row - rowsInView, active.column);
    },
    Home: () => {
      go(active.row, 0);
    },
    End: () => {
      go(active.row, columns - 1);
    },
    'Control+Home': () => {
      go(0, 0);
    },
    'Control+End': () => {
      go(rows - 1, columns - 1);
    },
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const step = steps[`${event.ctrlKey ? 'Control+' : ''}${event.key}`];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };

  /** Follows the focus, however it came to a cell. */
  const onFocusIn = (event: FocusEvent) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-cell]');
    const [row = 0, column = 0] = (cell?.dataset.cell ?? '').split(':').map(Number);
    if (cell !== null && (row !== active.row || column !== active.column)) setActive({ row, column });
  };

  return { active, onKeyDown, onFocusIn, go };
}
