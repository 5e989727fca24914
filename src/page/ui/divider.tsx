import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type FieldName, nameField } from '../../catalogue/fields.ts';
import { columnWidths, keepWidths, moveBetween } from '../state/column-widths.ts';
import { texts } from '../texts/current.ts';

/** The step of a key, in percent of the table. */
const step = 2;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -step,
  ArrowRight: step,
  Home: -100,
  End: 100,
};

interface Drag {
  readonly from: number;
  readonly shares: readonly [before: number, after: number];
}

/** How far a pointer can move during a click, in pixels. */
const maxJitter = 3;

/**
 * The line between two columns, in the header of the first one. Users drag it, move it with the arrow keys (ARIA Authoring
 * Practices), or pick it up with one click and put it down with a second one (WCAG 2.5.7).
 */
export function Divider({ before, after }: { before: FieldName; after: FieldName }): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const hasMoved = useRef(false);
  const [isHeld, setHeld] = useState(false);
  /** The share of the first column in both, in percent. Measured on demand. */
  const [value, setValue] = useState(50);
  const tableWidth = () => element.current?.closest('table')?.offsetWidth ?? 1;
  const measure = (): Drag['shares'] => {
    const head = element.current?.parentElement;
    const next = head?.nextElementSibling;
    const share = (each: Element | null | undefined) =>
      each instanceof HTMLElement ? (100 * each.offsetWidth) / tableWidth() : 0;
    return [share(head), share(next)];
  };
  const move = ([first, second]: Drag['shares'], by: number) => {
    const [left, right] = moveBetween(first, second, by);
    setValue(Math.round((100 * left) / (left + right)));
    // The first column of the table gets the rest.
    columnWidths.set({
      ...columnWidths.value,
      ...(before !== nameField && { [before]: left }),
      [after]: right,
    });
  };
  const keep = () => {
    keepWidths(columnWidths.value);
  };
  useEffect(() => {
    if (!isHeld) return;
    const putDown = (event: MouseEvent) => {
      const { current: line } = element;
      const target = event.target as Node;
      if (line === null || line.contains(target)) return; // A click on the line itself releases it.
      setHeld(false);
      if (line.closest('thead')?.contains(target) !== true) return;
      event.stopPropagation(); // This click does not sort.
      move(measure(), (100 * (event.clientX - line.getBoundingClientRect().right)) / tableWidth());
      keep();
    };
    addEventListener('click', putDown, true);
    return () => {
      removeEventListener('click', putDown, true);
    };
  }, [isHeld]);
  return (
    <div
      ref={element}
      class={isHeld ? 'divider held' : 'divider'}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={texts.books.widthOf(texts.fields[before])}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      title={texts.books.widthHint}
      onFocus={() => {
        const [left, right] = measure();
        setValue(Math.round((100 * left) / (left + right || 1)));
      }}
      onKeyDown={(event) => {
        const by = steps[event.key];
        if (by !== undefined) {
          move(measure(), by);
          keep();
        } else if (event.key === 'Enter') keepWidths(undefined);
        else return;
        event.preventDefault();
        event.stopPropagation(); // The arrows of the table lead to its cells.
      }}
      onClick={() => {
        setHeld(!isHeld && !hasMoved.current);
      }}
      onDblClick={() => {
        keepWidths(undefined);
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: event.clientX, shares: measure() };
        hasMoved.current = false;
      }}
      onPointerMove={(event) => {
        if (drag.current === undefined) return;
        const by = event.clientX - drag.current.from;
        hasMoved.current ||= Math.abs(by) > maxJitter;
        if (hasMoved.current) move(drag.current.shares, (100 * by) / tableWidth());
      }}
      onLostPointerCapture={() => {
        if (hasMoved.current) keep();
        drag.current = undefined;
      }}
    />
  );
}
