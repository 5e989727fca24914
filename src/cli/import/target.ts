import type { BookFields } from '../../book.ts';
import type { Client } from '../../client/client.ts';
import { createDuplicates, type Duplicates } from './duplicates.ts';
import { rejection } from './outcome.ts';

/** What becomes of a row that is there already. */
export type OnDuplicate = 'add' | 'skip' | 'update';

/** Where rows are brought. */
export interface Target {
  /** What came of a row: of one that the service refuses for what it holds, why. */
  bring(fields: BookFields): Promise<'added' | 'updated' | 'skipped' | { reason: string }>;
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
  return {
    async bring(fields) {
      const duplicate = duplicates?.find(fields);
      try {
        if (duplicate === undefined) {
          await change?.create(fields);
          return 'added';
        }
        const { id, isExact } = duplicate;
        if (onDuplicate === 'skip' || id === undefined || isExact) return 'skipped';
        await change?.update(id, fields);
        return 'updated';
      } catch (error) {
        const reason = rejection(error);
        if (reason === undefined) throw error;
        if (duplicate === undefined) duplicates?.forget(fields);
        return { reason };
      }
    },
  };
}

async function readDuplicates(client: Client, signal: AbortSignal): Promise<Duplicates> {
  const duplicates = await createDuplicates();
  const stop = () => {
    client.close(); // The answer that is waited for breaks off.
  };
  signal.addEventListener('abort', stop);
  try {
    for await (const book of client.books()) duplicates.addBook(book);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return duplicates;
}
