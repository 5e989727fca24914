import { adviseUndo, listIds } from '../../batches.ts';
import { counted, notice, type Io } from '../../io.ts';
import { writeJson } from '../../ui/write.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import type { BookFields } from '../../../catalogue/book.ts';
import { describeSamples, unusedColumns } from './preview.ts';
import type { Row, RowsStart } from './reading/row.ts';

/** The result of an import so far; of a dry run, what it would be. */
export interface Outcome {
  /** `undefined` until the columns are found. */
  start: RowsStart | undefined;
  added: number;
  updated: number;
  /** Rows with the id of a book that is as they say. */
  unchanged: number;
  skipped: number;
  rejected: number;
  /** The first of the rows that were left out. */
  rejects: Reject[];
  /** The ids of the added books. */
  ids: readonly number[];
  /** The first books. */
  samples: BookFields[];
}

/** A row that was left out. */
export interface Reject extends Pick<Row, 'line' | 'unit'> {
  reason: string;
}

export function createOutcome(): Outcome {
  return {
    start: undefined,
    added: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    rejected: 0,
    rejects: [],
    ids: [],
    samples: [],
  };
}

/** The number of rejects that are kept for the summary; `--rejects` has them all. */
const maxKeptRejects = 1000;
/** The number of rejects that are listed on a terminal. */
const maxListedRejects = 20;

/** Records that a row was left out. */
export function reject(outcome: Outcome, { line, unit }: Row, reason: string): void {
  outcome.rejected++;
  if (outcome.rejects.length < maxKeptRejects) outcome.rejects.push({ line, unit, reason });
}

/** The number of rows that were processed. */
export function handled({ added, updated, unchanged, skipped, rejected }: Outcome): number {
  return added + updated + unchanged + skipped + rejected;
}

/** The number of books that a dry run shows. */
const maxSamples = 5;

/** Remembers the first books. */
export function sample({ samples }: Outcome, row: Row): void {
  if (samples.length < maxSamples && 'fields' in row) samples.push(row.fields);
}

export interface SummaryOptions {
  batch: string;
  seconds: number;
  json: boolean;
  dryRun: boolean;
  /** Whether rows stand for books of the catalogue. */
  isMatched: boolean;
}

/** Reports the result, and which rows were left out. */
export async function summarize(io: Io, outcome: Outcome, options: SummaryOptions): Promise<void> {
  const { start, added, updated, unchanged, skipped, rejected, ids } = outcome;
  const hasChanged = !options.dryRun && added + updated > 0;
  const rejects = outcome.rejects.toSorted((a, b) => a.line - b.line);
  if (options.json) {
    const columns = Object.fromEntries(
      fieldNames.map((field) => [field, start?.mapping[field]?.name ?? null]),
    );
    const { dryRun } = options;
    const listed = rejects.map(({ line, reason }) => ({ line, reason }));
    const undo = hasChanged ? { batch: options.batch, ids: listIds(ids, Infinity) } : {};
    const same = options.isMatched ? { unchanged } : {};
    const numbers = { added, updated, ...same, skipped, rejected };
    const preview = dryRun ? { unused: start ? unusedColumns(start) : [], samples: outcome.samples } : {};
    await writeJson(io, { dryRun, columns, ...numbers, rejects: listed, ...undo, ...preview });
    return;
  }
  if (options.dryRun) describeSamples(io, outcome.samples);
  for (const { line, unit, reason } of rejects.slice(0, maxListedRejects))
    notice(io, `${unit} ${line} left out: ${reason}`);
  if (rejected > maxListedRejects) notice(io, `… and ${rejected - maxListedRejects} more`);
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
  ];
  notice(io, parts.join(', '));
  if (!hasChanged) return;
  if (ids.length > 0) notice(io, `ids: ${listIds(ids)}`);
  adviseUndo(io, options.batch);
}
