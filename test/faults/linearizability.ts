// Decides whether a concurrent history is linearizable: whether one order of its operations explains all results.

/** A call of a client, and its result. */
export interface Operation<Detail> {
  readonly detail: Detail;
  /** When it was sent, and when its result arrived, in milliseconds of one clock. */
  readonly begin: number;
  /** `Infinity`: the outcome is unknown. It may take effect at any time after `begin`, or never. */
  readonly end: number;
}

/** What an object does when its operations come one after the other. States are immutable. */
export interface Specification<State, Detail> {
  readonly initial: State;
  /** The state after an operation; `undefined` if no operation with this result is possible in this state. */
  apply: (state: State, detail: Detail) => State | undefined;
  /** A text that only equal states share. */
  keyOf: (state: State) => string;
  /** Whether an operation never changes the state, whatever its result. */
  isRead: (detail: Detail) => boolean;
  /** Whether a history may end in this state. Default: in any. */
  isEnd?: (state: State) => boolean;
}

/** Why a history is not linearizable. */
export interface Violation<State, Detail> {
  /** The shortest part of the history that has no explanation, in the order of its calls. */
  readonly operations: readonly Operation<Detail>[];
  /** The longest order that explains results, and the state after each. None of the others may follow. */
  readonly explained: readonly { readonly operation: Operation<Detail>; readonly state: State }[];
}

/** A call or a return, in a list by time. */
interface Entry<Detail> {
  readonly operation: Operation<Detail>;
  readonly index: number;
  /** The return of a call. A call of unknown outcome has none, and is in no list. */
  readonly match: Entry<Detail> | undefined;
  readonly isReturn: boolean;
  previous: Entry<Detail> | undefined;
  next: Entry<Detail> | undefined;
}

/** A point of the search: the operations that may come next, and how many of them have been tried. */
interface Point<State, Detail> {
  readonly state: State;
  /** The operation that led here. */
  readonly last: Entry<Detail> | undefined;
  readonly candidates: readonly Entry<Detail>[];
  tried: number;
}

/**
 * Searches an order of the operations as Wing and Gong do ("Testing and verifying concurrent objects", 1993): a call may come
 * next if no other operation has returned before it began. As Lowe ("Testing for linearizability", 2017), it remembers each
 * set of operations together with the state that it led to. It never continues from the same pair twice, nor from one for
 * which more operations of unknown outcome were needed.
 *
 * @param mayEnd Whether the history ends here: `isEnd` decides then, too.
 * @returns The longest explained order, if there is none of all operations.
 */
function search<State, Detail>(
  { initial, apply, keyOf, isRead, isEnd = () => true }: Specification<State, Detail>,
  operations: readonly Operation<Detail>[],
  mayEnd: boolean,
): Violation<State, Detail>['explained'] | undefined {
  const { head, unknown } = toList(operations);
  const [taken, takenUnknown] = [new BitSet(operations.length), new BitSet(operations.length)];
  const seen = new Map<string, BitSet[]>();
  let longest: readonly Point<State, Detail>[] = [];
  let left = operations.length - unknown.length;

  /**
   * A known outcome is explained first: what may never have happened comes in only where it must. A read that fits comes at
   * once: to explain it later is never better.
   */
  const pointAt = (state: State, last?: Entry<Detail>): Point<State, Detail> => {
    const candidates: Entry<Detail>[] = [];
    let entry = head.next;
    for (; entry?.isReturn === false; entry = entry.next) {
      const { detail } = entry.operation;
      if (apply(state, detail) === undefined) continue;
      if (isRead(detail)) return { state, last, candidates: [entry], tried: 0 };
      candidates.push(entry);
    }
    const until = entry?.operation.end ?? Infinity;
    for (const each of unknown)
      if (each.operation.begin <= until && !takenUnknown.has(each.index)) candidates.push(each);
    return { state, last, candidates, tried: 0 };
  };
  const isNew = (state: State): boolean => {
    const key = `${taken.toString()}${keyOf(state)}`;
    const before = seen.get(key) ?? [];
    if (before.some((each) => each.isWithin(takenUnknown))) return false;
    seen.set(key, [...before.filter((each) => !takenUnknown.isWithin(each)), takenUnknown.copy()]);
    return true;
  };
  const take = (entry: Entry<Detail>): void => {
    (entry.match === undefined ? takenUnknown : taken).toggle(entry.index);
    if (entry.match === undefined) return;
    left--;
    lift(entry);
  };
  const giveBack = (entry: Entry<Detail>): void => {
    (entry.match === undefined ? takenUnknown : taken).toggle(entry.index);
    if (entry.match === undefined) return;
    left++;
    putBack(entry);
  };

  const points = [pointAt(initial)];
  for (let point = points.at(-1); point !== undefined; point = points.at(-1)) {
    if (left === 0 && (!mayEnd || isEnd(point.state))) return undefined;
    if (points.length > longest.length) longest = [...points];
    const entry = point.candidates[point.tried++];
    if (entry === undefined) {
      points.pop();
      if (point.last !== undefined) giveBack(point.last);
      continue;
    }
    const after = apply(point.state, entry.operation.detail);
    if (after === undefined) continue;
    take(entry);
    if (isNew(after)) points.push(pointAt(after, entry));
    else giveBack(entry);
  }
  return longest.flatMap(({ state, last }) =>
    last === undefined ? [] : { operation: last.operation, state },
  );
}

/** A set of numbers below a limit. */
class BitSet {
  readonly #words: Uint32Array;

  constructor(limit: number | Uint32Array) {
    this.#words = typeof limit === 'number' ? new Uint32Array(Math.ceil(limit / 32)) : limit;
  }

  has(n: number): boolean {
    return ((this.#words[n >>> 5] ?? 0) & (1 << (n & 31))) !== 0;
  }

  /** Adds a number, or removes it. */
  toggle(n: number): void {
    this.#words[n >>> 5] = (this.#words[n >>> 5] ?? 0) ^ (1 << (n & 31));
  }

  isWithin(other: BitSet): boolean {
    return this.#words.every((word, i) => (word & ~(other.#words[i] ?? 0)) === 0);
  }

  copy(): BitSet {
    return new BitSet(this.#words.slice());
  }

  /** A text that only equal sets with the same limit share. */
  toString(): string {
    return Buffer.from(this.#words.buffer).toString('latin1');
  }
}

/** Known calls and returns by time, after a head that is neither. Of those at the same moment, calls come first. */
function toList<Detail>(operations: readonly Operation<Detail>[]): {
  head: { next: Entry<Detail> | undefined };
  unknown: readonly Entry<Detail>[];
} {
  const entries = operations.flatMap((operation, index) => {
    const link = { operation, index, previous: undefined, next: undefined };
    if (operation.end === Infinity) return [{ ...link, match: undefined, isReturn: false }];
    const match: Entry<Detail> = { ...link, match: undefined, isReturn: true };
    return [{ ...link, match, isReturn: false }, match];
  });
  const isUnknown = ({ operation }: Entry<Detail>) => operation.end === Infinity;
  const timeOf = ({ isReturn, operation }: Entry<Detail>) => (isReturn ? operation.end : operation.begin);
  const known: Entry<Detail>[] = entries
    .filter((entry) => !isUnknown(entry))
    .sort((a, b) => timeOf(a) - timeOf(b) || Number(a.isReturn) - Number(b.isReturn));
  const head: { next: Entry<Detail> | undefined } = { next: known[0] };
  for (const [i, entry] of known.entries()) {
    entry.previous = known[i - 1] ?? (head as Entry<Detail>);
    entry.next = known[i + 1];
  }
  return { head, unknown: entries.filter(isUnknown) };
}

/** Takes a call and its return out of the list; they keep their neighbours, for `putBack`. */
function lift<Detail>(entry: Entry<Detail>): void {
  for (const each of [entry, entry.match]) {
    if (each?.previous !== undefined) each.previous.next = each.next;
    if (each?.next !== undefined) each.next.previous = each.previous;
  }
}

/** Undoes the last `lift` that is not undone yet. */
function putBack<Detail>(entry: Entry<Detail>): void {
  for (const each of [entry.match, entry]) {
    if (each?.previous !== undefined) each.previous.next = each;
    if (each?.next !== undefined) each.next.previous = each;
  }
}

/** The time for making a report shorter. */
const shortenMs = 2000;

/** Checks a history of one object. */
export function isLinearizable<State, Detail>(
  specification: Specification<State, Detail>,
  operations: readonly Operation<Detail>[],
): boolean {
  return search(specification, operations, true) === undefined;
}

/** Checks a history of one object; returns `undefined` if it is linearizable. */
export function findViolation<State, Detail>(
  specification: Specification<State, Detail>,
  operations: readonly Operation<Detail>[],
): Violation<State, Detail> | undefined {
  const { isRead } = specification;
  const explained = search(specification, operations, true);
  if (explained === undefined) return undefined;
  const sorted = [...operations].sort((a, b) => a.begin - b.begin);
  const isRefused = (part: readonly Operation<Detail>[]) => search(specification, part, false) !== undefined;
  if (!isRefused(sorted)) return { operations: sorted, explained };
  const part = shorten(shortestStart(sorted, isRead, isRefused), isRead, isRefused);
  return { operations: part, explained: search(specification, part, false) ?? [] };
}

/** The start of a history up to the first result that nothing explains. Later results of its writes count as unknown. */
function shortestStart<Detail>(
  sorted: readonly Operation<Detail>[],
  isRead: (detail: Detail) => boolean,
  isRefused: (part: readonly Operation<Detail>[]) => boolean,
): readonly Operation<Detail>[] {
  const ends = sorted
    .map(({ end }) => end)
    .filter((end) => end < Infinity)
    .sort((a, b) => a - b);
  const until = (time: number) =>
    sorted.flatMap((each) => {
      if (each.begin > time || (each.end > time && isRead(each.detail))) return [];
      return each.end <= time ? each : { ...each, end: Infinity };
    });
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isRefused(until(ends[middle] ?? 0))) high = middle;
    else low = middle + 1;
  }
  return until(ends[low] ?? 0);
}

/** Leaves out the reads that a refusal does not need: half of them at a time, then a quarter, down to single ones. */
function shorten<Detail>(
  operations: readonly Operation<Detail>[],
  isRead: (detail: Detail) => boolean,
  isRefused: (part: readonly Operation<Detail>[]) => boolean,
): readonly Operation<Detail>[] {
  const end = performance.now() + shortenMs;
  let part = operations;
  for (let size = operations.length; size >= 1; size = Math.floor(size / 2)) {
    const reads = part.filter(({ detail }) => isRead(detail));
    for (let i = 0; i < reads.length && performance.now() < end; i += size) {
      const chunk = new Set(reads.slice(i, i + size));
      const rest = part.filter((each) => !chunk.has(each));
      if (isRefused(rest)) part = rest;
    }
  }
  return part;
}
