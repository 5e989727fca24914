// What a batch did, and its undo, from the log of the shelf.
import {
  countKinds,
  notAPosition,
  type BatchPage,
  type BatchSummary,
  type HistoryPage,
  type Origin,
  type Undone,
  type UndoRequest,
} from '../contract/history.ts';
import { planUndo, sumUp, type BookResult } from '../contract/undo.ts';
import { putBack } from './history.ts';
import type { Change, Shelf } from './shelf.ts';

/** As `BookStore.batch`. */
export function readBatch(shelf: Shelf, batch: string): BatchSummary | undefined {
  const changes = shelf.changes.filter((change) => change.batch === batch);
  const [first] = changes;
  if (first === undefined) return undefined;
  return {
    batch,
    at: first.at,
    ...countKinds((kind) => changes.filter((each) => each.kind === kind).length),
    undoable: [...changesOfBooks(shelf, new Set(changes.map((change) => change.id))).values()].some(
      (all) => typeof planUndo(batchesOf(all), batch, '') !== 'string',
    ),
  };
}

/** As `BookStore.batches`. The position of a page is the first change of its last batch. */
export function readBatches(shelf: Shelf, { limit, after }: HistoryPage): BatchPage {
  const end = after === undefined ? Infinity : Number(after);
  if (Number.isNaN(end)) throw notAPosition();
  const firsts = new Map<string, number>();
  for (const { batch, seq } of shelf.changes)
    if (batch !== undefined && !firsts.has(batch)) firsts.set(batch, seq);
  const found = [...firsts].filter(([, seq]) => seq < end).reverse();
  const page = found.slice(0, limit);
  return {
    batches: page.flatMap(([batch]) => readBatch(shelf, batch) ?? []),
    next: found.length > limit ? String(page.at(-1)?.[1]) : undefined,
  };
}

/** As `BookStore.undo`. */
export function undoStep(
  shelf: Shelf,
  batch: string,
  { as, limit, before = Infinity, user }: UndoRequest,
): Undone | undefined {
  const own = new Set(shelf.changes.filter((change) => change.batch === batch).map(({ id }) => id));
  if (own.size === 0) return undefined;
  const all = [...own].filter((id) => id < before).sort((a, b) => b - a);
  const ids = all.slice(0, limit);
  const changesOf = changesOfBooks(shelf, new Set(ids));
  const results = ids.map((id) => undoBook(shelf, batch, { batch: as, user }, changesOf.get(id) ?? []));
  return {
    ...sumUp(ids, results),
    next: all.length > ids.length ? ids.at(-1) : undefined,
  };
}

function changesOfBooks(shelf: Shelf, ids: ReadonlySet<number>): ReadonlyMap<number, readonly Change[]> {
  const changesOf = new Map(Array.from(ids, (id): [number, Change[]] => [id, []]));
  for (const change of shelf.changes) changesOf.get(change.id)?.push(change);
  return changesOf;
}

const batchesOf = (changes: readonly Change[]) => changes.map(({ batch }) => batch);

function undoBook(
  shelf: Shelf,
  batch: string,
  as: Origin & { readonly batch: string },
  changes: readonly Change[],
): BookResult {
  const plan = planUndo(batchesOf(changes), batch, as.batch);
  if (typeof plan === 'string') return plan;
  const { version } = shelf;
  const { id, before } = changes[plan.first] ?? { id: 0, before: undefined };
  if (before === undefined) shelf.remove(id, as);
  else putBack(shelf, { id, ...before }, as);
  return shelf.version === version ? 'unchanged' : 'undone';
}
