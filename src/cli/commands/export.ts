import { basename, extname } from 'node:path';
import { type Command, Option } from 'commander';
import {
  addSelection,
  readSelection,
  selectedBooks,
  selectionHelp,
  type Selection,
  type SelectionOptions,
} from '../selection.ts';
import type { Book } from '../../catalogue/book.ts';
import type { Client } from '../../client/client.ts';
import { systemLocale } from '../../config/system-articles.ts';
import { maxFileBooks, writeCatalogueFile } from '../../formats/catalogue-file.ts';
import { chooseLanguage, languages, type Language } from '../../texts/texts.ts';
import { viewerTexts } from '../../texts/viewer.ts';
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
  'The file extension selects the format: .csv, .xlsx (Excel), .tsv, .json, .ndjson, .jsonl, .ris, .bib (BibTeX), .xml (MARCXML) or .html, ' +
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
${paragraph(
  `A file that ends in .html is a complete catalogue: a browser opens and searches it without a service, for example from a memory ` +
    `stick or a web server. It holds at most ${maxFileBooks} books, and no import reads it.`,
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
  $ shelflist export catalogue.html --name "Village library" --language de
  $ shelflist export books.json --url https://books.example.org --username ada`;

/** `html`: one file that searches without a service. The others are files that an import reads. */
type Format = ExportFormat | 'html';

interface ExportOptions extends SessionOptions, SelectionOptions {
  format?: Format;
  language?: Language;
  name?: string;
  withIds?: boolean;
  bom?: boolean;
  delimiter?: string;
  excel?: boolean;
  force?: boolean;
  json?: boolean;
}

export function defineExport(command: Command, io: Io): void {
  addSelection(addServiceOptions(command).argument('<file>', 'the file to write, or - for standard output'))
    .addOption(new Option('--format <format>', 'the format of the file').choices([...exportFormats, 'html']))
    .option('--with-ids', 'include ids and revisions, for `import --match id`')
    .option('--bom', 'start CSV with a byte order mark, which Excel needs')
    .option('--delimiter <character>', delimiterHelp, parseDelimiter)
    .option('--excel', 'write CSV for editing in a spreadsheet program')
    .addOption(
      new Option(
        '--language <language>',
        'the language of an HTML file; default: that of the system',
      ).choices(languages),
    )
    .option('--name <name>', 'the name of the library in an HTML file; default: that of the file')
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
  checkFormatOptions(format, options);
  if (file === '-' && format === 'xlsx' && io.stdout.isTTY === true)
    throw new CommandError('usage', { message: 'cannot write an Excel file to a terminal; name a file' });
  const selection = await readSelection(io, books, options);
  const withIds = options.withIds === true || options.excel === true;
  const fileOptions: Omit<BookFileOptions, 'format'> = {
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
        const write = (all: AsyncIterable<Book>) =>
          format === 'html'
            ? writeHtml(
                all,
                nameOf(file, options),
                options.language ?? chooseLanguage([systemLocale(io.env)]),
              )
            : formatBooks(all, { format, ...fileOptions });
        const work = { file, selection, destination, write, signal };
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
  if (options.json) await writeJson(io, { file, format, exported: count });
  else {
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    notice(io, `exported ${counted(count, 'book')} to ${file} in ${seconds} s`);
  }
}

/** Extensions of formats that only spreadsheet programs write. */
const spreadsheets = ['xlsm', 'xls', 'ods', 'numbers'];

function formatOf(file: string, asJson: boolean): Format {
  if (file === '-' && asJson) return 'json';
  const extension = extname(file).slice(1).toLowerCase();
  if (spreadsheets.includes(extension))
    throw new CommandError('usage', {
      message: `.${extension} cannot be written; export to .xlsx, which spreadsheet programs open`,
    });
  const found = formatOfFile(file);
  if (found === 'html') return found;
  const writable = exportFormats.find((format) => format === found);
  if (found !== undefined && writable === undefined)
    throw new CommandError('usage', {
      message: 'MARC21 cannot be written; export to .xml, which is MARCXML',
    });
  if (writable === undefined && extension !== '' && extension !== 'txt')
    throw new CommandError('usage', {
      message: `cannot export to .${extension}; name a file that ends in .csv, .xlsx, .tsv, .json, .ndjson, .xml, .ris, .bib or .html, or give --format`,
    });
  return writable ?? 'csv';
}

/** @throws {CommandError} `usage`: options of CSV or HTML with another format would do nothing. */
function checkFormatOptions(format: Format, { excel, delimiter, language, name }: ExportOptions): void {
  const ofHtml = language !== undefined ? '--language' : name !== undefined ? '--name' : undefined;
  if (ofHtml !== undefined && format !== 'html')
    throw new CommandError('usage', { message: `${ofHtml} is for HTML, not for ${format}` });
  if (format === 'csv' || format === 'tsv') return;
  const option = excel === true ? '--excel' : delimiter === undefined ? undefined : '--delimiter';
  if (option !== undefined)
    throw new CommandError('usage', {
      message: `${option} is for CSV, not for ${format}${format === 'xlsx' ? '; --with-ids writes what an edited file needs' : ''}`,
    });
}

/** The pieces of a file. `count` is the number of books up to the end of a piece. */
type Pieces = ReturnType<typeof formatBooks>;

/** The name of the library: the one that was given, else that of the file. */
function nameOf(file: string, { name }: ExportOptions): string {
  return name ?? (file === '-' ? 'shelflist' : basename(file).replace(/\.html?(\.gz)?$/i, ''));
}

/** @throws {CommandError} `failed`: there are too many books. */
async function* writeHtml(books: AsyncIterable<Book>, name: string, language: Language): Pieces {
  const all: Book[] = [];
  for await (const book of books) {
    if (all.push(book) <= maxFileBooks) continue;
    throw new CommandError('failed', {
      message: `an HTML file holds at most ${maxFileBooks} books, and there are more; select some, for example with --author or --year-from, or export to .xlsx`,
    });
  }
  const { viewerCode } = await import('../../formats/viewer-code.ts');
  const { needsScript } = viewerTexts[language];
  const file = { name, language, madeAt: new Date(), needsScript, viewer: viewerCode() };
  yield { content: writeCatalogueFile(all, file), count: all.length };
}

interface Work {
  file: string;
  selection: Selection;
  destination: Destination;
  write: (books: AsyncIterable<Book>) => Pieces;
  signal: AbortSignal;
}

/** Returns the number of books written. */
async function copy(
  io: Io,
  client: Client,
  { file, selection, destination, write, signal }: Work,
): Promise<number> {
  // With -, the reader of the pipe may show its own progress, and a terminal shows the books.
  const progress = file === '-' ? noProgress : createProgress(io, undefined, 'books');
  let written = 0;
  try {
    progress.start();
    const books = selectedBooks(client, selection, { signal });
    for await (const { content, count } of write(books)) {
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
