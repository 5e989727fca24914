import { isDeepStrictEqual } from 'node:util';

/** A state of a book, and the write that made it. */
interface Version {
  readonly state: unknown;
  readonly batch?: string | undefined;
  readonly parent?: Version | undefined;
}

/** What one undo did to a book: it went from one version to another. */
interface Move {
  readonly from: Version;
  readonly to: Version;
  isUndone: boolean;
}

/**
 * The plainest model of an undo: each book is a path of versions, and an undo only goes back along it, or forth again. It reads
 * no log, and so has nothing in common with the stores.
 */
export class UndoModel {
  readonly #books: Version[] = [];
  /** The moves of each undo by book, and the batch that it undid. */
  readonly #undos = new Map<string, { readonly of: string; readonly moves: Map<number, Move> }>();

  /** Notes the states of the books, by index, after a write; `undefined` for a book that does not exist. */
  observe(states: readonly unknown[], batch: string | undefined): void {
    for (const [i, state] of states.entries()) {
      const parent = this.#books[i] ?? { state: undefined };
      this.#books[i] = isDeepStrictEqual(parent.state, state) ? parent : { state, batch, parent };
    }
  }

  get states(): readonly unknown[] {
    return this.#books.map(({ state }) => state);
  }

  /** Undoes a batch; `left` is by descending index. */
  undo(batch: string, as: string): { undone: number; left: number[] } {
    const moves = new Map<number, Move>();
    const left: number[] = [];
    const own = this.#undos.get(batch);
    for (const [i, book] of this.#books.entries()) {
      const done = own?.moves.get(i);
      if (done?.isUndone === true) continue;
      if (done !== undefined && done.to !== book) left.unshift(i);
      const to = done === undefined ? backTo(book, batch) : done.from;
      if (to === 'others') left.unshift(i);
      if (
        to === undefined ||
        typeof to === 'string' ||
        left[0] === i ||
        isDeepStrictEqual(to.state, book.state)
      )
        continue;
      moves.set(i, { from: book, to, isUndone: false });
      this.#books[i] = to;
      const first = own === undefined ? undefined : this.#undos.get(own.of)?.moves.get(i);
      if (first !== undefined) first.isUndone = false;
      if (done !== undefined) done.isUndone = true;
    }
    this.#undos.set(as, { of: batch, moves });
    return { undone: moves.size, left };
  }
}

/** The version before those of a batch at the end of a path; `undefined`: it has none; `others`: they are not at the end. */
function backTo(book: Version, batch: string): Version | 'others' | undefined {
  let first: Version | undefined;
  let isOthers = false;
  for (let each: Version | undefined = book; each !== undefined; each = each.parent) {
    if (each.batch === batch) first = each;
  }
  if (first === undefined) return undefined;
  for (let each: Version | undefined = book; each !== undefined && each !== first; each = each.parent)
    isOthers ||= each.batch !== batch;
  return isOthers ? 'others' : first.parent;
}
