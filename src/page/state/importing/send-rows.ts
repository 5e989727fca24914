import type { BookFields } from '../../../catalogue/book.ts';
import type { DuplicateIndex } from '../../../catalogue/duplicate-index.ts';
import type { Mapping } from '../../../import/columns.ts';
import { hasCode } from '../../../catalogue/errors.ts';
import { eachAtOnce } from '../../../lib/each-at-once.ts';
import { client } from '../service.ts';
import { maxInFlight } from '../selection.ts';
import type { OnDuplicate, Outcome } from './outcome.ts';
import type { TableRow } from './reading/table.ts';
import { readRow, type Rejected } from './rows.ts';

export interface SendOptions {
  readonly mapping: Mapping;
  readonly onDuplicate: OnDuplicate;
  readonly batch: string;
  /** The books of the catalogue; `undefined` if every row is added. */
  readonly known: DuplicateIndex | undefined;
}

/** A row that is a book. */
interface BookRow {
  readonly row: TableRow;
  readonly fields: BookFields;
}

/** What is to be done with some rows. It is decided once, so that it can be repeated after a failure. */
export interface Plan {
  readonly fresh: readonly BookRow[];
  readonly updates: readonly (BookRow & { readonly id: number })[];
  readonly skipped: number;
  readonly rejected: readonly Rejected[];
}

/** Decides what to do with rows. The books among them are known from then on. */
export function planRows(rows: readonly TableRow[], options: SendOptions): Plan {
  const fresh: BookRow[] = [];
  const updates: Plan['updates'][number][] = [];
  const rejected: Rejected[] = [];
  let skipped = 0;
  for (const row of rows) {
    const read = readRow(row, options.mapping);
    if ('reason' in read) {
      rejected.push({ row, reason: read.reason });
      continue;
    }
    const { fields } = read;
    const duplicate = options.known?.find(fields);
    if (duplicate === undefined) fresh.push({ row, fields });
    else if (options.onDuplicate === 'update' && duplicate.id !== undefined && !duplicate.isExact)
      updates.push({ row, fields, id: duplicate.id });
    else skipped++;
  }
  return { fresh, updates, skipped, rejected };
}

/** Updates books. Repeating it changes nothing. */
export async function sendUpdates({ updates }: Plan, { batch }: SendOptions): Promise<readonly Rejected[]> {
  const rejected: Rejected[] = [];
  await eachAtOnce(updates, maxInFlight, async ({ row, fields, id }) => {
    try {
      await client.update(id, fields, { batch });
    } catch (error) {
      rejected.push({ row, reason: asRejection(error) });
    }
  });
  return rejected;
}

/** Adds books in their order; returns those that the service rejects. */
export async function sendFresh(
  fresh: readonly BookRow[],
  options: SendOptions,
): Promise<readonly Rejected[]> {
  if (fresh.length === 0) return [];
  try {
    const { rejected } = await client.createMany(
      fresh.map(({ fields }) => fields),
      { batch: options.batch },
    );
    return rejected.flatMap(({ line, message }) => {
      const book = fresh[line - 1];
      if (book === undefined) return [];
      options.known?.forget(book.fields);
      return [{ row: book.row, reason: { kind: 'service', message } }];
    });
  } catch (error) {
    const reason = asRejection(error);
    const [only, second] = fresh;
    if (only !== undefined && second === undefined) return [{ row: only.row, reason }];
    // The request exceeds the limit of the service, which has stored none of the books.
    const half = Math.ceil(fresh.length / 2);
    const first = await sendFresh(fresh.slice(0, half), options);
    return [...first, ...(await sendFresh(fresh.slice(half), options))];
  }
}

/** What a plan did, if it is done. */
export function outcomeOf(plan: Plan, refused: readonly Rejected[]): Outcome {
  const isFresh = new Set(plan.fresh.map(({ row }) => row));
  const refusedFresh = refused.filter(({ row }) => isFresh.has(row)).length;
  return {
    added: plan.fresh.length - refusedFresh,
    updated: plan.updates.length - (refused.length - refusedFresh),
    skipped: plan.skipped,
    rejected: [...plan.rejected, ...refused].sort((a, b) => a.row.line - b.row.line),
  };
}

/** The service rejects the content of a book. @throws Any other error. */
function asRejection(error: unknown): Rejected['reason'] {
  if (hasCode(error, 'invalid_input', 'body_too_large', 'book_not_found'))
    return { kind: 'service', message: error.message };
  throw error;
}
