// The widths of the columns of the table that a reader has chosen, in this browser.
import { type FieldName, fieldNames } from '../../catalogue/fields.ts';
import { asObject, createSignal, readJson, writeJson } from './signal.ts';

/** In percent of the table. A column without one has its usual width, and the first column gets the rest. */
export type ColumnWidths = Readonly<Partial<Record<FieldName, number>>>;

const key = 'widths';
const minPercent = 6;

export const columnWidths = createSignal(readWidths(readJson(key, 'localStorage')));

/** Keeps the widths for the next start; `undefined`: the usual ones. */
export function keepWidths(widths: ColumnWidths | undefined): void {
  columnWidths.set(widths ?? {});
  writeJson(key, widths, 'localStorage');
}

/** The widths of two columns after the line between them has moved, in percent. Neither gets too narrow. */
export function moveBetween(before: number, after: number, by: number): [before: number, after: number] {
  const sum = before + after;
  const moved = Math.min(Math.max(before + by, minPercent), Math.max(sum - minPercent, minPercent));
  return [moved, sum - moved];
}

/** Reads the stored widths, and drops what another version or program wrote. */
export function readWidths(stored: unknown): ColumnWidths {
  const kept = asObject(stored);
  const entries = fieldNames.flatMap((name) => {
    const width = kept[name];
    return typeof width === 'number' && width >= minPercent && width <= 100 ? [[name, width] as const] : [];
  });
  const sum = entries.reduce((total, [, width]) => total + width, 0);
  return sum > 100 - minPercent ? {} : Object.fromEntries(entries);
}
