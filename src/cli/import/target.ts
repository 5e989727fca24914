import type { BookFields } from '../../book.ts';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { booksUntil } from '../interrupt.ts';
import { createDuplicates, type Duplicates } from './duplicates.ts';
import type { Row } from './row.ts';

/** What becomes of a row that is there already. */
export type OnDuplicate = 'add' | 'skip' | 'update';

/** What came of a row: of one that is left out, why. */
export type Result = 'added' | 'updated' | 'skipped' | { reason: string };

/** Where rows are brought. */
export interface Target {
  /** Brings rows together, in their order; gives what came of each. */
  bring(rows: readonly Row[]): Promise<readonly Result[]>;
}

/**
 * Brings rows to a service; in a dry run, finds out what would come of them.
 *
 * @param client `undefined` where no service is needed: in a dry run that adds every row.
 */
export async function createTarget(
  client: Client | undefined,
  { onDuplicate, dryRun = false }: { onDuplicate: OnDuplicate; dryRun?: boolean },
  signal: AbortSignal,
): Promise<Target> {
  const change = dryRun ? undefined : client;
  const duplicates = onDuplicate === 'add' || !client ? undefined : await readDuplicates(client, signal);

  async function decide(row: Row): Promise<Result | 'new'> {
    if ('reason' in row) return { reason: row.reason };
    const duplicate = duplicates?.find(row.fields);
    if (duplicate === undefined) return 'new';
    const { id, isExact } = duplicate;
    if (onDuplicate === 'skip' || id === undefined || isExact) return 'skipped';
    return (await update(change, id, row.fields)) ?? 'updated';
  }

  return {
    async bring(rows) {
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

/** Changes a book; gives the reason when the service refuses it for what it holds. */
async function update(
  client: Client | undefined,
  id: number,
  fields: BookFields,
): Promise<{ reason: string } | undefined> {
  try {
    await client?.update(id, fields);
    return undefined;
  } catch (error) {
    return { reason: rejection(error) };
  }
}

/** Adds books in their order; gives, by their place, the reasons of those that the service refuses. */
async function createAll(
  client: Client | undefined,
  books: readonly BookFields[],
): Promise<ReadonlyMap<number, string>> {
  if (client === undefined || books.length === 0) return new Map();
  try {
    const { rejected } = await client.createMany(books);
    return new Map(rejected.map(({ line, message }) => [line - 1, `the service refuses it: ${message}`]));
  } catch (error) {
    const reason = rejection(error);
    if (books.length === 1) return new Map([[0, reason]]);
    // Together they are more than the service takes at once; it has stored none of them.
    const half = Math.ceil(books.length / 2);
    const first = await createAll(client, books.slice(0, half));
    const second = await createAll(client, books.slice(half));
    return new Map([...first, ...[...second].map(([at, why]) => [at + half, why] as const)]);
  }
}

/** Why the service refuses what it was sent for what it holds. @throws What is about something else. */
function rejection(error: unknown): string {
  if (error instanceof ShelflistError && ['invalid_input', 'body_too_large'].includes(error.code))
    return `the service refuses it: ${error.message}`;
  throw error;
}

async function readDuplicates(client: Client, signal: AbortSignal): Promise<Duplicates> {
  const duplicates = await createDuplicates();
  for await (const book of booksUntil(signal, client)) duplicates.addBook(book);
  return duplicates;
}
