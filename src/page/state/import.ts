import type { FieldName } from '../../catalogue/fields.ts';
import type { Chosen } from '../../import/columns.ts';
import type { OnDuplicate } from '../../import/write-chunk.ts';
import type { FileImport, Outcome } from './import-file.ts';
import { texts } from '../texts/current.ts';
import { describeFailure, importFile, ImportRun } from './import-run.ts';
import { session } from './service.ts';
import { createStore, writeDraft } from './store.ts';

/** A file, or what was pasted. */
interface Source extends Pick<FileImport, 'file' | 'fileName' | 'chosen'> {
  /** For the reader. */
  readonly name: string;
}

/** A file that was read, and how its rows become books. */
export interface Preview {
  readonly step: 'preview';
  readonly source: Source;
  /** What an import without a catalogue would do. */
  readonly found: Outcome;
  /** Whether it is read again, because another column was chosen. */
  readonly isReading: boolean;
  readonly onDuplicate: OnDuplicate;
}

/** Where an import is. */
export type Job =
  | { readonly step: 'choose'; readonly name?: string; readonly problem?: string }
  | { readonly step: 'reading'; readonly name: string; readonly done: number; readonly total: number }
  | Preview
  | { readonly step: 'run'; readonly preview: Preview; readonly run: ImportRun };

/** The import of this page. It outlives its view: somebody may look at the books meanwhile. */
export const job = createStore<Job>({ step: 'choose' });

/** The draft of what is pasted. */
export const pasteDraft = 'import';

let reading = new AbortController();

/** Reads a file, or what was pasted. */
export async function openFile(file: Blob, name: string, fileName = ''): Promise<void> {
  reading.abort();
  reading = new AbortController();
  job.set({ step: 'reading', name, done: 0, total: file.size });
  await read({ file, fileName, name, chosen: {} }, reading.signal, (done) => {
    job.set({ step: 'reading', name, done, total: file.size });
  });
}

async function read(source: Source, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<void> {
  const { name } = source;
  try {
    const found = await importFile({
      ...source,
      client: undefined,
      batch: '',
      onDuplicate: 'add',
      signal,
      onRead: (bytes) => {
        if (!signal.aborted) onProgress(bytes);
      },
    });
    if (signal.aborted) return;
    const { failure, problem = texts.importing.noRows } = found;
    if (failure !== undefined) throw failure as Error;
    if (found.done === 0) job.set({ step: 'choose', name, problem });
    else {
      const { value } = job;
      const onDuplicate = value.step === 'preview' ? value.onDuplicate : 'skip';
      job.set({ step: 'preview', source, found, isReading: false, onDuplicate });
    }
  } catch (error) {
    if (!signal.aborted) job.set({ step: 'choose', name, problem: describeFailure(error) });
  }
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

/** Takes a field from another column; `undefined`: from none. Reads the file again. */
export function chooseColumn(field: FieldName, at: number | undefined): void {
  const { value } = job;
  if (value.step !== 'preview') return;
  const { source, found } = value;
  const name = found.columns?.[at ?? -1] ?? '';
  const column = at === undefined ? null : found.isByPlace ? at : name;
  const chosen: Chosen = { ...source.chosen, [field]: column };
  const entries = Object.entries(found.mapping).filter(([each]) => each !== field);
  const mapping = {
    ...Object.fromEntries(entries),
    ...(at !== undefined && { [field]: { name, at } }),
  };
  const next = { ...source, chosen };
  job.set({ ...value, source: next, found: { ...found, mapping }, isReading: true });
  reading.abort();
  reading = new AbortController();
  void read(next, reading.signal, () => undefined);
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
  void run.start({ ...value.source, onDuplicate: value.onDuplicate });
}
