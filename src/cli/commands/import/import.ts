import { InvalidArgumentError, Option, type Command } from 'commander';
import { newBatch } from '../../../catalogue/batch.ts';
import { CommandError } from '../../command-error.ts';
import { addJsonOption, addServiceOptions, delimiterHelp, parseDelimiter } from '../../arguments.ts';
import { isUncertain, runBatch, withAdvice, type Changed } from '../../ui/batches.ts';
import { fieldNames, indexedFields, listFields } from '../../../catalogue/fields.ts';
import { revisionColumn } from '../../../formats/csv.ts';
import { FileError } from '../../../formats/problems.ts';
import type { Chosen } from '../../../import/columns.ts';
import { formatNames } from '../../../formats/file-formats.ts';
import { countDone, emptyReport, type Report } from '../../../import/import-books.ts';
import { summarize, describeMapping, type PreviewOptions } from './report.ts';
import type { Start } from '../../../import/row.ts';
import { transfer, type TransferOptions } from './transfer.ts';
import { counted, notice, paragraph, type Io } from '../../io.ts';

const help = `
${paragraph(
  'The file is CSV (separated by commas, semicolons, tabs or pipes; the first line names the columns), a JSON array, or ' +
    'NDJSON; in UTF-8, UTF-16 or Windows-1252. Name other encodings with --encoding, such as windows-1250, windows-1251, ' +
    `iso-8859-2, koi8-r, ibm866, macintosh, shift_jis, gb18030, big5 or euc-kr. The columns of ${listFields()} are found by ` +
    'their usual names in 16 languages and in the exports of Goodreads, LibraryThing, calibre, BookWyrm, StoryGraph, Libib, ' +
    'Koha and other programs; `shelflist help columns` lists them. Name others with --map.',
)}
${paragraph(
  'Or it is an Excel workbook (.xlsx), whose first row names the columns. With several sheets, name one with --sheet. Formulas give ' +
    'their value, a date in the column of the year gives its year, and empty rows do not count.',
)}
${paragraph(
  'Or it is MARC21 (.mrc, .marc), MARCXML (.xml), RIS (.ris), BibTeX (.bib) or CSL-JSON (.json), as libraries, Zotero and ' +
    'others write them. The extension tells the format; for standard input, name it with --format. Titles include ' +
    'subtitles. Without an author, the editors are used. A date without a year gives the year 0. Each file may be ' +
    'compressed with gzip (.gz).',
)}
${paragraph(
  'A row is left out and listed if it has no title, a year that is not understood, or a byte in one of these columns ' +
    'that is invalid in the encoding of the file. `[1979]`, `c1900`, `1979-80` and `May 2001` are understood. An empty year, or `n.d.`, is 0, unless you add ' +
    '--year-required. --dry-run shows the first books, and the columns that are left out.',
)}
${paragraph(
  `A duplicate has the same ${listFields(indexedFields)} as another book, ignoring case, accents, spacing and punctuation. ` +
    '--on-duplicate decides what happens to it: `add` adds it again, `skip` leaves it out, `update` gives the existing book ' +
    'the spelling of the row. After an import that was interrupted, repeat it with `skip` to add the rest. Without ' +
    '--match, ids in a file are ignored. `shelflist undo` takes an import back.',
)}
${paragraph(
  '--match id imports an export (.xlsx --with-ids, or CSV --excel) that you have edited. A row changes only the fields that you ' +
    'edited. If somebody else has changed the book since the export, the row is left out and listed. Without a revision, a ' +
    'row changes the book as it is now. A row without an id is added, unless the catalogue has the book already ' +
    '(--on-duplicate). Books that the file lacks stay. Repeating the import changes nothing twice. --dry-run lists the changes.',
)}
Examples:
  $ shelflist import books.csv
  $ shelflist import books.csv --dry-run
  $ shelflist import books.txt --delimiter pipe --map title=Titel --map author=Verfasser
  $ shelflist import books.csv --encoding windows-1251 --year-required
  $ shelflist import books.csv --on-duplicate skip --rejects left-out.csv
  $ shelflist import books.xlsx --sheet Fiction
  $ shelflist import books.xlsx --match id --dry-run
  $ shelflist import library.mrc.gz --dry-run
  $ shelflist import list.csv --no-header --map author=1 --map title=2
  $ shelflist import - --format ris --json < zotero.ris
  $ shelflist import books.json --url https://books.example.org --username ada`;

interface ImportOptions extends TransferOptions {
  json?: boolean;
}

export function defineImport(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .argument('<file>', 'the file to read, or - for standard input')
    .addOption(new Option('--format <format>', 'the format of the file').choices(formatNames))
    .option('-m, --map <field=column>', `the column of a field (${fieldNames.join(', ')})`, parseMap)
    .addOption(
      new Option(
        '--on-duplicate <action>',
        'what to do with a duplicate (default: add; with --match: skip)',
      ).choices(['add', 'skip', 'update']),
    )
    .addOption(
      new Option('--match <column>', 'change the books whose ids are in this column').choices(['id']),
    )
    .option(
      '--no-header',
      'the file has no row of column names: its first row is a book. Columns are numbers: 1 title, 2 author, 3 year, unless --map says otherwise',
    )
    .option('--sheet <name>', 'the sheet to read, if an Excel file has several')
    .option('--delimiter <character>', `${delimiterHelp} (default: detected)`, parseDelimiter)
    .option('--encoding <name>', 'the encoding of the file, such as windows-1251 (default: detected)')
    .option('--year-required', 'leave out rows without a year')
    .option(
      '--rejects <file>',
      'write the rows that are left out to this file; repeating the import adds those it lacks',
    )
    .option('-n, --dry-run', 'show the columns and what would be done; change nothing')
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) => importFile(io, file, options));
}

function parseMap(value: string, chosen: Chosen = {}): Chosen {
  const [name = '', ...rest] = value.split('=');
  const field = fieldNames.find((known) => known === name.trim().toLowerCase());
  if (field === undefined || rest.length === 0) {
    throw new InvalidArgumentError(`expected FIELD=COLUMN, where FIELD is one of ${fieldNames.join(', ')}`);
  }
  return { ...chosen, [field]: rest.join('=') };
}

async function importFile(io: Io, file: string, options: ImportOptions): Promise<void> {
  const batch = newBatch();
  let changed: Changed = false;
  const { failure, ...report } = await runBatch(io, {
    batch: () => batch,
    changed: () => changed,
    run: (signal, tell) =>
      run(io, file, options, {
        batch,
        signal,
        tell,
        onChanged: (now) => {
          changed = options.dryRun !== true && now;
        },
      }),
  });
  const mayRepeat = report.added > 0 && options.dryRun !== true && options.match === undefined;
  if (failure !== undefined) throw mayRepeat ? withAdvice(failure, advice) : failure;
  if (report.rejected > 0)
    throw new CommandError('failed', { message: `left out ${counted(report.rejected, 'row')}` });
}

interface Run {
  readonly batch: string;
  readonly signal: AbortSignal;
  readonly tell: (document: unknown) => Promise<void>;
  /** Called when books may be changed from now on, and at the end with whether they may have been. */
  readonly onChanged: (now: Changed) => void;
}

/** Imports a file, and says what was done. */
async function run(
  io: Io,
  file: string,
  options: ImportOptions,
  { batch, signal, tell, onChanged }: Run,
): Promise<Report> {
  const { json = false, dryRun = false } = options;
  const isMatched = options.match !== undefined;
  const begun = Date.now();
  let start: Start | undefined;
  let changes = 0;
  const report = await transfer(io, file, options, {
    batch,
    signal,
    onStart: (found) => {
      start = found;
      onChanged(true);
      if (!json) describeStart(io, found, { dryRun, isMatched });
    },
    onChange: ({ unit, line }, change) => {
      if (!json && changes++ < maxListedChanges) notice(io, `${unit} ${line} would change ${change}`);
    },
  }).catch((error: unknown): Report => ({ ...emptyReport(), failure: error }));
  if (!json && changes > maxListedChanges)
    notice(io, `… and ${counted(changes - maxListedChanges, 'more change')}`);
  if (signal.aborted && file === '-' && io.stdin.isTTY) io.stderr.write('\n'); // The terminal has echoed ^C.
  const changed = report.added + report.updated > 0 || (isUncertain(report.failure) && 'perhaps');
  const mayBeChanged = changed !== false;
  onChanged(changed);
  if (
    report.failure === undefined
      ? !signal.aborted || start !== undefined
      : countDone(report) > 0 || (json && mayBeChanged)
  ) {
    const seconds = (Date.now() - begun) / 1000;
    const document = summarize(io, report, { start, batch, mayBeChanged, seconds, json, dryRun, isMatched });
    if (json) await tell(document);
    else if (countDone(report) === 0 && start?.header !== undefined && !signal.aborted)
      notice(io, 'the file has no rows of books; the first row names the columns, books follow it');
  }
  if (!signal.aborted) return { ...report, failure: asUsage(report.failure) };
  const message = 'interrupted before the end of the file';
  return { ...report, failure: new CommandError('interrupted', { message }) };
}

function describeStart(io: Io, start: Start, options: PreviewOptions): void {
  describeMapping(io, start, options);
  if (options.isMatched && start.header?.includes(revisionColumn) === false)
    notice(io, `no column "${revisionColumn}": rows change the books as they are now`);
}

/** The problems of a file for which an option is to be given, or is wrong. */
const optionProblems: readonly string[] = ['encoding', 'sheets', 'noSheet'];

function asUsage(error: unknown): unknown {
  return error instanceof FileError && optionProblems.includes(error.problem.code)
    ? new CommandError('usage', { message: error.message, cause: error })
    : error;
}

/** How to complete an import that was interrupted. */
const advice = 'repeat it with --on-duplicate skip to add the rest';

/** The number of changes that a dry run lists. */
const maxListedChanges = 50;
