import type { BookFields } from '../../catalogue/fields.ts';
import { exportColumns } from '../../formats/csv.ts';
import { describe, FileError } from '../../formats/problems.ts';
import { findColumns, keyColumns, unusedColumns, type Chosen, type Mapping } from '../../import/columns.ts';
import { countDone, importBooks, type Report } from '../../import/import-books.ts';
import { optionsOfFile, readBooks } from '../../import/read-books.ts';
import { rejectsFormat } from '../../import/rejects.ts';
import type { BookRow, Start } from '../../import/row.ts';
import type { ImportClient, OnDuplicate } from '../../import/write-chunk.ts';
import { createPauses } from '../../lib/pauses.ts';
import { problemTexts } from '../texts/problems.ts';
import type { Language } from '../texts/texts.ts';

/** A file, and where its books are in it. */
export interface Source {
  readonly file: Blob;
  /** Its extension tells the format, if the content does not. Empty if it was pasted. */
  readonly fileName: string;
  readonly chosen: Chosen;
  /** Of a workbook. Default: the first one with rows. */
  readonly sheet?: string | undefined;
  /** Whether the first row of a table is a book. */
  readonly isHeadless?: boolean | undefined;
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
  readonly signal: AbortSignal;
  /** Called after a request failed: resolves when it is to be sent again, else rejects. */
  readonly onFailure?: (error: unknown) => Promise<void>;
  /** Called with the number of bytes that were read. */
  readonly onRead?: (bytes: number) => void;
  /** Called after each chunk. */
  readonly onProgress?: (outcome: Outcome) => void;
}

/** A row that is left out. */
export interface RejectedRow {
  readonly unit: BookRow['unit'];
  readonly line: number;
  /** In the language of the page. */
  readonly reason: string;
  /** Its content, cut off. */
  readonly content: string;
}

/** What an import has done so far; without a client, what it would do. */
export interface Outcome extends Readonly<
  Pick<Report, 'added' | 'updated' | 'unchanged' | 'skipped' | 'rejected'>
> {
  /** The number of rows that were processed. */
  readonly done: number;
  /** The first books of the file. */
  readonly samples: readonly BookFields[];
  /** The first rows that are left out. */
  readonly rejects: readonly RejectedRow[];
  /** All rows that are left out, as a file that can be imported once it is corrected. */
  readonly rejectsFile: { readonly name: string; readonly parts: readonly BlobPart[] };
  /** The names of the columns, or of the members of a JSON object; `undefined` where a format has its own fields. */
  readonly columns: readonly string[] | undefined;
  /** Those of a table that no field comes from. */
  readonly unused: readonly string[];
  /** Whether the names of the columns look like a book. */
  readonly looksHeadless: boolean;
  /** The sheets of a workbook that have rows, and the one that was read. */
  readonly sheets: readonly string[];
  readonly sheet: string | undefined;
  /** Whether the file was exported with ids, so that it can change its books. */
  readonly isExport: boolean;
  /** Whether its rows tell which version of a book they had, too. */
  readonly hasRevisions: boolean;
  /** Whether a column is chosen by its place, else by its name. */
  readonly isByPlace: boolean;
  readonly mapping: Mapping;
  /** Why the file, or the rest of it, cannot be read, as a sentence. The rows before are done. */
  readonly problem?: string;
  /** What else ended it early. */
  readonly failure?: unknown;
}

/** In bytes: the page stays quick while it parses a piece. */
const pieceBytes = 256 * 1024;
/** More rows would make the page slow; the file has all. */
const maxRejects = 50;
/** The browser keeps the text of more rejected rows than this outside the heap of the page. */
const maxParts = 1000;
/** More members than any export has: the names of others cannot be chosen. */
const maxMembers = 200;

/** Reads a file as the command does (`src/import/`), and imports its books if there is a client. */
export async function importFile(options: FileImport): Promise<Outcome> {
  const { file, fileName, chosen, sheet, isHeadless, isMatched, dryRun, onRead, onProgress } = options;
  const texts = problemTexts[options.language];
  const rejects: RejectedRow[] = [];
  let parts: BlobPart[] = [];
  let start: Start = { mapping: {} };
  /** Of all objects of JSON: each may have others. */
  const members = new Set<string>();
  let format = rejectsFormat(start);
  const outcomeOf = (report: Report): Outcome => {
    const { header, members: first } = start;
    const columns = header ?? (first && [...members]);
    const names = header ?? first ?? [];
    const hasRevisions = exportColumns(true).every((name) => names.includes(name));
    return {
      ...report,
      done: countDone(report),
      rejects: [...rejects],
      rejectsFile: { name: header === undefined ? 'rejected.ndjson' : 'rejected.csv', parts },
      columns,
      unused: unusedColumns(start).filter((name) => !keyColumns.some((key) => key === name)),
      looksHeadless: start.looksHeadless === true,
      sheets: start.sheets ?? [],
      sheet: start.sheet,
      isExport: hasRevisions || names.join() === exportColumns(true, false).join(),
      hasRevisions,
      isByPlace: header !== undefined,
      mapping: header === undefined && columns !== undefined ? findColumns(columns, chosen) : start.mapping,
    };
  };
  const onStart = (found: Start) => {
    start = found;
    format = rejectsFormat(found);
    // A spreadsheet program takes the file for UTF-8 by its byte order mark.
    if (format.head !== '') parts.push(`\uFEFF${format.head}`);
  };
  const pause = createPauses();
  const report = await importBooks({
    ...options,
    open: (signal) =>
      readBooks(piecesOf(file, signal, onRead), {
        ...optionsOfFile(fileName),
        chosen,
        isMatched,
        sheet,
        isHeadless,
        askSheet: ([first = '']) => first, // The preview has a choice of the others.
        signal,
        onStart,
      }),
    onResult(row, result) {
      const { unit, line, original } = row;
      if (start.members !== undefined && members.size < maxMembers)
        for (const name of Object.keys(Object(original) as object)) members.add(name);
      if (typeof result === 'string') return;
      const reason = describe(result.problem, texts);
      if (rejects.length < maxRejects)
        rejects.push({ unit, line, reason: sentence(reason), content: contentOf(original) });
      if (!dryRun) parts.push(format.row(row, reason));
      if (parts.length > maxParts) parts = [new Blob(parts)];
    },
    async onProgress(now) {
      onProgress?.(outcomeOf(now));
      await pause();
    },
  });
  const { failure } = report;
  const outcome = outcomeOf(report);
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
