import { listIds } from '../../ui/batches.ts';
import { counted, notice, type Io, plain } from '../../io.ts';
import { fieldNames, nameField } from '../../../catalogue/fields.ts';
import type { Report } from '../../../import/import-books.ts';
import type { FileHeader } from '../../../import/row.ts';
import { describe } from '../../../formats/problems.ts';
import { CommandError } from '../../command-error.ts';
import { foldText } from '../../../catalogue/fold.ts';
import type { ColumnOverrides } from '../../../import/column-parts.ts';
import { findMissing, keyColumns, unusedColumns } from '../../../import/columns.ts';
import type { BookFields } from '../../../catalogue/book.ts';

/** The number of rows that are left out, and of those with notes, that are listed on a terminal. */
const maxListedRows = 20;

interface SummaryOptions {
  /** `undefined` if the columns were not found. */
  start: FileHeader | undefined;
  batch: string;
  /** Whether a book is changed, or may be. */
  mayBeChanged: boolean;
  seconds: number;
  json: boolean;
  dryRun: boolean;
  /** Whether rows stand for books of the catalogue. */
  isMatched: boolean;
}

/** Reports the result, and which rows were left out. @returns The document, with `json`. */
export function summarize(io: Io, report: Report, options: SummaryOptions): unknown {
  const { added, updated, unchanged, skipped, rejected, noted, ids } = report;
  const { start } = options;
  const rejects = report.rejects.toSorted((a, b) => a.line - b.line);
  const notes = report.notes.map((row) => ({
    ...row,
    text: row.notes.map((each) => describe(each)).join('; '),
  }));
  if (options.json) {
    const columns = Object.fromEntries(
      fieldNames.map((field) => [field, start?.mapping[field]?.name ?? null]),
    );
    const { dryRun } = options;
    const listed = rejects.map(({ line, problem }) => ({ line, reason: describe(problem) }));
    const undo =
      options.mayBeChanged && !dryRun ? { batch: options.batch, ids: ids.toSorted((a, b) => a - b) } : {};
    const same = options.isMatched ? { unchanged } : {};
    const numbers = { added, updated, ...same, skipped, rejected };
    const preview = dryRun ? { unused: start ? unusedColumns(start) : [], samples: report.samples } : {};
    const toCheck = { noted, notes: notes.map(({ line, text }) => ({ line, note: text })) };
    return { dryRun, columns, ...numbers, rejects: listed, ...toCheck, ...undo, ...preview };
  }
  if (options.dryRun) describeSamples(io, report.samples);
  for (const { line, unit, text } of notes.slice(0, maxListedRows)) notice(io, `${unit} ${line}: ${text}`);
  if (noted > maxListedRows) notice(io, `… and ${noted - maxListedRows} more`);
  for (const { line, unit, problem } of rejects.slice(0, maxListedRows))
    notice(io, `${unit} ${line} left out: ${describe(problem)}`);
  if (rejected > maxListedRows) notice(io, `… and ${rejected - maxListedRows} more`);
  const [add, update, skip, leave] = options.dryRun
    ? ['would add', 'update', 'skip', 'leave']
    : ['added', 'updated', 'skipped', 'left'];
  const time = options.dryRun ? '' : ` in ${options.seconds.toFixed(1)} s`;
  const parts = [
    `${add} ${counted(added, 'book')}${time}`,
    ...(updated > 0 ? [`${update} ${updated}`] : []),
    ...(options.isMatched ? [`${leave} ${unchanged} as ${unchanged === 1 ? 'it is' : 'they are'}`] : []),
    ...(skipped > 0 ? [`${skip} ${counted(skipped, 'duplicate')}`] : []),
    `${leave} out ${rejected}`,
    ...(noted > 0 ? [`${noted} to check`] : []),
  ];
  notice(io, parts.join(', '));
  if (ids.length > 0) notice(io, `ids: ${listIds(ids)}`);
  return undefined;
}

/**
 * Checks that a file has the chosen and the required columns.
 *
 * @param isMatched Whether rows stand for books of the catalogue: then the id is required, and no other column.
 * @throws {CommandError} `usage`: it lacks one.
 */
export function requireColumns(start: FileHeader, chosen: ColumnOverrides, isMatched: boolean): void {
  const { mapping, header, members } = start;
  const names = header ?? members;
  if (names === undefined) return; // The format has no columns.
  const missing = findMissing(names, chosen);
  if (missing !== undefined) throw noColumn(`column "${missing}" not found`, start);
  if (isMatched && !names.map(foldText).includes(keyColumns[0]))
    throw noColumn(`no column is named "${keyColumns[0]}"; \`export --with-ids\` writes it`, start);
  if (!isMatched && mapping[nameField] === undefined)
    throw noColumn(`no column looks like the ${nameField}; name it with --map ${nameField}=COLUMN`, start);
}

function noColumn(problem: string, { header, members = [], looksHeadless }: FileHeader): CommandError {
  const names = header ?? members;
  const must = header === undefined ? 'The first object' : 'The first line must name the columns; it';
  // Another encoding that was taken for Windows-1252 turns letters into these.
  const isDoubtful = names.some((name) => /[\u0080-\u00ff]/.test(name));
  // What `list` writes in a pipe.
  const isList = names.length === 1 + fieldNames.length && /^[0-9]+$/.test(names[0] ?? '');
  if (header !== undefined && isList)
    return new CommandError('usage', {
      message: `${problem}. The lines of \`shelflist list\` have no names of columns: import those of \`shelflist list --format csv\``,
    });
  const headless = looksHeadless === true ? '. If this line is a book, add --no-header' : '';
  const hint = isDoubtful ? '. If they look garbled, name the encoding of the file with --encoding' : '';
  return new CommandError('usage', {
    message: `${problem}. ${must} has: ${listColumns(names)}${headless}${hint}`,
  });
}

const maxListedColumns = 30;

function listColumns(names: readonly string[]): string {
  const more = names.length - maxListedColumns;
  const listed = names.slice(0, maxListedColumns).map((name) => JSON.stringify(name.slice(0, 80)));
  return listed.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

export interface PreviewOptions {
  dryRun: boolean;
  /** Whether rows stand for books of the catalogue. */
  isMatched: boolean;
}

/** Reports the columns of the fields, the fields without a column, and the columns that are left out. */
export function describeMapping(io: Io, start: FileHeader, { dryRun, isMatched }: PreviewOptions): void {
  const { mapping, header } = start;
  const parts = fieldNames.map((field) => {
    const column = mapping[field];
    if (column === undefined) return `no ${field}`;
    const instead = column.instead === undefined ? '' : `, else "${header?.[column.instead] ?? ''}"`;
    return `${field} from "${column.name}"${instead}`;
  });
  notice(io, `importing ${parts.join(', ')}`);
  if (start.headerLine !== undefined)
    notice(io, `line ${start.headerLine} names the columns; the lines above it are left out`);
  if (!isMatched && keyColumns.every((key) => header?.includes(key) === true))
    notice(
      io,
      'the books get new ids: `--match id` changes the books of these ids, `shelflist copy` keeps ids',
    );
  const lacking = fieldNames.filter((field) => mapping[field] === undefined);
  const unused = unusedColumns(start).filter((name) => !isMatched || !keyColumns.some((key) => key === name));
  const [first] = lacking;
  const isLacking = first !== undefined && !isMatched && (unused.length > 0 || header === undefined);
  if (isLacking) {
    const what = header === undefined ? 'no member of the first object' : 'no column';
    const list = unused.length === 0 || dryRun ? '' : `: ${listColumns(unused)}`;
    notice(
      io,
      `${what} looks like the ${lacking.join(' or the ')}; name one with --map ${first}=COLUMN${list}`,
    );
  }
  if ((dryRun || !isLacking) && unused.length > 0)
    notice(io, `columns that are left out: ${listColumns(unused)}`);
}

/** Shows books, one on each line. */
function describeSamples(io: Io, samples: readonly BookFields[]): void {
  if (samples.length > 0)
    notice(io, samples.length === 1 ? 'the first book:' : `the first ${samples.length} books:`);
  for (const book of samples)
    notice(io, `  ${fieldNames.map((name) => shorten(plain(String(book[name])))).join(' | ')}`);
}

const maxShown = 60;

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
