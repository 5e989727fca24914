// Stores many books at once, with an idempotency key in the same transaction.
import { ShelflistError } from '../../catalogue/errors.ts';
import { checkDigest, idempotencyKeyMs, type NewBooks } from '../contract/create.ts';
import type { Created } from '../contract/store.ts';
import type { BookTable } from './change.ts';
import type { Statements } from './connection.ts';
import { lastIdSql } from './schema.ts';

const oldest = `(SELECT history_clock - ${idempotencyKeyMs} FROM meta)`;
const findRepeat = `SELECT digest, CAST(first AS REAL), books, batch, key FROM repeats
  WHERE (key = ?1 OR key IN (SELECT value FROM json_each(?2)) AND digest = ?3) AND at >= ${oldest}`;
const addRepeat = 'INSERT OR REPLACE INTO repeats SELECT ?, ?, ?, ?, ?, clock FROM meta';
/** More than one write adds. */
const pruneRepeats = `DELETE FROM repeats
  WHERE key IN (SELECT key FROM repeats INDEXED BY repeats_by_time WHERE at < ${oldest} LIMIT 10)`;

/** As `BookStore.createMany`, within a transaction of its caller: the idempotency key is stored with the books. */
export function createMany(
  statements: Statements,
  table: BookTable,
  {
    books,
    idempotencyKey: repeat,
    batch,
  }: Omit<NewBooks, 'user' | 'batch'> & { readonly batch?: string | undefined },
): Created {
  const former = repeat?.former;
  const known =
    repeat &&
    statements.row(findRepeat, repeat.key, JSON.stringify(former?.keys ?? []), former?.digest ?? '');
  if (repeat && known) {
    const [digest, first, count, storedBatch, key] = known;
    if (key === repeat.key) checkDigest(repeat, String(digest));
    const ids = Array.from({ length: Number(count) }, (_, i) => Number(first) + i);
    return { ids, batch: typeof storedBatch === 'string' ? storedBatch : undefined, isReplay: true };
  }
  // A refusal must come before anything is written.
  if (statements.number(lastIdSql) > Number.MAX_SAFE_INTEGER - books.length)
    throw new ShelflistError('unavailable', { message: 'all ids are used' });
  const ids = books.map((fields) => table.create(fields).id);
  if (repeat) {
    statements.run(pruneRepeats);
    const { key, digest } = repeat;
    statements.run(addRepeat, key, digest, ids[0] ?? 0, ids.length, batch ?? null);
  }
  return { ids, batch, isReplay: false };
}
