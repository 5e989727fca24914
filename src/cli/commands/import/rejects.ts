import { describe, type RowProblem } from '../../../formats/problems.ts';
import { rejectsFormat } from '../../../import/rejects.ts';
import type { BookRow, Start } from '../../../import/row.ts';
import type { Io } from '../../io.ts';
import { openRejectsFile } from './rejects-file.ts';

/** Writes the rows that are left out to a file. An import that is repeated continues its file. */
export interface Rejects {
  /** @throws {ShelflistError} `failed`: the file exists, and this import did not write it. */
  start(start: Start): void;
  add(row: BookRow, problem: RowProblem): Promise<void>;
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
  const output = await openRejectsFile(io, file);
  let format = rejectsFormat({});
  return {
    start(start) {
      format = rejectsFormat(start);
      const { head } = format;
      output.begin(head === '' ? isJsonOfRejects : (text) => text.startsWith(head));
    },
    add: (row, problem) => output.add(format.row(row, describe(problem)), format.head),
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
