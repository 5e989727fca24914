import { createHash, randomBytes } from 'node:crypto';

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
