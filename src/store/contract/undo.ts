// Plans the undo of a book from the batches of its changes; each store only carries the plan out.
import { createHash, randomBytes } from 'node:crypto';

/**
 * A new id for the batch that undoes another one. It contains a hash of the other id: so no store needs to record which batch
 * undoes which.
 */
export function newUndoId(batch: string): string {
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

/**
 * The result of an undo for one book: changed, skipped because others have changed it since, or without anything to undo.
 */
export type BookResult = 'undone' | 'left' | 'unchanged';

/** A change that counts. */
interface Layer {
  readonly index: number;
  readonly batch: string | undefined;
  /** How the ids of the batches that undo it begin. */
  readonly undoPrefix: string | undefined;
  /** The layers before an undo, which the undo of it restores. */
  readonly undone?: readonly Layer[];
}

/**
 * Plans the undo of one book. A change and its undo cancel each other, and so do an undo and the undo of it: only the
 * remaining changes decide whether others have changed the book since.
 *
 * @param batches The batches of all known changes of the book, oldest first; `undefined` for a change without one.
 * @param as The batch of the undo.
 * @returns The index of the first change to take back, or the result if there is nothing to do.
 */
export function planUndo(
  batches: readonly (string | undefined)[],
  batch: string,
  as: string,
): { readonly first: number } | BookResult {
  // A store need not read the creation of a book. If an undo took it back, a placeholder stands for it, so that a redo works.
  const known = batches.map((each) => each && undoPrefix(each));
  const unread = batches.map(prefixOf).find((each, i) => each && !known.slice(0, i).includes(each));
  let layers: Layer[] = unread === undefined ? [] : [{ index: -1, batch: undefined, undoPrefix: unread }];
  const undoneBy = new Map<string | undefined, string | undefined>();
  for (const [index, each] of batches.entries()) {
    const start = prefixOf(each) === undefined ? -1 : layers.findIndex((layer) => isUndo(each, layer));
    const target = layers[start];
    const layer = { index, batch: each, undoPrefix: known[index] };
    if (target === undefined) layers.push(layer);
    else {
      undoneBy.set(target.batch, each);
      layers = [...(target.undone ?? layers.slice(0, start)), { ...layer, undone: layers }];
    }
  }
  const [first, ...since] = layers.slice(layers.findIndex((layer) => layer.batch === batch));
  if (first?.batch === batch)
    return since.every((layer) => layer.batch === batch || layer.undone !== undefined)
      ? { first: first.index }
      : 'left';
  if (!undoneBy.has(batch)) return 'left';
  return undoneBy.get(batch) === as ? 'undone' : 'unchanged';
}

function isUndo(batch: string | undefined, { undoPrefix: prefix }: Layer): boolean {
  return batch !== undefined && prefix !== undefined && batch.startsWith(prefix);
}

/** How the ids of the undos of a batch begin, from the id of one; `undefined` for any other batch. */
function prefixOf(batch: string | undefined): string | undefined {
  return batch && /^undo-[0-9a-f]{20}-/.exec(batch)?.[0];
}
