import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { createClientCommand } from '../arguments.ts';
import { fields, type Field, type Mapping } from '../import/columns.ts';
import { forEachAtOnce } from '../import/pool.ts';
import { createProgress, type Progress } from '../import/progress.ts';
import { readRows, type Row } from '../import/rows.ts';
import { watchInterrupt } from '../interrupt.ts';
import { counted, notice, type Io } from '../io.ts';
import { withSession, type SessionOptions } from '../session.ts';

/** Books that are on their way to the service at once: its store writes those together. */
const booksAtOnce = 64;
/** Rejected rows that are listed one by one. */
const listedRejects = 20;

type Chosen = Partial<Record<Field, string>>;

const help = `
The first line names the columns. Title, author and year are found by the usual
names (title, author or authors, year or original_publication_year, …); name others
with --map. A row without a title, or with a year that is no whole number, is left
out and listed; an empty year is 0. Importing a file twice adds its books twice.

Examples:
  $ shelflist import books.csv
  $ shelflist import books.csv --map title=Titel --map author=Verfasser
  $ shelflist import - < books.csv`;

export function importCommand(io: Io): Command {
  return createClientCommand('import')
    .description('add the books of a CSV file')
    .argument('<file>', 'a CSV file in UTF-8, or - for standard input')
    .option('-m, --map <field=column>', 'the column of a field: title, author or year', parseMap, {})
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) => importFile(io, file, options));
}

interface ImportOptions extends SessionOptions {
  map: Chosen;
  json?: boolean;
}

function parseMap(value: string, chosen: Chosen): Chosen {
  const [name = '', ...rest] = value.split('=');
  const field = fields.find((known) => known === name.trim().toLowerCase());
  if (field === undefined || rest.length === 0) {
    throw new InvalidArgumentError('Write title=COLUMN, author=COLUMN or year=COLUMN.');
  }
  return { ...chosen, [field]: rest.join('=') };
}

interface Outcome {
  added: number;
  rejected: { line: number; reason: string }[];
}

async function importFile(io: Io, file: string, options: ImportOptions): Promise<void> {
  const source = await openSource(io, file);
  const outcome: Outcome = { added: 0, rejected: [] };
  const start = Date.now();
  const interrupt = watchInterrupt();
  try {
    await withSession(io, options, async (client) => {
      const progress = await createProgress(io, source.size, 'books');
      try {
        await send(io, client, source, options.map, outcome, progress, interrupt.signal);
      } finally {
        progress.stop();
      }
    });
  } finally {
    interrupt.release();
    summarize(io, outcome, (Date.now() - start) / 1000, options);
  }
  if (interrupt.signal.aborted)
    throw new ShelflistError('interrupted', { message: 'stopped before the end of the file' });
  if (outcome.rejected.length > 0) {
    throw new ShelflistError('failed', { message: `left out ${counted(outcome.rejected.length, 'row')}` });
  }
}

interface Source {
  chunks: AsyncIterable<Uint8Array>;
  size: number | undefined;
  bytesRead: () => number;
}

async function openSource(io: Io, file: string): Promise<Source> {
  if (file === '-') {
    return { chunks: io.stdin as AsyncIterable<Buffer>, size: undefined, bytesRead: () => 0 };
  }
  const path = resolve(io.directory, file);
  try {
    const handle = await open(path);
    const stat = await handle.stat();
    if (stat.isDirectory()) {
      await handle.close();
      throw Object.assign(new Error(), { code: 'EISDIR' });
    }
    const stream = handle.createReadStream();
    return { chunks: stream as AsyncIterable<Buffer>, size: stat.size, bytesRead: () => stream.bytesRead };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ShelflistError('failed', {
      message:
        code === 'ENOENT' ? `there is no file ${file}` : `cannot read ${file} (${code ?? 'unknown reason'})`,
    });
  }
}

async function send(
  io: Io,
  client: Client,
  source: Source,
  chosen: Chosen,
  outcome: Outcome,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const rows = readRows(source.chunks, {
    chosen,
    onMapping: (header, mapping) => {
      describeMapping(io, header, mapping);
    },
  });
  await forEachAtOnce(until(signal, rows), booksAtOnce, async (row) => {
    if ('reason' in row) outcome.rejected.push(row);
    else {
      await client.create(row.fields);
      outcome.added++;
    }
    progress.update(source.bytesRead(), outcome.added);
  });
}

async function* until(signal: AbortSignal, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (signal.aborted) return;
    yield row;
  }
}

function describeMapping(io: Io, header: readonly string[], mapping: Mapping): void {
  const parts = fields.map((field) => {
    const column = mapping[field];
    return column === undefined ? `no ${field}` : `${field} from "${header[column] ?? ''}"`;
  });
  notice(io, `importing ${parts.join(', ')}`);
}

function summarize(io: Io, { added, rejected }: Outcome, seconds: number, { json }: ImportOptions): void {
  if (json) {
    io.stdout.write(`${JSON.stringify({ added, rejected })}\n`);
    return;
  }
  for (const { line, reason } of rejected.slice(0, listedRejects))
    notice(io, `line ${line} left out: ${reason}`);
  if (rejected.length > listedRejects) notice(io, `… and ${rejected.length - listedRejects} more`);
  notice(io, `added ${counted(added, 'book')} in ${seconds.toFixed(1)} s, left out ${rejected.length}`);
}
