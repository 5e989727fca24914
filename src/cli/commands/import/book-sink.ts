import type { BookFields } from '../../../catalogue/book.ts';
import type { DuplicateIndex } from '../../../catalogue/duplicates/duplicate-index.ts';
import type { Client } from '../../../client/client.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import type { Row } from './reading/row.ts';

/** What to do with a duplicate. */
export type OnDuplicate = 'add' | 'skip' | 'update';

/** The result of a row, or the reason why it is left out. */
export type Result = 'added' | 'updated' | 'unchanged' | 'skipped' | { reason: string };

/** The destination of rows. */
export interface BookSink {
  /** The ids that the service gave, in the order of the rows. */
  readonly ids: readonly number[];
  /** Writes a batch of rows in their order; returns the result of each. */
  write(rows: readonly Row[]): Promise<readonly Result[]>;
}

export interface BookSinkOptions {
  onDuplicate: OnDuplicate;
  /** The books of the catalogue; missing if every row is added. */
  duplicates?: DuplicateIndex | undefined;
  dryRun?: boolean;
  batch: string;
}

/**
 * Creates the sink that sends rows to a service; in a dry run, it only predicts the results.
 *
 * @param client `undefined` if no service is needed: in a dry run that adds every row.
 */
export function createBookSink(
  client: Client | undefined,
  { onDuplicate, duplicates, dryRun = false, batch }: BookSinkOptions,
): BookSink {
  const change: Changed | undefined = dryRun || !client ? undefined : { client, batch, ids: [] };

  async function decide(row: Row): Promise<Result | 'new'> {
    if ('reason' in row) return { reason: row.reason };
    const duplicate = duplicates?.find(row.fields);
    if (duplicate === undefined) return 'new';
    const { id, isExact } = duplicate;
    if (onDuplicate === 'skip' || id === undefined || isExact) return 'skipped';
    return (await update(change, id, row.fields)) ?? 'updated';
  }

  return {
    ids: change?.ids ?? [],
    async write(rows) {
      const decided = await Promise.all(rows.map(decide));
      const fresh = rows.flatMap((row, i) => (decided[i] === 'new' && 'fields' in row ? row.fields : []));
      const refused = await createAll(change, fresh);
      let at = 0;
      return decided.map((result) => {
        if (result !== 'new') return result;
        const fields = fresh[at];
        const reason = refused.get(at++);
        if (fields === undefined || reason === undefined) return 'added';
        duplicates?.forget(fields);
        return { reason };
      });
    },
  };
}

/** The service that is changed, and what it has added. */
interface Changed {
  readonly client: Client;
  readonly batch: string;
  readonly ids: number[];
}

/** Updates a book; returns the reason if the service rejects it. */
async function update(
  change: Changed | undefined,
  id: number,
  fields: BookFields,
): Promise<{ reason: string } | undefined> {
  try {
    await change?.client.update(id, fields, { batch: change.batch });
    return undefined;
  } catch (error) {
    if (error instanceof ShelflistError && error.code === 'book_not_found')
      return { reason: `book ${id} was deleted meanwhile; import the row again to add it` };
    return { reason: rejection(error) };
  }
}

/** Adds books in their order; returns, by their index, the reasons of those that the service rejects. */
async function createAll(
  change: Changed | undefined,
  books: readonly BookFields[],
): Promise<ReadonlyMap<number, string>> {
  if (change === undefined || books.length === 0) return new Map();
  try {
    const { client, batch, ids } = change;
    const { rejected, ids: added } = await client.createMany(books, { batch });
    for (const id of added) ids.push(id);
    return new Map(rejected.map(({ line, message }) => [line - 1, `the service rejects it: ${message}`]));
  } catch (error) {
    const reason = rejection(error);
    if (books.length === 1) return new Map([[0, reason]]);
    // The request exceeds the limit of the service, which has stored none of the books.
    const half = Math.ceil(books.length / 2);
    const first = await createAll(change, books.slice(0, half));
    const second = await createAll(change, books.slice(half));
    return new Map([...first, ...[...second].map(([at, why]) => [at + half, why] as const)]);
  }
}

/** The reason why the service rejects the content of a book. @throws Any other error. */
export function rejection(error: unknown): string {
  if (error instanceof ShelflistError && ['invalid_input', 'body_too_large'].includes(error.code))
    return `the service rejects it: ${error.message}`;
  throw error;
}
