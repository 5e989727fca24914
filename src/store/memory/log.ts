// The log of a memory store: what history, trash, batches and undo read and change.
import type { Book } from '../../catalogue/book.ts';
import type {
  BatchRange,
  BookLog,
  ListedBatch,
  LoggedBatch,
  LoggedBook,
  LoggedChange,
  LoggedDelete,
  Restoration,
} from '../contract/log.ts';
import { isSameBook } from '../contract/change.ts';
import { countKinds, notAPosition, type Attribution, type HistoryRequest } from '../contract/history.ts';
import type { Change, MemoryData } from './data.ts';

/** The log in memory. A position is the number of a change. */
export class MemoryLog implements BookLog {
  readonly #data: MemoryData;

  constructor(data: MemoryData) {
    this.#data = data;
  }

  idsOfBatch(batch: string, { before, limit }: BatchRange): readonly number[] {
    const ids = new Set(this.#changesOfBatch(batch).map(({ id }) => id));
    return [...ids]
      .filter((id) => id < before)
      .sort((a, b) => b - a)
      .slice(0, limit);
  }

  changesOf(ids: readonly number[]): readonly LoggedBook[] {
    const changes = new Map(ids.map((id): [number, LoggedChange[]] => [id, []]));
    for (const change of this.#data.changes) changes.get(change.id)?.push(toLogged(change));
    return Array.from(changes, ([id, ownChanges]) => ({ id, book: this.#data.get(id), changes: ownChanges }));
  }

  apply(changes: readonly Restoration[], by: Attribution): readonly number[] {
    for (const { logged, to } of changes) {
      if (to === undefined) this.#data.remove(logged.id, by);
      else if (typeof logged.book !== 'object' || !isSameBook(logged.book, to))
        this.#data.put(to, by, 'reverted');
    }
    return [];
  }

  deleted({ limit, after }: HistoryRequest): readonly LoggedDelete[] {
    const newest = new Map(this.#data.changes.map(({ id, seq }) => [id, seq]));
    return this.#before(after)
      .filter(({ seq, id, kind }) => kind === 'deleted' && newest.get(id) === seq)
      .slice(0, limit)
      .map(({ seq, id, before, at, batch }) => ({
        position: String(seq),
        at,
        batch,
        book: before && { id, ...before },
      }));
  }

  batch(id: string): LoggedBatch | undefined {
    const changes = this.#changesOfBatch(id);
    const [first] = changes;
    const countOf = (kind: string) => changes.filter((change) => change.kind === kind).length;
    return first && { batch: id, at: first.at, ...countKinds(countOf) };
  }

  batches({ limit, after }: HistoryRequest): readonly ListedBatch[] {
    const firsts = new Map<string, number>();
    for (const { batch, seq } of this.#data.changes)
      if (batch !== undefined && !firsts.has(batch)) firsts.set(batch, seq);
    const isFirst = ({ batch = '', seq }: Change) => firsts.get(batch) === seq;
    return this.#before(after)
      .filter(isFirst)
      .slice(0, limit)
      .map(({ batch = '', seq }) => ({ position: String(seq), batch: this.batch(batch) }));
  }

  #changesOfBatch(batch: string): readonly Change[] {
    return this.#data.changes.filter((change) => change.batch === batch);
  }

  /** The changes before a position, newest first. */
  #before(position: string | undefined): readonly Change[] {
    const end = position === undefined ? Infinity : Number(position);
    if (Number.isNaN(end)) throw notAPosition();
    return this.#data.changes.filter(({ seq }) => seq < end).reverse();
  }
}

function toLogged({ seq, id, kind, at, batch, user, before }: Change): LoggedChange {
  const book: Book | undefined = before && { id, ...before };
  return { version: String(seq), kind, at, batch, user, before: book };
}
