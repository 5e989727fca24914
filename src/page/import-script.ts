import type { BookFields } from '../catalogue/fields.ts';
import { describe, FileError } from '../formats/problems.ts';
import type { Chosen, Mapping } from '../import/columns.ts';
import { countDone, importBooks, type Report } from '../import/import-books.ts';
import { optionsOfFile, readBooks } from '../import/read-books.ts';
import { rejectsFormat } from '../import/rejects.ts';
import type { BookRow, Start } from '../import/row.ts';
import type { ImportClient, OnDuplicate } from '../import/write-chunk.ts';
import { problemTexts } from './texts/problems.ts';
import type { Language } from './texts/texts.ts';

/** A file to import, and how. */
export interface FileImport {
  readonly file: Blob;
  /** Its extension tells the format, if the content does not. Empty if it was pasted. */
  readonly fileName: string;
  readonly chosen: Chosen;
  /** `undefined`: nothing is sent, and each row that is a book counts as added. */
  readonly client: ImportClient | undefined;
  readonly batch: string;
  readonly onDuplicate: OnDuplicate;
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Called after a request failed: resolves when it is to be sent again, else rejects. */
  readonly onFailure?: (error: unknown) => Promise<void>;
  /** Called after each chunk. `bytes`: how much of the file was read. */
  readonly onProgress: (outcome: Outcome, bytes: number) => void;
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
  readonly rejectsFile: { readonly name: string; readonly parts: string[] };
  /** The names of the columns, or of the members of a JSON object; `undefined` where a format has its own fields. */
  readonly columns: readonly string[] | undefined;
  /** Whether a column is chosen by its place, else by its name. */
  readonly isByPlace: boolean;
  readonly mapping: Mapping;
  /** Why the file, or the rest of it, cannot be read, as a sentence. The rows before are done. */
  readonly problem?: string;
  /** What else ended it early. */
  readonly failure?: unknown;
}

/** Small enough that the page stays quick while it parses one, in bytes. */
const pieceBytes = 256 * 1024;
/** More rows would make the page slow; the file has all. */
const maxRejects = 50;

/** Reads a file as the command does (`src/import/`), and imports its books if there is a client. */
export async function importFile(options: FileImport): Promise<Outcome> {
  const { file, fileName, chosen, client, onProgress } = options;
  const texts = problemTexts[options.language];
  const rejects: RejectedRow[] = [];
  const parts: string[] = [];
  let start: Start = { mapping: {} };
  let format = rejectsFormat(start);
  let bytes = 0;
  const outcomeOf = (report: Report): Outcome => ({
    ...report,
    done: countDone(report),
    rejects,
    rejectsFile: { name: start.header === undefined ? 'rejected.ndjson' : 'rejected.csv', parts },
    columns: start.header ?? start.members,
    isByPlace: start.header !== undefined,
    mapping: start.mapping,
  });
  const onStart = (found: Start) => {
    start = found;
    format = rejectsFormat(found);
    // A spreadsheet program takes the file for UTF-8 by its byte order mark.
    if (format.head !== '') parts.push(`\uFEFF${format.head}`);
  };
  const report = await importBooks({
    ...options,
    dryRun: client === undefined,
    open: () =>
      readBooks(
        piecesOf(file, (read) => {
          bytes = read;
        }),
        { ...optionsOfFile(fileName), chosen, onStart },
      ),
    onResult(row, result) {
      if (typeof result === 'string') return;
      const reason = describe(result.problem, texts);
      const { unit, line, original } = row;
      if (rejects.length < maxRejects)
        rejects.push({ unit, line, reason: sentence(reason), content: contentOf(original) });
      if (client !== undefined) parts.push(format.row(row, reason));
    },
    onProgress: (now) => {
      onProgress(outcomeOf(now), bytes);
    },
  });
  const { failure } = report;
  const outcome = outcomeOf(report);
  if (!(failure instanceof FileError)) return outcome;
  return { ...outcome, failure: undefined, problem: `${sentence(describe(failure.problem, texts))}.` };
}

async function* piecesOf(file: Blob, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = await file.slice(at, at + pieceBytes).arrayBuffer();
    onRead(at + piece.byteLength);
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
