import { InvalidArgumentError, Option, type Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { fields, type Chosen } from '../import/columns.ts';
import { createOutcome, describeMapping, handled, summarize } from '../import/outcome.ts';
import { transfer, type TransferOptions } from '../import/transfer.ts';
import { watchInterrupt } from '../interrupt.ts';
import { counted, type Io } from '../io.ts';

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

interface ImportOptions extends TransferOptions {
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
    await transfer(io, file, options, {
      outcome,
      signal,
      onStart: (start) => {
        if (!json) describeMapping(io, start);
      },
    });
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
