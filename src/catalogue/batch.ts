import { createHash, randomBytes } from 'node:crypto';

/** The ids of batches, as a pattern of JSON Schema. */
export const batchPattern = '^[A-Za-z0-9_-]{8,64}$';

const pattern = new RegExp(batchPattern);

/** Whether a value is the id of a batch: 8 to 64 of `A-Z a-z 0-9 _ -`. */
export function isBatch(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** A new id for a batch. It begins with a letter or digit: a shell command takes it as an argument. */
export function newBatch(): string {
  return randomBytes(10).toString('hex');
}

/**
 * A new id for the batch that undoes another one. It contains a hash of the other id: so no store needs to record which batch
 * undoes which.
 */
export function newUndo(batch: string): string {
  return `${undoPrefix(batch)}${randomBytes(4).toString('hex')}`;
}

/** Whether a batch undoes another one. */
export function isUndoOf(undo: string, batch: string): boolean {
  return undo.startsWith(undoPrefix(batch));
}

/** The beginning of the ids of all batches that undo this one. */
export function undoPrefix(batch: string): string {
  return `undo-${createHash('sha256').update(batch).digest('hex').slice(0, 20)}-`;
}
