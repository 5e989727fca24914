import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { fields, type Chosen } from '../import/columns.ts';
import {
  createOutcome,
  describeMapping,
  handled,
  reject,
  summarize,
  type Outcome,
} from '../import/outcome.ts';
import { forEachAtOnce } from '../import/pool.ts';
import { createProgress, noProgress, type Progress } from '../progress.ts';
import { openRejects, type Rejects } from '../import/rejects.ts';
import type { Row } from '../import/row.ts';
import { readRows } from '../import/rows.ts';
import { openSource, type Source } from '../import/source.ts';
import { createTarget, type OnDuplicate, type Target } from '../import/target.ts';
import { watchInterrupt } from '../interrupt.ts';
import { counted, type Io } from '../io.ts';
import { withSession, type SessionOptions } from '../session.ts';

/** Books that are on their way to the service at once: its store writes those together. */
const booksAtOnce = 64;

const help = `
The file is CSV (with commas, semicolons or tabs; the first line names the columns), a
JSON array, or NDJSON; in UTF-8, UTF-16 or Windows-1252. Title, author and year are
found by the usual names, those of Goodreads, LibraryThing, calibre and goodbooks
among them; name others with --map. A row without a title, or with a year that is no
whole number, is left out and listed; an empty year is 0.

--on-duplicate says what becomes of a row that is there already: the same title,
author and year but for case, accents and spacing. \`add\` adds it again, so that a file
imported twice is there twice; \`skip\` leaves it; \`update\` gives the book the row's
spelling. After an import that was stopped, the same again with \`skip\` adds what is
missing. Ids in a file are not taken over: the service gives its own.

Examples:
  $ shelflist import books.csv
  $ shelflist import books.csv --dry-run
  $ shelflist import books.csv --map title=Titel --map author=Verfasser
  $ shelflist import books.csv --on-duplicate skip --rejects left-out.csv
  $ shelflist import - --json < books.ndjson
  $ shelflist import books.json --url https://books.example.org --username ada`;

interface ImportOptions extends SessionOptions {
  map?: Chosen;
  onDuplicate: OnDuplicate;
  rejects?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function defineImport(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .argument('<file>', 'a CSV, JSON or NDJSON file, or - for standard input')
    .option('-m, --map <field=column>', 'the column of a field: title, author or year', parseMap)
    .addOption(
      new Option('--on-duplicate <action>', 'what to do with a book that is there already')
        .choices(['add', 'skip', 'update'])
        .default('add'),
    )
    .option('--rejects <file>', 'write the rows that are left out to a new file')
    .option('-n, --dry-run', 'change and write nothing: show the columns, and what would be done')
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) => importFile(io, file, options));
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
  const { json = false, dryRun = false } = options;
  const outcome = createOutcome();
  const begun = Date.now();
  const interrupt = watchInterrupt(io.env);
  const { signal } = interrupt;
  let failure: unknown;
  try {
    await transfer(io, file, options, outcome, signal);
  } catch (error) {
    failure = error;
  }
  if (signal.aborted && file === '-' && io.stdin.isTTY) io.stderr.write('\n'); // After the ^C.
  const nothingYet = handled(outcome) === 0;
  if (failure === undefined ? !signal.aborted || outcome.start : !nothingYet)
    await summarize(io, outcome, { seconds: (Date.now() - begun) / 1000, json, dryRun });
  await interrupt.settled();
  interrupt.release();
  if (signal.aborted)
    failure = new ShelflistError('interrupted', { message: 'stopped before the end of the file' });
  if (failure !== undefined) throw outcome.added > 0 && !dryRun ? withAdvice(failure) : failure;
  if (outcome.rejected > 0)
    throw new ShelflistError('failed', { message: `left out ${counted(outcome.rejected, 'row')}` });
}

/** An import that was stopped can be finished; a file that is damaged stays so. */
function withAdvice(failure: unknown): unknown {
  if (!(failure instanceof ShelflistError) || failure.code === 'failed') return failure;
  const { code, message, headers } = failure;
  return new ShelflistError(code, {
    message: `${message}; the same again with --on-duplicate skip adds what is missing`,
    headers,
    cause: failure,
  });
}

/** Reads the file, and brings its rows to the service. */
async function transfer(
  io: Io,
  file: string,
  options: ImportOptions,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<void> {
  const rejects = await openRejects(io, options.dryRun ? undefined : options.rejects);
  const failed = new AbortController(); // A row that fails ends the source too: it may have nothing more to say.
  const stop = AbortSignal.any([signal, failed.signal]);
  const run = async (source: Source, target: Target) => {
    const isTyped = file === '-' && io.stdin.isTTY === true; // A bar would get in the way.
    const progress = isTyped ? noProgress : await createProgress(io, source.size, 'books');
    try {
      await send(io, source, target, { rejects, progress, outcome, stop, failed, options });
    } finally {
      progress.stop();
    }
  };
  try {
    const source = await openSource(io, file, stop);
    const start = async (client?: Client) => run(source, await createTarget(client, options, signal));
    if (options.dryRun && options.onDuplicate === 'add') await start();
    else await withSession(io, options, start);
  } finally {
    await rejects.close();
  }
}

interface Work {
  rejects: Rejects;
  progress: Progress;
  outcome: Outcome;
  stop: AbortSignal;
  failed: AbortController;
  options: ImportOptions;
}

async function send(
  io: Io,
  source: Source,
  target: Target,
  { rejects, progress, outcome, stop, failed, options }: Work,
): Promise<void> {
  const rows = readRows(source.chunks, {
    chosen: options.map ?? {},
    onStart: (start) => {
      outcome.start = start;
      rejects.start(start);
      if (!options.json) describeMapping(io, start);
      progress.start();
    },
  });
  await forEachAtOnce(until(stop, rows), booksAtOnce, async (row) => {
    const result = 'reason' in row ? row : await target.bring(row.fields).catch(endWith(failed));
    if (typeof result === 'string') outcome[result]++;
    else {
      reject(outcome, row, result.reason);
      await rejects.add(row, result.reason);
    }
    progress.update(source.bytesRead(), handled(outcome));
  });
}

/** Passes an error on, and ends what listens to the controller. */
function endWith(failed: AbortController): (error: unknown) => never {
  return (error) => {
    failed.abort();
    throw error;
  };
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
