import type { BookFields } from '../../../catalogue/book.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import { notice, plain, type Io } from '../../io.ts';
import { keyColumns } from '../../../import/columns.ts';
import type { Start } from '../../../import/row.ts';
import { listColumns } from './columns.ts';

export interface PreviewOptions {
  dryRun: boolean;
  /** Whether rows stand for books of the catalogue. */
  isMatched: boolean;
}

/** Reports the columns of the fields, the fields without a column, and in a dry run the columns that are left out. */
export function describeMapping(io: Io, start: Start, { dryRun, isMatched }: PreviewOptions): void {
  const { mapping, header } = start;
  const parts = fieldNames.map((field) => {
    const column = mapping[field];
    if (column === undefined) return `no ${field}`;
    const instead = column.instead === undefined ? '' : `, else "${header?.[column.instead] ?? ''}"`;
    return `${field} from "${column.name}"${instead}`;
  });
  notice(io, `importing ${parts.join(', ')}`);
  const lacking = fieldNames.filter((field) => mapping[field] === undefined);
  const unused = unusedColumns(start).filter((name) => !isMatched || !keyColumns.some((key) => key === name));
  const [first] = lacking;
  if (first !== undefined && !isMatched && (unused.length > 0 || header === undefined)) {
    const what = header === undefined ? 'no member of the first object' : 'no column';
    const list = unused.length === 0 || dryRun ? '' : `: ${listColumns(unused)}`;
    notice(
      io,
      `${what} looks like the ${lacking.join(' or the ')}; name one with --map ${first}=COLUMN${list}`,
    );
  }
  if (dryRun && unused.length > 0) notice(io, `columns that are left out: ${listColumns(unused)}`);
}

/** The columns of CSV that no field comes from. */
export function unusedColumns({ mapping, header = [] }: Start): string[] {
  const used = fieldNames.flatMap((field) =>
    [mapping[field]?.at ?? [], mapping[field]?.instead ?? []].flat(),
  );
  return header.filter((name, at) => !used.includes(at) && name.trim() !== '');
}

/** Shows books, one on each line. */
export function describeSamples(io: Io, samples: readonly BookFields[]): void {
  if (samples.length > 0)
    notice(io, samples.length === 1 ? 'the first book:' : `the first ${samples.length} books:`);
  for (const book of samples)
    notice(io, `  ${fieldNames.map((name) => shorten(plain(String(book[name])))).join(' | ')}`);
}

const maxShown = 60;

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
