import type { Io } from '../../io.ts';
import { createCsvFormat } from '../../../formats/csv.ts';
import type { Row, RowsStart } from './reading/row.ts';
import { openRejectsFile } from './rejects-file.ts';

/**
 * Writes the rows that are left out to a file, in the format of the source, each with its line and the reason. An import that
 * is repeated continues its file.
 */
export interface Rejects {
  /** @throws {ShelflistError} `failed`: the file exists, and this import did not write it. */
  start(start: RowsStart): void;
  add(row: Pick<Row, 'line' | 'original'>, reason: string): Promise<void>;
  /** Ends the file, and removes it if it is empty. */
  close(): Promise<void>;
}

const nowhere: Rejects = {
  start: () => undefined,
  add: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** @throws {ShelflistError} `failed`: the file cannot be created. */
export async function openRejects(io: Io, file: string | undefined): Promise<Rejects> {
  if (file === undefined) return nowhere;
  const formatCsv = await createCsvFormat();
  const output = await openRejectsFile(io, file);
  let format = (row: Pick<Row, 'line' | 'original'>, reason: string) => formatJson(row, reason);
  let head = '';
  return {
    start({ header }) {
      if (header === undefined) {
        output.begin(isJsonOfRejects);
        return;
      }
      head = formatCsv([[...header, 'line', 'reason']]);
      output.begin((text) => text.startsWith(head));
      format = ({ line, original }, reason) => {
        const cells = Array.isArray(original) ? (original as string[]) : [String(original)];
        const filled = header.map((_, i) => cells[i] ?? '');
        return formatCsv([[...filled, String(line), reason, ...cells.slice(header.length)]]);
      };
    },
    add: (row, reason) => output.add(format(row, reason), head),
    close: () => output.close(),
  };
}

/** Whether the first line is a row of a rejects file. */
function isJsonOfRejects(text: string): boolean {
  try {
    const first: unknown = JSON.parse(text.split('\n', 1)[0] ?? '');
    return typeof first === 'object' && first !== null && 'line' in first && 'reason' in first;
  } catch {
    return false;
  }
}

function formatJson({ line, original }: Pick<Row, 'line' | 'original'>, reason: string): string {
  const isObject = typeof original === 'object' && original !== null && !Array.isArray(original);
  try {
    return `${JSON.stringify({ ...(isObject ? original : { value: original }), line, reason })}\n`;
  } catch {
    return `${JSON.stringify({ line, reason })}\n`; // Nested too deep for JSON.stringify.
  }
}
