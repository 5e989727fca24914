import { importedFileOf } from '../../catalogue/batch.ts';
import { type BatchBook, type BatchSummary, type ChangeKind, changeKinds } from '../../catalogue/changes.ts';

/** The longest time between the starts of two batches that are shown as one, in milliseconds. */
const togetherMs = 10 * 60_000;

/** The number of changes of a batch. */
export function sizeOf(batch: BatchSummary): number {
  return changeKinds.reduce((sum, kind) => sum + batch[kind], 0);
}

export function isUndo({ batch }: BatchSummary): boolean {
  return batch.startsWith('undo-');
}

/** The users who changed the named books of a batch. */
export function usersOf({ books = [] }: BatchSummary): string[] {
  return [...new Set(books.flatMap(({ user }) => user ?? []))];
}

/** Joins successive batches of the same user that changed one book each, in the same way and shortly after each other. */
export function joinNeighbours(batches: readonly BatchSummary[]): BatchSummary[][] {
  const joined: BatchSummary[][] = [];
  for (const batch of batches) {
    const later = joined.at(-1);
    const next = later?.at(-1);
    if (later !== undefined && next !== undefined && belongTogether(batch, next)) later.push(batch);
    else joined.push([batch]);
  }
  return joined;
}

function belongTogether(batch: BatchSummary, next: BatchSummary): boolean {
  const kind = soleKind(batch);
  return (
    kind !== undefined &&
    kind === soleKind(next) &&
    batch.books?.length === 1 &&
    next.books?.length === 1 &&
    next.at.getTime() - batch.at.getTime() <= togetherMs &&
    usersOf(batch).join() === usersOf(next).join()
  );
}

/** The kind of the only change of a batch that is neither an undo nor an import. */
function soleKind(batch: BatchSummary): ChangeKind | undefined {
  if (sizeOf(batch) !== 1 || isUndo(batch) || importedFileOf(batch.batch) !== undefined) return undefined;
  return changeKinds.find((kind) => batch[kind] === 1);
}

/** The books of joined batches, each once in its last state, and their number by kind of change. */
export function sum(batches: readonly BatchSummary[]): Record<ChangeKind, number> & { books: BatchBook[] } {
  const books = new Map<number, BatchBook>();
  for (const book of batches.flatMap((batch) => batch.books ?? []))
    if (!books.has(book.id)) books.set(book.id, book);
  const isOf = (kind: ChangeKind) => batches.some((batch) => batch[kind] > 0);
  const counts = changeKinds.map((kind) => [kind, isOf(kind) ? books.size : 0] as const);
  return { ...(Object.fromEntries(counts) as Record<ChangeKind, number>), books: [...books.values()] };
}

/** An undo that was interrupted. */
export interface InterruptedUndo {
  /** Its batch: an undo with this batch continues it. */
  readonly as: string;
  readonly done: number;
  readonly total: number;
}

/** The undo of a batch that was interrupted, if the list has it: undos are newer than what they undo. */
export function interruptedUndo(
  batch: BatchSummary,
  batches: readonly BatchSummary[],
): InterruptedUndo | undefined {
  const undo = batches.find((each) => each.batch === batch.undoneBy);
  if (undo === undefined || batch.undoable === false) return undefined;
  const [done, total] = [sizeOf(undo), sizeOf(batch)];
  return done < total ? { as: undo.batch, done, total } : undefined;
}
