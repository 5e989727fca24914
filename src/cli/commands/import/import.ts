import { InvalidArgumentError, Option, type Command } from 'commander';
import { newBatchId } from '../../../catalogue/batch.ts';
import { CommandError, isFailure, withMessage } from '../../command-error.ts';
import { addJsonOption, addServiceOptions, delimiterHelp, parseDelimiter } from '../../arguments.ts';
import { isUncertain } from '../../../client/edits.ts';
import { runBatch, withAdvice, type Changed } from '../../ui/batches.ts';
import { indexedFields, listFields } from '../../../catalogue/fields.ts';
import { revisionColumn } from '../../../formats/csv.ts';
import { FileError } from '../../../formats/problems.ts';
import { columnParts, type ColumnOverrides } from '../../../import/column-parts.ts';
import { formatNames } from '../../../formats/file-formats.ts';
import { countDone, emptyReport, type Report } from '../../../import/import-books.ts';
import { summarize, describeMapping, type PreviewOptions } from './report.ts';
import { describeChange } from '../../../import/match.ts';
import { EarlierRows } from '../../../import/repeats.ts';
import type { FileHeader } from '../../../import/row.ts';
import { checkFile, runImport, type TransferOptions } from './transfer.ts';
import { counted, notice, paragraph, type Io } from '../../io.ts';
import { createStatusLine } from '../../ui/progress.ts';

const help = `
${paragraph(
  'The file is CSV (separated by commas, semicolons, tabs or pipes; the first line names the columns), a JSON array, or ' +
    'NDJSON. Its encoding is detected from its contents; name another with --encoding, such as windows-1250, windows-1251, ' +
    `iso-8859-2, koi8-r, cp850, macintosh, shift_jis, gb18030, big5 or euc-kr. The columns of ${listFields()} are found by ` +
    'their usual names in 40 languages and in the exports of Goodreads, LibraryThing, calibre, BookWyrm, StoryGraph, Libib, ' +
    'Koha and other programs; `shelflist help columns` lists them. Name others with --map. A title is joined with its ' +
    'subtitle and volume, a first name with its last name, and several columns of authors with each other. The header row may follow a title.',
)}
${paragraph(
  'Or it is a workbook of Excel (.xlsx) or LibreOffice (.ods), whose first row names the columns. With several sheets, name one with --sheet. Formulas give ' +
    'their value, a date in the column of the year gives its year, and empty rows do not count.',
)}
${paragraph(
  'Or it is MARC21, UNIMARC, MARCXML, MODS, RIS, BibTeX, EndNote, CSL-JSON or an HTML table, as libraries, Zotero and ' +
    'others write them. The format is detected from the contents, else from the extension; --format overrides both. Titles include ' +
    'subtitles. Without an author, the editors are used. A date without a year gives the year 0. Each file may be ' +
    'compressed with gzip (.gz).',
)}
${paragraph(
  'Or it is a list of ISBNs, one per line. The service looks their books up, if it is configured to (BOOK_LOOKUP). Invalid and ' +
    'unknown ISBNs are listed.',
)}
${paragraph(
  'A row is left out and listed if it has no title, or a byte in one of these columns that is invalid in the encoding of ' +
    'the file. `[1979]`, `c1900`, `1979-80` and `May 2001` are understood. An empty year, or `n.d.`, is 0. A year that ' +
    'cannot be read becomes 0, too, and its book is listed. --year-required leaves out both. --dry-run shows the first books, ' +
    'and the columns that are left out.',
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
${paragraph(
  'Several files are one batch, which one undo takes back. Each is read to its end before anything is imported: an unreadable one ' +
    'stops the import. --json writes a line for each file.',
)}
Examples:
  $ shelflist import books.csv
  $ shelflist import books.csv --dry-run
  $ shelflist import fiction.csv history.xlsx --on-duplicate skip
  $ shelflist import books.txt --delimiter pipe --map title=Titel --map author=Verfasser
  $ shelflist import books.csv --map last-name=Name --map first-name=Rufname
  $ shelflist import books.csv --encoding windows-1251 --year-required
  $ shelflist import books.csv --on-duplicate skip --rejects left-out.csv
  $ shelflist import books.xlsx --sheet Fiction
  $ shelflist import books.xlsx --match id --dry-run
  $ shelflist import library.mrc.gz --dry-run
  $ shelflist import isbns.txt --on-duplicate skip
  $ shelflist import list.csv --no-header --map author=1 --map title=2
  $ shelflist import - --format ris --json < zotero.ris
  $ shelflist import books.json --url https://books.example.org --username ada`;

/** The parts as the command line spells them: `first-name`. */
const partNames = columnParts.map((part) => part.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`));

interface ImportOptions extends TransferOptions {
  json?: boolean;
}

export function defineImport(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .argument('<files...>', 'the files to read, or - for standard input')
    .addOption(new Option('--format <format>', 'the format of the file').choices(formatNames))
    .option(
      '-m, --map <part=column>',
      `the column of a part (${partNames.join(', ')}); repeat it for several columns`,
      parseMap,
    )
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
    .option('--sheet <name>', 'the sheet to read, if a workbook has several')
    .option('--delimiter <character>', `${delimiterHelp} (default: detected)`, parseDelimiter)
    .option('--encoding <name>', 'the encoding of the file, such as windows-1251 (default: detected)')
    .option('--year-required', 'leave out rows without a year')
    .option(
      '--rejects <file>',
      'write the rows that are left out to this file; repeating the import adds those it lacks',
    )
    .option('-n, --dry-run', 'show the columns and what would be done; change nothing')
    .addHelpText('after', help)
    .action((files: string[], options: ImportOptions) => importFiles(io, files, options));
}

function parseMap(value: string, chosen: ColumnOverrides = {}): ColumnOverrides {
  const [name = '', ...rest] = value.split('=');
  const part = columnParts[partNames.indexOf(name.trim().toLowerCase())];
  if (part === undefined || rest.length === 0)
    throw new InvalidArgumentError(`expected PART=COLUMN, where PART is one of ${partNames.join(', ')}`);
  const before = chosen[part] ?? [];
  return { ...chosen, [part]: [...(typeof before === 'object' ? before : [before]), rest.join('=')] };
}

async function importFiles(io: Io, files: readonly string[], options: ImportOptions): Promise<void> {
  const { json = false, dryRun = false, match } = options;
  const isOne = files.length === 1;
  const batch = newBatchId();
  let changed: Changed = false;
  const earlier = isOne ? undefined : new EarlierRows();
  const total = { added: 0, skipped: 0, rejected: 0, failed: 0 };
  const failure = await runBatch(io, {
    batch: () => batch,
    changed: () => changed,
    async run(signal, tell) {
      const answers = isOne ? [] : await checkFiles(io, files, options, signal);
      for (const [i, file] of files.entries()) {
        if (!isOne && !json) notice(io, `${file} (${i + 1} of ${files.length}):`);
        const before = changed;
        const report = await run(
          io,
          file,
          { ...options, ...answers[i] },
          {
            batch,
            earlier,
            signal,
            tell,
            onChanged: (now) => {
              changed = before || (!dryRun && now);
            },
          },
        );
        total.added += report.added;
        total.skipped += report.skipped;
        total.rejected += report.rejected;
        total.failed += report.rejected - report.totals;
        if (report.failure !== undefined)
          return isOne ? report.failure : inFile(report.failure, file, describeDone(i, dryRun));
      }
      return undefined;
    },
  });
  const mayRepeat = total.added > 0 && !dryRun && match === undefined;
  if (failure !== undefined) throw mayRepeat ? withAdvice(failure, advice) : failure;
  if (!isOne && !json) {
    const [add, skip, leave] = dryRun ? ['would add', 'skip', 'leave'] : ['added', 'skipped', 'left'];
    const skipped = total.skipped > 0 ? `, ${skip} ${counted(total.skipped, 'duplicate')}` : '';
    notice(
      io,
      `${files.length} files: ${add} ${counted(total.added, 'book')}${skipped}, ${leave} out ${total.rejected}`,
    );
  }
  if (total.failed > 0)
    throw new CommandError('failed', { message: `left out ${counted(total.failed, 'row')}` });
}

function describeDone(count: number, dryRun: boolean): string {
  if (dryRun) return '';
  return count === 0 ? '' : `; ${counted(count, 'file')} before it ${count === 1 ? 'is' : 'are'} imported`;
}

/**
 * Reads several files to their end, before anything is written.
 *
 * @returns What was asked about each.
 * @throws {CommandError} One of them is not good, or an option is for one file.
 */
async function checkFiles(
  io: Io,
  files: readonly string[],
  options: ImportOptions,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof checkFile>>[]> {
  if (options.rejects !== undefined)
    throw new CommandError('usage', { message: '--rejects is for one file: others have other columns' });
  const status = createStatusLine(io);
  const answers: Awaited<ReturnType<typeof checkFile>>[] = [];
  for (const file of files) {
    status.show(`checking ${file} …`);
    try {
      answers.push(await checkFile(io, file, options, signal));
    } catch (error) {
      if (signal.aborted) throw interrupted('nothing was imported');
      throw inFile(asUsage(error), file, '; nothing was imported') as Error;
    } finally {
      status.clear();
    }
  }
  return answers;
}

/** Names the file of an error, and what was done besides. */
function inFile(error: unknown, file: string, done: string): unknown {
  if (isFailure(error)) return withMessage(error, `${file}: ${error.message}${done}`);
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError('failed', { message: `${file}: ${message}${done}`, cause: error });
}

function interrupted(outcome: string): CommandError {
  return new CommandError('interrupted', { message: `interrupted; ${outcome}` });
}

interface Run {
  readonly batch: string;
  readonly earlier: EarlierRows | undefined;
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
  { batch, earlier, signal, tell, onChanged }: Run,
): Promise<Report> {
  const { json = false, dryRun = false } = options;
  const isMatched = options.match !== undefined;
  const begun = Date.now();
  let start: FileHeader | undefined;
  let changes = 0;
  let encoding = 'utf-8';
  const tellEncoding = () => {
    if (!json && start !== undefined && encoding !== 'utf-8') notice(io, `reading the file as ${encoding}`);
  };
  const report = await runImport(io, file, options, {
    batch,
    earlier,
    signal,
    onStart: (found) => {
      start = found;
      onChanged(true);
      if (!json) describeStart(io, found, { dryRun, isMatched });
      tellEncoding();
    },
    onEncoding: (found) => {
      encoding = found;
      tellEncoding();
    },
    onChange: ({ unit, line }, change) => {
      if (!json && changes++ < maxListedChanges)
        notice(io, `${unit} ${line} would change ${describeChange(change)}`);
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
    if (json) await tell({ file, ...(document as object) });
    else if (countDone(report) === 0 && start?.header !== undefined && !signal.aborted)
      notice(io, 'the file has no rows of books; the first row names the columns, books follow it');
  }
  if (!signal.aborted) return { ...report, failure: asUsage(report.failure) };
  const message = 'interrupted before the end of the file';
  return { ...report, failure: new CommandError('interrupted', { message }) };
}

function describeStart(io: Io, start: FileHeader, options: PreviewOptions): void {
  describeMapping(io, start, options);
  if (options.isMatched && start.header?.includes(revisionColumn) === false)
    notice(io, `no column "${revisionColumn}": rows change the books as they are now`);
}

/** The problems of a file for which an option is to be given, or is wrong. */
const optionProblems: readonly string[] = ['encoding', 'severalEncodings', 'sheets', 'noSheet'];

function asUsage(error: unknown): unknown {
  return error instanceof FileError && optionProblems.includes(error.problem.code)
    ? new CommandError('usage', { message: error.message, cause: error })
    : error;
}

/** How to complete an import that was interrupted. */
const advice = 'repeat it with --on-duplicate skip to add the rest';

/** The number of changes that a dry run lists. */
const maxListedChanges = 50;
