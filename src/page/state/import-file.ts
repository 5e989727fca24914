import { type BookFields, fieldNames } from '../../catalogue/fields.ts';
import { exportColumns } from '../../formats/csv.ts';
import { describe, FileError } from '../../formats/problems.ts';
import { findColumns, keyColumns, partsIn, unusedColumns } from '../../import/columns.ts';
import type { ColumnOverrides, PartPlaces } from '../../import/column-parts.ts';
import { countDone, importBooks, type Report } from '../../import/import-books.ts';
import type { FormatName } from '../../formats/file-formats.ts';
import { optionsOfFile, readBooks } from '../../import/read-books.ts';
import { rejectsFormat } from '../../import/rejects.ts';
import { usualEncodings } from '../../import/encodings.ts';
import type { Reading } from '../../import/judge-encoding.ts';
import type { BookChange } from '../../import/match.ts';
import type { BookRow, FileHeader, ReadOptions } from '../../import/row.ts';
import type { ImportClient, OnDuplicate } from '../../import/write-chunk.ts';
import { createPauses } from '../../lib/pauses.ts';
import { problemTexts } from '../../texts/problems.ts';
import type { Language } from '../../texts/texts.ts';
import { keepColumns, recallColumns } from './kept-columns.ts';

/** A file, and where its books are in it. */
export interface Source {
  readonly file: Blob;
  /** Its extension tells the format, if the content does not. Empty if it was pasted. */
  readonly fileName: string;
  /** Default: what the content tells, else the extension. */
  readonly format?: FormatName | undefined;
  readonly chosen: ColumnOverrides;
  /** Of a workbook. Default: the first one with rows. */
  readonly sheet?: string | undefined;
  /** Of a text. Default: the most plausible one. */
  readonly encoding?: string | undefined;
  /** Whether the first row of a table is a book. */
  readonly isHeadless?: boolean | undefined;
  /** Whether the last row is a book, even if it looks like a total. */
  readonly keepsTotal?: boolean | undefined;
}

/** A file to import, and how. */
export interface FileImport extends Source {
  /** Whether rows change the books that have their ids, as with `--match id`. */
  readonly isMatched: boolean;
  /** Whether nothing is changed: the outcome is what an import would do. */
  readonly dryRun: boolean;
  /** `undefined` in a dry run: each row that is a book counts as added. */
  readonly client: ImportClient | undefined;
  readonly batch: string;
  readonly onDuplicate: OnDuplicate;
  readonly language: Language;
  readonly lookUp: ReadOptions['lookUp'];
  readonly signal: AbortSignal;
  /** Called after a request failed: resolves when it is to be sent again, else rejects. */
  readonly onFailure?: (error: unknown) => Promise<void>;
  /** Called with the number of bytes that were read. */
  readonly onRead?: (bytes: number) => void;
  /** Called after each chunk. */
  readonly onProgress?: (outcome: Outcome) => void;
}

/** A row that is left out, or to be checked. */
export interface ListedRow {
  readonly unit: BookRow['unit'];
  readonly line: number;
  /** Why it is listed, in the language of the page. */
  readonly reason: string;
  /** Its content, cut off. */
  readonly content: string;
}

/** What an import has done so far; without a client, what it would do. */
export interface Outcome extends Readonly<
  Pick<Report, 'added' | 'updated' | 'unchanged' | 'skipped' | 'rejected' | 'noted'>
> {
  /** The number of rows that were processed. */
  readonly done: number;
  /** The first books of the file. */
  readonly samples: readonly BookFields[];
  /** The first changes of books, of a dry run. */
  readonly changes: readonly BookChange[];
  /** The first rows that are left out. */
  readonly rejects: readonly ListedRow[];
  /** The first books with notes. */
  readonly notes: readonly ListedRow[];
  /** All rows that are left out, as a file that can be imported once it is corrected. */
  readonly rejectsFile: { readonly name: string; readonly parts: readonly BlobPart[] };
  /** The names of the columns, or of the members of a JSON object; `undefined` where a format has its own fields. */
  readonly columns: readonly string[] | undefined;
  /** What was chosen for columns with these names before. */
  readonly kept: ColumnOverrides | undefined;
  /** Those of a table that no field comes from. */
  readonly unused: readonly string[];
  /** Whether the names of the columns look like a book. */
  readonly looksHeadless: boolean;
  /** The sheets of a workbook that have rows, and the one that was read. */
  readonly sheets: readonly string[];
  readonly sheet: string | undefined;
  /** The encoding that was read; `undefined` if the file has no text beyond ASCII. */
  readonly encoding: string | undefined;
  /** The plausible encodings, of which one is to be chosen; empty if one is certain. The first one was read. */
  readonly readings: readonly Reading[];
  /** The encodings that may be chosen. */
  readonly encodings: readonly string[];
  /** Whether the file was exported with ids, so that it can change its books. */
  readonly isExport: boolean;
  /** Whether its rows tell which version of a book they had, too. */
  readonly hasRevisions: boolean;
  /** Whether a column is chosen by its place, else by its name. */
  readonly isByPlace: boolean;
  /** The columns of each part of a book. */
  readonly places: PartPlaces;
  /** Where the columns are named, if not in the first row. */
  readonly headerLine: number | undefined;
  /** Whether the last row looks like a total. */
  readonly hasTotal: boolean;
  /** Why the file, or the rest of it, cannot be read, as a sentence. The rows before are done. */
  readonly problem?: string;
  /** What else ended it early. */
  readonly failure?: unknown;
}

/** In bytes: the page stays quick while it parses a piece. */
const pieceBytes = 256 * 1024;
/** More rows would make the page slow; the file has all. */
const maxListed = 50;
/** The number of changes to show: enough to see what an edited file does. */
const maxChanges = 10;
/** The browser keeps the text of more rejected rows than this outside the heap of the page. */
const maxParts = 1000;
/** More members than any export has: the names of others cannot be chosen. */
const maxMembers = 200;

/** Reads a file as the command does (`src/import/`), and imports its books if there is a client. */
export async function importFile(options: FileImport): Promise<Outcome> {
  const {
    file,
    fileName,
    chosen,
    sheet,
    encoding,
    isHeadless,
    keepsTotal,
    isMatched,
    dryRun,
    onRead,
    onProgress,
  } = options;
  const texts = problemTexts[options.language];
  const rejects: ListedRow[] = [];
  const notes: ListedRow[] = [];
  const changes: BookChange[] = [];
  let parts: BlobPart[] = [];
  let hasTotal = false;
  let start: FileHeader = { mapping: {} };
  let readAs: string | undefined;
  let readings: readonly Reading[] = [];
  /** Of all objects of JSON: each may have others. */
  const members = new Set<string>();
  let format = rejectsFormat(start);
  const outcomeOf = (report: Report): Outcome => {
    const { header, members: first } = start;
    const columns = header ?? (first && [...members]);
    const names = header ?? first ?? [];
    const hasRevisions =
      keyColumns.every((name) => names.includes(name)) &&
      Object.keys(findColumns(names, {})).length === fieldNames.length; // In any language.
    return {
      ...report,
      done: countDone(report),
      rejects: [...rejects],
      notes: [...notes],
      changes: [...changes],
      rejectsFile: { name: header === undefined ? 'rejected.ndjson' : 'rejected.csv', parts },
      columns,
      kept: dryRun && columns !== undefined ? recallColumns(columns) : undefined,
      unused: unusedColumns(start).filter((name) => !keyColumns.some((key) => key === name)),
      looksHeadless: start.looksHeadless === true,
      sheets: start.sheets ?? [],
      sheet: start.sheet,
      encoding: readAs,
      encodings: Object.keys(usualEncodings),
      readings,
      isExport: hasRevisions || names.join() === exportColumns(true, false).join(),
      hasRevisions,
      isByPlace: header !== undefined,
      places: partsIn(
        header === undefined && columns !== undefined ? findColumns(columns, chosen) : start.mapping,
        columns ?? [],
        chosen,
      ),
      headerLine: start.headerLine,
      hasTotal,
    };
  };
  const onStart = (found: FileHeader) => {
    start = found;
    format = rejectsFormat(found);
    // A spreadsheet program takes the file for UTF-8 by its byte order mark.
    if (format.head !== '') parts.push(`\uFEFF${format.head}`);
  };
  const pause = createPauses();
  const report = await importBooks({
    ...options,
    file: undefined, // Of several, messages would name it.
    open: (signal) =>
      readBooks(piecesOf(file, signal, onRead), {
        ...optionsOfFile(fileName, options.format),
        chosen,
        isMatched,
        sheet,
        isHeadless,
        keepsTotal,
        askSheet: ([first = '']) => first, // The preview has a choice of the others.
        encoding,
        askEncoding: (found) => {
          readings = found;
          return found[0]?.encoding;
        },
        onEncoding: (found) => {
          readAs = found;
        },
        signal,
        lookUp: options.lookUp,
        onStart,
      }),
    onResult(row, result) {
      const { unit, line, original } = row;
      if (start.members !== undefined && members.size < maxMembers)
        for (const name of Object.keys(Object(original) as object)) members.add(name);
      const list = (rows: ListedRow[], reason: string) => {
        if (rows.length < maxListed)
          rows.push({ unit, line, reason: sentence(reason), content: contentOf(original) });
      };
      if (typeof result === 'string') {
        if (result !== 'skipped' && 'fields' in row && row.notes !== undefined)
          list(notes, row.notes.map((note) => describe(note, texts)).join('; '));
        return;
      }
      hasTotal ||= result.problem.code === 'total';
      const reason = describe(result.problem, texts);
      list(rejects, reason);
      if (!dryRun) parts.push(format.row(row, reason));
      if (parts.length > maxParts) parts = [new Blob(parts)];
    },
    onChange(_, change) {
      if (changes.length < maxChanges) changes.push(change);
    },
    async onProgress(now) {
      onProgress?.(outcomeOf(now));
      await pause();
    },
  });
  const { failure } = report;
  const outcome = outcomeOf(report);
  if (!dryRun && outcome.columns !== undefined && isHeadless !== true) keepColumns(outcome.columns, chosen);
  if (!(failure instanceof FileError)) return outcome;
  return { ...outcome, failure: undefined, problem: `${sentence(describe(failure.problem, texts))}.` };
}

async function* piecesOf(
  file: Blob,
  signal: AbortSignal,
  onRead: FileImport['onRead'],
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size && !signal.aborted; at += pieceBytes) {
    const piece = await file.slice(at, at + pieceBytes).arrayBuffer();
    onRead?.(at + piece.byteLength);
    yield new Uint8Array(piece);
  }
}

/** A text that begins like a sentence. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const maxShown = 80;

/** The cells of a row, a JSON value or a text, each cut off. */
function contentOf(original: unknown): string {
  const values: unknown[] =
    typeof original === 'object' && original !== null ? Object.values(original) : [original];
  return values.slice(0, maxShown).map(shown).filter(Boolean).join(' · ');
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
