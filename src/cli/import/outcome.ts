import { counted, notice, type Io } from '../io.ts';
import { writeJson } from '../output/records.ts';
import { fields, listColumns } from './columns.ts';
import type { Row, RowsStart } from './row.ts';

/** What came of a file so far; of a dry run, what would come. */
export interface Outcome {
  /** `undefined` until the columns were found. */
  start: RowsStart | undefined;
  added: number;
  updated: number;
  skipped: number;
  rejected: number;
  /** The first of the rows that were left out. */
  rejects: Reject[];
}

/** A row that was left out. */
export interface Reject extends Pick<Row, 'line' | 'unit'> {
  reason: string;
}

export function createOutcome(): Outcome {
  return { start: undefined, added: 0, updated: 0, skipped: 0, rejected: 0, rejects: [] };
}

/** Rows that are kept to be told; `--rejects` has them all. */
const keptRejects = 1000;
/** Those of them that are told to a person. */
const listedRejects = 20;

/** Notes that a row was left out. */
export function reject(outcome: Outcome, { line, unit }: Row, reason: string): void {
  outcome.rejected++;
  if (outcome.rejects.length < keptRejects) outcome.rejects.push({ line, unit, reason });
}

/** Rows that something came of. */
export function handled({ added, updated, skipped, rejected }: Outcome): number {
  return added + updated + skipped + rejected;
}

/** Says which columns hold which fields, and what could be named for those that none holds. */
export function describeMapping(io: Io, { mapping, header = [] }: RowsStart): void {
  const found = fields.flatMap((field) => {
    const column = mapping[field];
    if (column === undefined) return [];
    const instead = column.instead === undefined ? '' : `, else "${header[column.instead] ?? ''}"`;
    return `${field} from "${column.name}"${instead}`;
  });
  const lacking = header.length === 0 ? [] : fields.filter((field) => mapping[field] === undefined);
  notice(io, `importing ${[...found, ...lacking.map((field) => `no ${field}`)].join(', ')}`);
  const used = fields.flatMap((field) => mapping[field]?.at ?? []);
  const unused = header.filter((_, at) => !used.includes(at));
  const [first] = lacking;
  if (first !== undefined && unused.length > 0)
    notice(io, `if one of these has it, name it with --map ${first}=COLUMN: ${listColumns(unused)}`);
}

export interface SummaryOptions {
  seconds: number;
  json: boolean;
  dryRun: boolean;
}

/** Says what was done with the rows, and which were left out. */
export async function summarize(io: Io, outcome: Outcome, options: SummaryOptions): Promise<void> {
  const { start, added, updated, skipped, rejected } = outcome;
  const rejects = outcome.rejects.toSorted((a, b) => a.line - b.line);
  if (options.json) {
    const columns = Object.fromEntries(fields.map((field) => [field, start?.mapping[field]?.name ?? null]));
    const { dryRun } = options;
    const listed = rejects.map(({ line, reason }) => ({ line, reason }));
    await writeJson(io, { dryRun, columns, added, updated, skipped, rejected, rejects: listed });
    return;
  }
  for (const { line, unit, reason } of rejects.slice(0, listedRejects))
    notice(io, `${unit} ${line} left out: ${reason}`);
  if (rejected > listedRejects) notice(io, `… and ${rejected - listedRejects} more`);
  const [add, update, skip, leave] = options.dryRun
    ? ['would add', 'update', 'skip', 'leave']
    : ['added', 'updated', 'skipped', 'left'];
  const time = options.dryRun ? '' : ` in ${options.seconds.toFixed(1)} s`;
  const parts = [
    `${add} ${counted(added, 'book')}${time}`,
    ...(updated > 0 ? [`${update} ${updated}`] : []),
    ...(skipped > 0 ? [`${skip} ${skipped} that are there already`] : []),
    `${leave} out ${rejected}`,
  ];
  notice(io, parts.join(', '));
}
