import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import {
  addSelection,
  readSelection,
  selectedBooks,
  selectionHelp,
  type Selection,
  type SelectionOptions,
} from '../selection.ts';
import type { Client } from '../../client/client.ts';
import { CommandError } from '../command-error.ts';
import { addServiceOptions, delimiterHelp, parseDelimiter } from '../arguments.ts';
import { type ExportFormat, exportFormats, formatOfFile } from '../../formats/file-formats.ts';
import { createProgress, noProgress } from '../ui/progress.ts';
import { withInterrupt } from '../ui/interrupt.ts';
import { type Io, counted, notice, paragraph, writeJson } from '../io.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';
import { type BookFileOptions, formatBooks } from '../../formats/serializer.ts';
import { openDestination, type Destination } from '../ui/output-file.ts';

const help = `
${paragraph(
  'The file extension tells the format: .csv, .xlsx (Excel), .tsv, .json, .ndjson, .jsonl, .ris, .bib (BibTeX) or .xml (MARCXML), ' +
    'else CSV (RFC 4180). A name that ends in .gz compresses the file. CSL-JSON needs --format csl-json. `shelflist import` ' +
    'restores every character, except from BibTeX and MARCXML: these make one space of line breaks and repeated spaces, and lose the form of names. `Austen, Jane` ' +
    'becomes `Jane Austen`, and two authors of whom one has a single name become one person: `Homer, Virgil` becomes `Virgil Homer`. ' +
    'MARCXML also loses authors that are repeated. ' +
    'The file appears under its name only when it is complete. In a pipe, check the exit status: after a failure, the ' +
    'output is incomplete.',
)}
${paragraph(
  'To change books in a spreadsheet program, export to .xlsx with --with-ids, edit the file, and `shelflist import FILE --match id` ' +
    'writes what you changed. The import compares rows with their `revision`: do not change this column. ' +
    'For programs that read CSV only, --excel implies --with-ids and --bom, and puts an apostrophe before texts that look like a formula, a number ' +
    'or a date; the import removes exactly these. With a decimal comma, Excel expects --delimiter semicolon.',
)}
Without BOOKS, all books are exported.
${selectionHelp}
Examples:
  $ shelflist export books.csv
  $ shelflist export some.csv 7 20-29
  $ shelflist export austen.xlsx --author "Jane Austen" --year-from 1800 --year-to 1899
  $ shelflist export novels.bib --in-author austen --in-title emma
  $ shelflist export orwell.csv --words 1984 --title 1984 --year 1949
  $ shelflist export books.xlsx --with-ids
  $ shelflist export books.csv --excel --force
  $ shelflist export books.csv --excel --delimiter semicolon
  $ shelflist export books.tsv --with-ids --bom
  $ shelflist export books.ndjson --with-ids --json
  $ shelflist export - --format json | jq length
  $ shelflist export zotero.json --format csl-json
  $ shelflist export books.json --url https://books.example.org --username ada`;

interface ExportOptions extends SessionOptions, SelectionOptions {
  format?: ExportFormat;
  withIds?: boolean;
  bom?: boolean;
  delimiter?: string;
  excel?: boolean;
  force?: boolean;
  json?: boolean;
}

export function defineExport(command: Command, io: Io): void {
  addSelection(addServiceOptions(command).argument('<file>', 'the file to write, or - for standard output'))
    .addOption(new Option('--format <format>', 'the format of the file').choices(exportFormats))
    .option('--with-ids', 'include ids and revisions, for `import --match id`')
    .option('--bom', 'start CSV with a byte order mark, which Excel needs')
    .option('--delimiter <character>', delimiterHelp, parseDelimiter)
    .option('--excel', 'write CSV for editing in a spreadsheet program')
    .option('--force', 'replace an existing file')
    .option('--json', 'write the result, and errors, as JSON; with -, write the books as JSON')
    .addHelpText('after', help)
    .action((file: string, books: string[], options: ExportOptions) => exportBooks(io, file, books, options));
}

async function exportBooks(
  io: Io,
  file: string,
  books: readonly string[],
  options: ExportOptions,
): Promise<void> {
  const begun = Date.now();
  const format = options.format ?? formatOf(file, options.json === true);
  checkCsvOptions(format, options);
  if (file === '-' && format === 'xlsx' && io.stdout.isTTY === true)
    throw new CommandError('usage', { message: 'cannot write an Excel file to a terminal; name a file' });
  const selection = await readSelection(io, books, options);
  const withIds = options.withIds === true || options.excel === true;
  const fileOptions: BookFileOptions = {
    format,
    withIds,
    withRevisions: withIds,
    bom: options.bom === true || options.excel === true,
    ...(options.delimiter !== undefined && { delimiter: options.delimiter }),
    isEscaped: options.excel === true,
  };
  const count = await withInterrupt(
    io,
    async (signal) => {
      const destination = await openDestination(io, file, options.force === true);
      try {
        const work = { file, selection, destination, options: fileOptions, signal };
        const written = await withSession(io, options, (client) => copy(io, client, work));
        await destination.keep();
        return written;
      } catch (error) {
        await destination.drop();
        throw error;
      }
    },
    { ifStopped: 'interrupted before the last book' },
  );
  if (file === '-') return;
  if (options.json) await writeJson(io, { file, format: fileOptions.format, exported: count });
  else {
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    notice(io, `exported ${counted(count, 'book')} to ${file} in ${seconds} s`);
  }
}

/** Extensions of formats that only spreadsheet programs write. */
const spreadsheets = ['xlsm', 'xls', 'ods', 'numbers'];

function formatOf(file: string, asJson: boolean): ExportFormat {
  if (file === '-' && asJson) return 'json';
  const extension = extname(file).slice(1).toLowerCase();
  if (spreadsheets.includes(extension))
    throw new CommandError('usage', {
      message: `.${extension} cannot be written; export to .xlsx, which spreadsheet programs open`,
    });
  const found = formatOfFile(file);
  const writable = exportFormats.find((format) => format === found);
  if (found !== undefined && writable === undefined)
    throw new CommandError('usage', {
      message: 'MARC21 cannot be written; export to .xml, which is MARCXML',
    });
  if (writable === undefined && extension !== '' && extension !== 'txt')
    throw new CommandError('usage', {
      message: `.${extension} is not a format of an export; name a file that ends in .csv, .xlsx, .tsv, .json, .ndjson, .xml, .ris or .bib, or give --format`,
    });
  return writable ?? 'csv';
}

/** @throws {CommandError} `usage`: options of CSV with another format would do nothing. */
function checkCsvOptions(format: ExportFormat, { excel, delimiter }: ExportOptions): void {
  if (format === 'csv' || format === 'tsv') return;
  const option = excel === true ? '--excel' : delimiter === undefined ? undefined : '--delimiter';
  if (option !== undefined)
    throw new CommandError('usage', {
      message: `${option} is for CSV, not for ${format}${format === 'xlsx' ? '; --with-ids writes what an edited file needs' : ''}`,
    });
}

interface Work {
  file: string;
  selection: Selection;
  destination: Destination;
  options: BookFileOptions;
  signal: AbortSignal;
}

/** Returns the number of books written. */
async function copy(
  io: Io,
  client: Client,
  { file, selection, destination, options, signal }: Work,
): Promise<number> {
  // With -, the reader of the pipe may show its own progress, and a terminal shows the books.
  const progress = file === '-' ? noProgress : createProgress(io, undefined, 'books');
  let written = 0;
  try {
    progress.start();
    const books = selectedBooks(client, selection, { signal });
    for await (const { content, count } of formatBooks(books, options)) {
      signal.throwIfAborted();
      if (!(await destination.write(content))) break;
      written = count;
      progress.update(0, count);
    }
    return written;
  } finally {
    progress.stop();
  }
}
