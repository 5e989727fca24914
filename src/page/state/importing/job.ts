import type { FieldName } from '../../../catalogue/fields.ts';
import { findColumns, type Mapping } from '../../../import/columns.ts';
import { isAbort } from '../service.ts';
import { createStore, writeDraft } from '../store.ts';
import { ReadError, type ReadProblem, type Table } from './reading/table.ts';
import { readTable } from './reading/read-table.ts';
import type { OnDuplicate } from './outcome.ts';
import { changeMapping } from './rows.ts';
import type { Run } from './run.ts';

/** A file that was read, and how its rows become books. */
export interface Preview {
  readonly step: 'preview';
  readonly name: string;
  readonly table: Table;
  readonly mapping: Mapping;
  readonly onDuplicate: OnDuplicate;
}

/** Where an import is. */
export type Job =
  | { readonly step: 'choose'; readonly name?: string; readonly problem?: ReadProblem }
  | { readonly step: 'reading'; readonly name: string; readonly done: number; readonly total: number }
  | Preview
  | { readonly step: 'run'; readonly preview: Preview; readonly run: Run };

/** The import of this page. It outlives its view: somebody may look at the books meanwhile. */
export const job = createStore<Job>({ step: 'choose' });

/** The draft of what is pasted. */
export const pasteDraft = 'import';

let reading = new AbortController();

/** Reads a file, or what was pasted. */
export async function openFile(file: Blob, name: string): Promise<void> {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  job.set({ step: 'reading', name, done: 0, total: file.size });
  try {
    const onProgress = (done: number) => {
      job.set({ step: 'reading', name, done, total: file.size });
    };
    const table = await readTable(file, { onProgress, signal });
    if (signal.aborted) return;
    const mapping = findColumns(table.columns, {});
    job.set({ step: 'preview', name, table, mapping, onDuplicate: 'skip' });
  } catch (error) {
    if (isAbort(error)) return;
    // The file itself failed: it was deleted or changed while it was read, or is a folder.
    const problem: ReadProblem = error instanceof ReadError ? error.problem : { code: 'unreadable' };
    job.set({ step: 'choose', name, problem });
  }
}

/** Goes back to the choice of a file. */
export function startOver(): void {
  reading.abort();
  job.set({ step: 'choose' });
}

/** Forgets what was read and pasted, and stops an import that runs. */
export function dropImport(): void {
  if (job.value.step === 'run') job.value.run.stop();
  writeDraft(pasteDraft, undefined);
  startOver();
}

/** Takes a field from another column; `undefined`: from none. */
export function mapField(field: FieldName, at: number | undefined): void {
  const { value } = job;
  if (value.step !== 'preview') return;
  job.set({ ...value, mapping: changeMapping(value.mapping, field, at, value.table.columns) });
}

export function chooseDuplicates(onDuplicate: OnDuplicate): void {
  if (job.value.step === 'preview') job.set({ ...job.value, onDuplicate });
}
