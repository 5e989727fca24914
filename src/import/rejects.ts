// The file of rows that are left out.
import { formatCsv } from '../formats/csv.ts';
import type { BookRow, FileHeader } from './row.ts';

type RejectedRow = Pick<BookRow, 'line' | 'original'>;

/** How rows that are left out are written, each with its line and the reason. A corrected table can be imported. */
interface RejectsFormat {
  /** What precedes the rows: in CSV, the columns. */
  readonly head: string;
  /** A row with its line end. */
  readonly row: (row: RejectedRow, reason: string) => string;
}

/** CSV for CSV, else NDJSON. */
export function rejectsFormat({ header }: Pick<FileHeader, 'header'>): RejectsFormat {
  if (header === undefined) return { head: '', row: formatJson };
  return {
    head: formatCsv([[...header, 'line', 'reason']]),
    row: ({ line, original }, reason) => {
      const cells = Array.isArray(original) ? original.map(String) : [String(original)];
      const filled = header.map((_, i) => cells[i] ?? '');
      return formatCsv([[...filled, String(line), reason, ...cells.slice(header.length)]]);
    },
  };
}

function formatJson({ line, original }: RejectedRow, reason: string): string {
  const isObject = typeof original === 'object' && original !== null && !Array.isArray(original);
  try {
    return `${JSON.stringify({ ...(isObject ? original : { value: original }), line, reason })}\n`;
  } catch {
    return `${JSON.stringify({ line, reason })}\n`; // Nested too deep for JSON.stringify.
  }
}
