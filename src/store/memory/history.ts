import { textLength, type Book } from '../../catalogue/book.ts';
import { isSameBook } from '../contract/change.ts';
import {
  changeKinds,
  historyLimits,
  notAPosition,
  type BatchSummary,
  type DeletedBook,
  type EarlierState,
  type TrashPage,
  type TrashRequest,
  type Undone,
  type UndoRequest,
} from '../contract/history.ts';
import { createPage } from '../contract/page.ts';
import { planUndo, sumUp, type BookResult } from '../contract/undo.ts';
import type { Change, Shelf } from './shelf.ts';

/** A change that replaced a state. */
type Replacement = Change & {
  readonly before: NonNullable<Change['before']>;
  readonly kind: EarlierState['change'];
};

/** The changes of a book since a time that replaced a state, newest first. */
function replacements(shelf: Shelf, id: number, since: number): Replacement[] {
  return shelf.changes
    .filter(
      (change): change is Replacement =>
        change.id === id && change.before !== undefined && change.at.getTime() >= since,
    )
    .reverse();
}

/** @param since Older changes do not count, in milliseconds since 1970. */
export function historyOf(shelf: Shelf, id: number, since: number): readonly EarlierState[] | undefined {
  const states: EarlierState[] = [];
  let characters = 0;
  for (const { seq, at, kind, before } of replacements(shelf, id, since)) {
    if (states.length === historyLimits.maxStates || characters >= historyLimits.maxCharacters) break;
    states.push({ version: String(seq), at, change: kind, ...before });
    characters += textLength(before);
  }
  return states.length > 0 || shelf.get(id) !== undefined ? states : undefined;
}

/** Gives a book an earlier state; returns it, or `undefined` if the state is not kept. */
export function revertBook(
  shelf: Shelf,
  id: number,
  version: string | undefined,
  { batch, since }: { readonly batch: string | undefined; readonly since: number },
): Book | undefined {
  const found = replacements(shelf, id, since).find(
    ({ seq }) => version === undefined || String(seq) === version,
  );
  if (found === undefined) return undefined;
  const earlier = { id, ...found.before };
  putBack(shelf, earlier, batch);
  return earlier;
}

function putBack(shelf: Shelf, earlier: Book, batch: string | undefined): void {
  const book = shelf.get(earlier.id);
  if (book === undefined || !isSameBook(book, earlier)) shelf.put(earlier, batch, 'reverted');
}

export function trashOf(shelf: Shelf, { limit, after }: TrashRequest, since: number): TrashPage {
  const start = after === undefined ? Infinity : Number(after);
  if (Number.isNaN(start)) throw notAPosition();
  const newest = new Map(shelf.changes.map(({ id, seq }) => [id, seq]));
  const gone = shelf.changes
    .filter(({ seq, id, kind, at }) => {
      const isGone = kind === 'deleted' && newest.get(id) === seq;
      return isGone && seq < start && at.getTime() >= since;
    })
    .reverse();
  const books: DeletedBook[] = [];
  const page = createPage(limit);
  let next: string | undefined;
  for (const { seq, id, before, at } of gone) {
    if (page.isFull) return { books, next };
    if (before === undefined) continue;
    books.push({ id, ...before, deletedAt: at });
    page.add({ id, ...before });
    next = String(seq);
  }
  return { books, next: undefined };
}

export function batchOf(shelf: Shelf, id: string): BatchSummary | undefined {
  const changes = shelf.changes.filter(({ batch }) => batch === id);
  const [first] = changes;
  if (first === undefined) return undefined;
  const counts = changeKinds.map((kind) => [kind, changes.filter((each) => each.kind === kind).length]);
  return {
    id,
    at: first.at,
    ...(Object.fromEntries(counts) as Pick<BatchSummary, (typeof changeKinds)[number]>),
    undoable: [...changesOfBooks(shelf, new Set(changes.map((change) => change.id))).values()].some(
      (all) => typeof planUndo(batchesOf(all), id, '') !== 'string',
    ),
  };
}

export function undoBatch(
  shelf: Shelf,
  batch: string,
  { as, limit, before = Infinity }: UndoRequest,
): Undone | undefined {
  const own = new Set(shelf.changes.filter((change) => change.batch === batch).map(({ id }) => id));
  if (own.size === 0) return undefined;
  const all = [...own].filter((id) => id < before).sort((a, b) => b - a);
  const ids = all.slice(0, limit);
  const changesOf = changesOfBooks(shelf, new Set(ids));
  const results = ids.map((id) => undoBook(shelf, batch, as, changesOf.get(id) ?? []));
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

function undoBook(shelf: Shelf, batch: string, as: string, changes: readonly Change[]): BookResult {
  const plan = planUndo(batchesOf(changes), batch, as);
  if (typeof plan === 'string') return plan;
  const { version } = shelf;
  const { id, before } = changes[plan.first] ?? { id: 0, before: undefined };
  if (before === undefined) shelf.remove(id, as);
  else putBack(shelf, { id, ...before }, as);
  return shelf.version === version ? 'unchanged' : 'undone';
}
