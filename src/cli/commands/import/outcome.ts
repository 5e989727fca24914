import { adviseUndo, listIds } from '../../batches.ts';
import { counted, notice, type Io, writeJson } from '../../io.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import type { Report } from '../../../import/import-books.ts';
import { describeSamples, unusedColumns } from './preview.ts';
import type { Start } from '../../../import/row.ts';
import { describe } from '../../../formats/problems.ts';

/** The number of rejects that are listed on a terminal. */
const maxListedRejects = 20;

export interface SummaryOptions {
  /** `undefined` if the columns were not found. */
  start: Start | undefined;
  batch: string;
  seconds: number;
  json: boolean;
  dryRun: boolean;
  /** Whether rows stand for books of the catalogue. */
  isMatched: boolean;
}

/** Reports the result, and which rows were left out. */
export async function summarize(io: Io, report: Report, options: SummaryOptions): Promise<void> {
  const { added, updated, unchanged, skipped, rejected, ids } = report;
  const { start } = options;
  const hasChanged = !options.dryRun && added + updated > 0;
  const rejects = report.rejects.toSorted((a, b) => a.line - b.line);
  if (options.json) {
    const columns = Object.fromEntries(
      fieldNames.map((field) => [field, start?.mapping[field]?.name ?? null]),
    );
    const { dryRun } = options;
    const listed = rejects.map(({ line, problem }) => ({ line, reason: describe(problem) }));
    const undo = hasChanged ? { batch: options.batch, ids: listIds(ids, Infinity) } : {};
    const same = options.isMatched ? { unchanged } : {};
    const numbers = { added, updated, ...same, skipped, rejected };
    const preview = dryRun ? { unused: start ? unusedColumns(start) : [], samples: report.samples } : {};
    await writeJson(io, { dryRun, columns, ...numbers, rejects: listed, ...undo, ...preview });
    return;
  }
  if (options.dryRun) describeSamples(io, report.samples);
  for (const { line, unit, problem } of rejects.slice(0, maxListedRejects))
    notice(io, `${unit} ${line} left out: ${describe(problem)}`);
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
