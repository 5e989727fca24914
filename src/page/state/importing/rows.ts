import { fieldNames, type BookFields, type FieldName } from '../../../catalogue/fields.ts';
import { cellOf as joinCell, type Mapping } from '../../../import/columns.ts';
import type { FieldProblem } from '../../../formats/problems.ts';
import { readFields } from '../../../import/read-fields.ts';
import type { Fault, Table, TableRow } from './reading/table.ts';

/** Why a row is not imported: what is wrong with it, or what the service says about it. */
export type Reason =
  | { readonly kind: 'record'; readonly problem: FieldProblem }
  | { readonly kind: Fault }
  | { readonly kind: 'service'; readonly message: string };

/** A row that is not imported. */
export interface Rejected {
  readonly row: TableRow;
  readonly reason: Reason;
}

/** Reads a row as a book. */
export function readRow(row: TableRow, mapping: Mapping): { fields: BookFields } | { reason: Reason } {
  if (row.fault !== undefined) return { reason: { kind: row.fault } };
  const parsed = readFields((name) => cellOf(row, mapping, name), row.mayLackTitle);
  return 'problem' in parsed ? { reason: { kind: 'record', problem: parsed.problem } } : parsed;
}

/** The value of a field; an empty cell is filled from the column that stands in for it. */
export function cellOf({ cells }: TableRow, mapping: Mapping, name: FieldName): unknown {
  const column = mapping[name];
  const { at = -1, instead = -1 } = column ?? {};
  const own = cells[at];
  const cell = own === '' || own === undefined || own === null ? (cells[instead] ?? own) : own;
  return typeof cell === 'string' ? joinCell(cell, column) : cell;
}

/** A mapping in which a field is taken from another column; `undefined`: from none. */
export function changeMapping(
  mapping: Mapping,
  field: FieldName,
  at: number | undefined,
  columns: readonly string[],
): Mapping {
  const column = at === undefined ? {} : { [field]: { name: columns[at] ?? '', at } };
  const others = fieldNames.filter((name) => name !== field && mapping[name] !== undefined);
  return { ...Object.fromEntries(others.map((name) => [name, mapping[name]])), ...column };
}

/** The number of rows that are read without giving the browser a chance to do something else. */
const sliceRows = 2000;

/** Finds the rows that are not books, in slices. */
export async function findRejected(
  { rows }: Table,
  mapping: Mapping,
  signal: AbortSignal,
): Promise<readonly Rejected[]> {
  const rejected: Rejected[] = [];
  for (const [i, row] of rows.entries()) {
    if (i % sliceRows === sliceRows - 1) await pause();
    if (signal.aborted) break;
    const read = readRow(row, mapping);
    if ('reason' in read) rejected.push({ row, reason: read.reason });
  }
  return rejected;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
