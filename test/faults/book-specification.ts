// The sequential specification of one book: what each operation does when all come one after the other.
import type { ChangeKind } from '../../src/catalogue/changes.ts';
import type { Specification } from './linearizability.ts';

/** A year stands for the whole book, whose title never changes; `undefined`: there is none. */
type Year = number | undefined;

/** An operation on one book. Without a result, its outcome is unknown. */
export type BookOperation =
  /** `replayed`: an earlier request with the same `Idempotency-Key` has created it. */
  | {
      readonly call: 'create';
      readonly year: number;
      readonly batch?: string;
      readonly hasKey: boolean;
      readonly result?: 'created' | 'replayed';
    }
  /** `GET`, or what a list or a search has of the book. */
  | { readonly call: 'get' | 'list' | 'search'; readonly result: Year }
  /** Its earlier states, newest first; `undefined`: there is no such book. */
  | { readonly call: 'history'; readonly result: readonly number[] | undefined }
  /** The year of the book in the trash. */
  | { readonly call: 'trash'; readonly result: Year }
  /** `if`: the year of the `ETag` in `If-Match`. */
  | {
      readonly call: 'update';
      readonly year: number;
      readonly if?: number;
      readonly batch?: string;
      readonly result?: 'done' | 'missing' | 'differs';
    }
  | {
      readonly call: 'delete';
      readonly if?: number;
      readonly batch?: string;
      readonly result?: 'done' | 'differs';
    }
  | { readonly call: 'revert'; readonly result?: number | 'missing' }
  /** `left`: others have changed the book since; `none`: the batch has changed no book; `other`: an answer that does not name the book. */
  | { readonly call: 'undo'; readonly batch: string; readonly result?: 'left' | 'none' | 'other' };

/** A change of the book, as its log has it. */
interface Change {
  readonly before: Year;
  readonly batch?: string | undefined;
  /** The batch that it takes back. */
  readonly undoes?: string;
}

export interface BookState {
  readonly year: Year;
  readonly changes: readonly Change[];
}

/** @param feed The changes of the book as `GET /changes` has announced them: those, in this order, must have happened. */
export function bookSpecification(feed: readonly ChangeKind[]): Specification<BookState, BookOperation> {
  const change = (
    { year, changes }: BookState,
    kind: ChangeKind,
    to: Year,
    others: Omit<Change, 'before'> = {},
  ) =>
    feed[changes.length] === kind
      ? { year: to, changes: [...changes, { before: year, ...others }] }
      : undefined;
  return {
    initial: { year: undefined, changes: [] },
    keyOf: (state) => JSON.stringify(state),
    isRead,
    isEnd: ({ changes }) => changes.length === feed.length,
    apply(state, operation) {
      const { year, changes } = state;
      const unless = (isImpossible: boolean, next: BookState | undefined = state) =>
        isImpossible ? undefined : next;
      switch (operation.call) {
        case 'create': {
          const { result, hasKey, batch } = operation;
          if (changes.length > 0) return unless(!hasKey || result === 'created');
          return unless(result === 'replayed', change(state, 'created', operation.year, { batch }));
        }
        case 'get':
        case 'list':
        case 'search':
          return unless(operation.result !== year);
        case 'history': {
          const states = changes.flatMap(({ before }) => before ?? []).reverse();
          const result = changes.length === 0 ? undefined : states;
          return unless(JSON.stringify(operation.result) !== JSON.stringify(result));
        }
        case 'trash':
          return unless(operation.result !== (year === undefined ? changes.at(-1)?.before : undefined));
        case 'update': {
          const { result, batch } = operation;
          const outcome = year === undefined ? 'missing' : differs(operation, year) ? 'differs' : 'done';
          if (result !== undefined && result !== outcome) return undefined;
          return outcome === 'done' ? change(state, 'updated', operation.year, { batch }) : state;
        }
        case 'delete': {
          const { result, batch } = operation;
          const outcome = differs(operation, year) ? 'differs' : 'done';
          if (result !== undefined && result !== outcome) return undefined;
          return outcome === 'done' && year !== undefined
            ? change(state, 'deleted', undefined, { batch })
            : state;
        }
        case 'revert': {
          const earlier = changes.findLast(({ before }) => before !== undefined)?.before;
          const { result = earlier ?? 'missing' } = operation;
          if (result !== (earlier ?? 'missing')) return undefined;
          return earlier === undefined || earlier === year ? state : change(state, 'reverted', earlier);
        }
        case 'undo':
          return undo(state, operation);
      }
    },
  };

  function undo(
    state: BookState,
    { batch, result }: BookOperation & { call: 'undo' },
  ): BookState | undefined {
    const layers = layersOf(state.changes);
    const first = layers.findIndex((layer) => layer.batch === batch);
    const isKnown = state.changes.some((each) => each.batch === batch);
    const isLeft = first >= 0 && layers.slice(first).some((layer) => layer.batch !== batch);
    if (result !== undefined && (result === 'left') !== isLeft) return undefined;
    if (result === 'none' && isKnown) return undefined;
    const before = layers[first]?.before;
    if (first < 0 || isLeft || before === state.year) return state;
    return change(state, before === undefined ? 'deleted' : 'reverted', before, { undoes: batch });
  }
}

/** With another year than that of its `If-Match`, a request is refused. */
function differs({ if: expected }: { readonly if?: number }, year: Year): boolean {
  return expected !== undefined && expected !== year;
}

/** The changes that count: an undo and what it took back cancel each other. */
function layersOf(changes: readonly Change[]): Change[] {
  const layers: Change[] = [];
  for (const change of changes) {
    const { undoes } = change;
    if (undoes === undefined) layers.push(change);
    else layers.splice(layers.findIndex(({ batch }) => batch === undoes));
  }
  return layers;
}

const reads: readonly BookOperation['call'][] = ['get', 'list', 'search', 'history', 'trash'];

export function isRead({ call }: BookOperation): boolean {
  return reads.includes(call);
}
