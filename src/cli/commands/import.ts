import { InvalidArgumentError, type Command } from 'commander';
import type { BookFields } from '../../book.ts';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { createClientCommand } from '../arguments.ts';
import { fields, type Field } from '../import/columns.ts';
import { describeMapping, rejection, summarize, type Outcome } from '../import/outcome.ts';
import { forEachAtOnce } from '../import/pool.ts';
import { createProgress, type Progress } from '../import/progress.ts';
import { readRows, type Row } from '../import/rows.ts';
import { openSource, type Source } from '../import/source.ts';
import { watchInterrupt } from '../interrupt.ts';
import { counted, type Io } from '../io.ts';
import { withSession, type SessionOptions } from '../session.ts';

/** Books that are on their way to the service at once: its store writes those together. */
const booksAtOnce = 64;

type Chosen = Partial<Record<Field, string>>;

const help = `
Commas, semicolons or tabs separate the columns, and the first line names them.
Title, author and year are found by the usual names (title, author or authors, year
or original_publication_year, …); name others with --map. A row without a title, or
with a year that is no whole number, is left out and listed; an empty year is 0.
Importing a file twice adds its books twice.

Examples:
  $ shelflist import books.csv
  $ shelflist import books.csv --map title=Titel --map author=Verfasser
  $ shelflist import - < books.csv`;

export function importCommand(io: Io): Command {
  return createClientCommand('import')
    .description('add the books of a CSV file')
    .argument('<file>', 'a CSV file in UTF-8, or - for standard input')
    .option('-m, --map <field=column>', 'the column of a field: title, author or year', parseMap)
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) => importFile(io, file, options));
}

interface ImportOptions extends SessionOptions {
  map?: Chosen;
  json?: boolean;
}

function parseMap(value: string, chosen: Chosen = {}): Chosen {
  const [name = '', ...rest] = value.split('=');
  const field = fields.find((known) => known === name.trim().toLowerCase());
  if (field === undefined || rest.length === 0) {
    throw new InvalidArgumentError('Write title=COLUMN, author=COLUMN or year=COLUMN.');
  }
  return { ...chosen, [field]: rest.join('=') };
}

async function importFile(io: Io, file: string, options: ImportOptions): Promise<void> {
  const outcome: Outcome = { begun: false, added: 0, rejected: [] };
  const start = Date.now();
  const interrupt = watchInterrupt();
  const { signal } = interrupt;
  let failed = true;
  try {
    const source = await openSource(io, file, signal);
    await withSession(io, options, async (client) => {
      const progress = await createProgress(io, source.size, 'books');
      try {
        await send(io, client, source, options.map ?? {}, outcome, progress, signal);
      } finally {
        progress.stop();
      }
    });
    failed = false;
  } finally {
    interrupt.release();
    if (signal.aborted && file === '-' && io.stdin.isTTY) io.stderr.write('\n'); // After the ^C.
    const nothingYet = outcome.added + outcome.rejected.length === 0;
    if (outcome.begun && !(failed && nothingYet))
      summarize(io, outcome, (Date.now() - start) / 1000, options.json === true);
  }
  if (signal.aborted)
    throw new ShelflistError('interrupted', { message: 'stopped before the end of the file' });
  if (outcome.rejected.length > 0) {
    throw new ShelflistError('failed', { message: `left out ${counted(outcome.rejected.length, 'row')}` });
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
      outcome.begun = true;
      describeMapping(io, header, mapping);
      progress.start();
    },
  });
  await forEachAtOnce(until(signal, rows), booksAtOnce, async (row) => {
    const reason = 'reason' in row ? row.reason : await create(client, row.fields);
    if (reason === undefined) outcome.added++;
    else outcome.rejected.push({ line: row.line, reason });
    progress.update(source.bytesRead(), outcome.added);
  });
}

/** Adds a book; gives the reason when the service refuses it for what it holds. */
async function create(client: Client, book: BookFields): Promise<string | undefined> {
  try {
    await client.create(book);
    return undefined;
  } catch (error) {
    const reason = rejection(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

async function* until(signal: AbortSignal, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    for await (const row of rows) {
      if (signal.aborted) return;
      yield row;
    }
  } catch (error) {
    if (!signal.aborted) throw error; // Else it is the source, which was told to stop.
  }
}
