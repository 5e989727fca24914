import { ApiError } from './api-error.ts';
import { send } from './request.ts';

/** A new id for a batch: what belongs to one is undone in one step. */
export function newBatch(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The number of books that a batch has created. @throws {ApiError} `not_found`: it has changed nothing. */
export async function countCreated(batch: string): Promise<number> {
  const { data } = await send(`batch/${batch}`);
  return (data as { created: number }).created;
}

/** What an undo did. */
export interface Undone {
  /** The number of books that have their earlier state again. */
  readonly undone: number;
  /** The ids of books that others have changed since. */
  readonly left: readonly number[];
}

interface UndoStep {
  /** The batch of the undo; `null` if the step has changed nothing. */
  readonly batch: string | null;
  readonly next: number | null;
  readonly left: readonly number[];
  readonly undone: number;
}

/** Takes back everything that a batch did, in as many steps as the service needs. */
export async function undoBatch(batch: string): Promise<Undone> {
  let [undone, before, undo]: [number, number | undefined, string | undefined] = [0, undefined, undefined];
  const left: number[] = [];
  do {
    const { data } = await send(`batch/${batch}/undo`, {
      method: 'POST',
      body: before === undefined ? {} : { before },
      ...(undo !== undefined && { headers: { Batch: undo } }),
    });
    const step = data as UndoStep;
    undone += step.undone;
    left.push(...step.left);
    undo ??= step.batch ?? undefined;
    if (before !== undefined && step.next !== null && step.next >= before)
      throw new ApiError(200, 'an undo that does not end');
    before = step.next ?? undefined;
  } while (before !== undefined);
  return { undone, left };
}
