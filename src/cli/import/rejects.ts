import type { WriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { ShelflistError } from '../../errors.ts';
import type { Io } from '../io.ts';
import { createCsvFormat } from '../output/csv.ts';
import type { Row, RowsStart } from './row.ts';

/** A file of the rows that were left out, in the form of the file they are from, each with its line and the reason. */
export interface Rejects {
  start(start: RowsStart): void;
  add(row: Pick<Row, 'line' | 'original'>, reason: string): Promise<void>;
  /** Ends the file; takes it away if it holds nothing. */
  close(): Promise<void>;
}

const nowhere: Rejects = {
  start: () => undefined,
  add: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** @throws {ShelflistError} `failed`: there is such a file already, or it cannot be made. */
export async function openRejects(io: Io, file: string | undefined): Promise<Rejects> {
  if (file === undefined) return nowhere;
  const path = resolve(io.directory, file);
  const stream = await createFile(path, file);
  const formatCsv = await createCsvFormat();
  let format = (row: Pick<Row, 'line' | 'original'>, reason: string) => formatJson(row, reason);
  let head = '';
  let count = 0;
  return {
    start({ header }) {
      if (header === undefined) return;
      head = formatCsv([[...header, 'line', 'reason']]);
      format = ({ line, original }, reason) => {
        const cells = Array.isArray(original) ? (original as string[]) : [String(original)];
        const filled = header.map((_, i) => cells[i] ?? '');
        return formatCsv([[...filled, String(line), reason, ...cells.slice(header.length)]]);
      };
    },
    async add(row, reason) {
      const text = (count++ === 0 ? head : '') + format(row, reason);
      await new Promise<void>((done, fail) => {
        stream.write(text, (error) => {
          if (error) fail(cannotWrite(file, error));
          else done();
        });
      });
    },
    async close() {
      stream.end();
      await finished(stream).catch(() => undefined); // Whoever wrote to it has been told.
      if (count === 0) await rm(path, { force: true });
    },
  };
}

/** Never over another file: it may be the rows of the last import, mended by hand. */
async function createFile(path: string, file: string): Promise<WriteStream> {
  try {
    const handle = await open(path, 'wx');
    const stream = handle.createWriteStream();
    stream.on('error', () => undefined); // Whoever writes is told.
    return stream;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(file, error);
    throw new ShelflistError('failed', {
      message: `${file} is there already; name another file for the rejects`,
    });
  }
}

function cannotWrite(file: string, error: unknown): ShelflistError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
  return new ShelflistError('failed', {
    message: `cannot write the rejects to ${file} (${code})`,
    cause: error,
  });
}

function formatJson({ line, original }: Pick<Row, 'line' | 'original'>, reason: string): string {
  const isObject = typeof original === 'object' && original !== null && !Array.isArray(original);
  try {
    return `${JSON.stringify({ ...(isObject ? original : { value: original }), line, reason })}\n`;
  } catch {
    return `${JSON.stringify({ line, reason })}\n`; // Nested so deep that it cannot be written.
  }
}
