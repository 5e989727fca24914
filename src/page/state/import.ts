import type { ColumnChoice, ColumnOverrides, ColumnPart } from '../../import/column-parts.ts';
import type { FormatName } from '../../formats/file-formats.ts';
import type { OnDuplicate } from '../../import/write-chunk.ts';
import type { Outcome, Source as FileSource } from './import-file.ts';
import { texts } from '../texts/current.ts';
import { describeFailure, importFile, ImportRun } from './import-run.ts';
import { client, session } from './service.ts';
import { createSignal, writeDraft } from './signal.ts';

/** A file, or what was pasted. */
export interface Source extends FileSource {
  /** For the reader. */
  readonly name: string;
}

/** A file that was read, and how its rows become books. */
export interface Preview {
  readonly step: 'preview';
  readonly source: Source;
  /** What an import would do; unless rows are matched, in an empty catalogue. */
  readonly found: Outcome;
  /** Whether rows change the books that have their ids. */
  readonly isMatched: boolean;
  /** Whether it is read again, because something else was chosen. */
  readonly isReading: boolean;
  readonly onDuplicate: OnDuplicate;
}

/** Where an import is. */
export type Job =
  | {
      readonly step: 'choose';
      /** What could not be read, and why. */
      readonly source?: Source;
      readonly problem?: string;
    }
  | { readonly step: 'reading'; readonly name: string; readonly done: number; readonly total: number }
  | Preview
  | { readonly step: 'run'; readonly preview: Preview; readonly run: ImportRun };

/** The import of this page. It outlives its view: somebody may look at the books meanwhile. */
export const job = createSignal<Job>({ step: 'choose' });

/** Reads a file that was dropped anywhere on the page, unless an import is running. */
export function openDropped(file: File): void {
  const { step } = job.value;
  if (step === 'choose' || step === 'preview') void openFile(file, file.name, file.name);
}

/** The draft of what is pasted. */
export const pasteDraft = 'import';

let reading = new AbortController();

/** Reads a file, or what was pasted. */
export async function openFile(file: Blob, name: string, fileName = ''): Promise<void> {
  await begin({ file, fileName, name, chosen: {} });
}

/** Reads it in a format that somebody chose; `undefined`: in that which its content tells. */
export async function chooseFormat(
  { file, fileName, name }: Source,
  format: FormatName | undefined,
): Promise<void> {
  await begin({ file, fileName, name, format, chosen: {} });
}

async function begin(source: Source): Promise<void> {
  const { file, name } = source;
  reading.abort();
  reading = new AbortController();
  job.set({ step: 'reading', name, done: 0, total: file.size });
  await read(source, false, reading.signal, (done) => {
    job.set({ step: 'reading', name, done, total: file.size });
  });
}

async function read(
  source: Source,
  isMatched: boolean,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
  isGuess = false,
): Promise<void> {
  try {
    const found = await importFile({
      ...source,
      isMatched,
      client: isMatched ? client : undefined,
      dryRun: true,
      batch: '',
      onDuplicate: isMatched ? 'skip' : 'add',
      signal,
      onRead: (bytes) => {
        if (!signal.aborted) onProgress(bytes);
      },
    });
    if (signal.aborted) return;
    const { failure, problem = texts.importing.noRows } = found;
    if (failure !== undefined) throw failure as Error;
    if (found.done === 0) job.set({ step: 'choose', source, problem });
    else {
      const { value } = job;
      const onDuplicate = value.step === 'preview' ? value.onDuplicate : 'skip';
      const preview: Preview = { step: 'preview', source, found, isMatched, isReading: false, onDuplicate };
      job.set(preview);
      // An edited export, most likely. If it is not one, its rows are conflicts, and change nothing.
      if (value.step === 'reading' && found.isExport) readAgain(preview, { isMatched: true }, true);
      else if (isGuess && !isOfThisCatalogue(found)) chooseMatch(false);
      else if (value.step === 'reading' && found.looksHeadless) chooseHeadless(true);
      else if (value.step === 'reading') chooseAsBefore(source, found);
    }
  } catch (error) {
    if (!signal.aborted) job.set({ step: 'choose', source, problem: describeFailure(error) });
  }
}

/**
 * Whether an export that was compared may change its books without being asked to. Without revisions, nothing but the preview tells an
 * edited file from an older one, or from one of another catalogue: it must show all changes, or the most rows must be as in the catalogue.
 */
function isOfThisCatalogue({ hasRevisions, updated, added, unchanged, changes }: Outcome): boolean {
  if (hasRevisions) return true;
  return updated + added + unchanged > 0 && (updated <= changes.length || updated <= unchanged);
}

/** Takes the columns that somebody chose for a file with the same names. */
function chooseAsBefore(source: Source, { kept }: Outcome): void {
  if (kept !== undefined && job.value.step === 'preview')
    readAgain(job.value, { source: { ...source, chosen: kept } });
}

/** Goes back to the choice of a file. */
export function startOver(): void {
  reading.abort();
  job.set({ step: 'choose' });
}

// Who logs out leaves nothing of an import behind, and nobody else goes on with it.
session.subscribe(() => {
  if (session.value !== 'out') return;
  if (job.value.step === 'run') job.value.run.stop();
  writeDraft(pasteDraft, undefined);
  startOver();
});

/** The parts that make the author together: who chooses one of them chooses all. */
const authorParts: readonly ColumnPart[] = ['author', 'firstName', 'lastName'];

/**
 * Takes a part of a book from another column; `undefined`: from none. Reads the file again.
 *
 * @param index Which of its columns, if it has several.
 */
export function chooseColumn(part: ColumnPart, index: number, at: number | undefined): void {
  const { value } = job;
  if (value.step !== 'preview') return;
  const { source, found } = value;
  const list = [...found.places[part]];
  list.splice(index, 1, ...(at === undefined ? [] : [at]));
  const places = { ...found.places, [part]: list };
  const choiceOf = (place: number): ColumnChoice =>
    found.isByPlace ? place : (found.columns?.[place] ?? '');
  const changed = authorParts.includes(part) ? authorParts : [part];
  const chosen: ColumnOverrides = { ...source.chosen };
  for (const each of changed) chosen[each] = places[each].length === 0 ? null : places[each].map(choiceOf);
  readAgain(value, { source: { ...source, chosen }, found: { ...found, places } });
}

/** Reads another sheet of a workbook. */
export function chooseSheet(sheet: string): void {
  const { value } = job;
  if (value.step === 'preview')
    readAgain(value, { source: { ...value.source, sheet, chosen: {} }, found: { ...value.found, sheet } });
}

/** Reads a text in another encoding. */
export function chooseEncoding(encoding: string): void {
  const { value } = job;
  if (value.step === 'preview')
    readAgain(value, {
      source: { ...value.source, encoding, chosen: {} },
      found: { ...value.found, encoding, readings: [] },
    });
}

/** Takes the first row for a book, or for the names of the columns. */
export function chooseHeadless(isHeadless: boolean): void {
  const { value } = job;
  if (value.step === 'preview') readAgain(value, { source: { ...value.source, isHeadless, chosen: {} } });
}

/** Takes the last row for a book, or for a total. */
export function chooseTotal(keepsTotal: boolean): void {
  const { value } = job;
  if (value.step === 'preview') readAgain(value, { source: { ...value.source, keepsTotal } });
}

/** Changes the books that have the ids of the rows, or adds new books. */
export function chooseMatch(isMatched: boolean): void {
  if (job.value.step === 'preview') readAgain(job.value, { isMatched });
}

/** @param isGuess Whether nobody chose that rows change books. */
function readAgain(preview: Preview, changes: Partial<Preview>, isGuess = false): void {
  const next = { ...preview, ...changes, isReading: true };
  job.set(next);
  reading.abort();
  reading = new AbortController();
  void read(next.source, next.isMatched, reading.signal, () => undefined, isGuess);
}

export function chooseDuplicates(onDuplicate: OnDuplicate): void {
  if (job.value.step === 'preview') job.set({ ...job.value, onDuplicate });
}

/** Imports the file of the preview. */
export function startImport(): void {
  const { value } = job;
  if (value.step !== 'preview' || value.isReading) return;
  const run = new ImportRun();
  job.set({ step: 'run', preview: value, run });
  const { source, isMatched, onDuplicate } = value;
  void run.start({ ...source, isMatched, onDuplicate: isMatched ? 'skip' : onDuplicate });
}
