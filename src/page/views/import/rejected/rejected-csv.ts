import type { Table } from '../../../state/importing/reading/table.ts';
import type { Rejected } from '../../../state/importing/rows.ts';
import { formatCsv, saveFile } from '../../export.tsx';
import { cellText, describeReason } from '../describe.ts';

/** Saves rejected rows with their lines and reasons: once corrected, they can be imported. */
export function saveRejected({ columns, unit }: Table, rejected: readonly Rejected[]): void {
  const head = [...columns, unit, 'reason'];
  const rows = rejected.map(({ row: { line, cells }, reason }) => [
    ...columns.map((_, at) => cellText(cells[at])),
    line,
    describeReason(reason),
    ...cells.slice(columns.length).map(cellText),
  ]);
  saveFile('rejected.csv', ['\uFEFF', formatCsv([head, ...rows])], 'text/csv;charset=utf-8');
}
