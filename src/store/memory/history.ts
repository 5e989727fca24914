// Earlier states of a book, reverts, and the trash, from the log of the shelf.
import type { Book } from '../../catalogue/book.ts';
import { isSameBook } from '../contract/change.ts';
import {
  notAPosition,
  takeStates,
  type DeletedBook,
  type EarlierState,
  type HistoryPage,
  type Origin,
  type TrashPage,
} from '../contract/history.ts';
import { createPage } from '../contract/page.ts';
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

/** As `BookStore.history`. @param since Older changes do not count, in milliseconds since 1970. */
export function readHistory(shelf: Shelf, id: number, since: number): readonly EarlierState[] | undefined {
  const states = takeStates(
    replacements(shelf, id, since).map(({ seq, at, kind, before, batch }) => ({
      version: String(seq),
      at,
      change: kind,
      ...before,
      ...(batch !== undefined && { batch }),
    })),
  );
  return states.length > 0 || shelf.get(id) !== undefined ? states : undefined;
}

/** Gives a book an earlier state; returns it, or `undefined` if the state is not kept. */
export function revertBook(
  shelf: Shelf,
  id: number,
  version: string | undefined,
  { since, ...origin }: Origin & { readonly since: number },
): Book | undefined {
  const found = replacements(shelf, id, since).find(
    ({ seq }) => version === undefined || String(seq) === version,
  );
  if (found === undefined) return undefined;
  const earlier = { id, ...found.before };
  putBack(shelf, earlier, origin);
  return earlier;
}

export function putBack(shelf: Shelf, earlier: Book, origin: Origin): void {
  const book = shelf.get(earlier.id);
  if (book === undefined || !isSameBook(book, earlier)) shelf.put(earlier, origin, 'reverted');
}

/** As `BookStore.trash`. */
export function readTrash(shelf: Shelf, { limit, after }: HistoryPage, since: number): TrashPage {
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
  for (const { seq, id, before, at, batch } of gone) {
    if (page.isFull) return { books, next };
    if (before === undefined) continue;
    books.push({ id, ...before, deletedAt: at, ...(batch !== undefined && { batch }) });
    page.add({ id, ...before });
    next = String(seq);
  }
  return { books, next: undefined };
}
