// The rules of the orders by title and author, and how far the index entries follow them: all services of a database share them.
import { MongoServerError, type Collection, type Filter } from 'mongodb';
import {
  changeRules,
  defaultRules,
  formatRules,
  parseRules,
  type SortRules,
  type SortSettings,
} from '../../catalogue/sort-keys.ts';
import { foldingVersion } from '../../catalogue/words.ts';
import { sameVersion } from '../questions/duplicates.ts';
import type { CounterDocument } from './schema.ts';

/** The mark of the index entries. */
interface FoldingMark extends CounterDocument {
  /** The last id whose entry was made again by these rules; {@link allDone}. */
  seq: number;
  /** Names the rules by which the entries are made. */
  version: string;
  /** The `SortRules` as JSON; missing: the default ones. */
  rules?: string;
  /** Services may still make entries by the rules before. */
  isSettling?: boolean;
  /** Entries of an earlier format have no keys of the orders yet. */
  isPlain?: boolean;
}

const markId = { _id: 'books.folding' };
const allDone = Number.MAX_SAFE_INTEGER;
/** The maximum age of the cached state, in milliseconds. */
const maxAgeMs = 2000;

/** The mark as this process knows it. */
interface OrderState {
  readonly rules: SortRules;
  /** The last id whose index entry was made by the present rules; `undefined`: all were. */
  readonly indexedTo: number | undefined;
  /** Whether entries of other services may still follow the rules before. */
  readonly isSettling: boolean;
  /** Whether lists are ordered by texts as they are written, until all entries have the keys of the orders. */
  readonly isPlain: boolean;
}

const newState: OrderState = { rules: defaultRules, indexedTo: undefined, isSettling: false, isPlain: false };

/** Names the rules of all that is stored for searching and sorting. */
export function indexVersion({ name }: SortRules): string {
  return `${foldingVersion}.${sameVersion}.${name}`;
}

export class SharedOrder {
  readonly #counters: Collection<FoldingMark>;
  #now = newState;
  #readAt = -Infinity;

  constructor(counters: Collection<CounterDocument>) {
    this.#counters = counters as unknown as Collection<FoldingMark>;
  }

  /** The rules as they were read last: `refresh` comes first in each call that uses them. */
  get rules(): SortRules {
    return this.#now.rules;
  }

  /** Names the order of the keys. While entries are made again it changes with each step, because books move. */
  get name(): string {
    const { rules, indexedTo, isPlain } = this.#now;
    if (isPlain) return `${rules.name}.plain`; // No key of a text changes.
    return indexedTo === undefined ? rules.name : `${rules.name}.${indexedTo}`;
  }

  get isPlain(): boolean {
    return this.#now.isPlain;
  }

  /** Reads the mark, if the last one is older than {@link maxAgeMs}. */
  async refresh(maxMs = maxAgeMs): Promise<OrderState> {
    const begun = performance.now();
    if (begun - this.#readAt < maxMs) return this.#now;
    const mark = await this.#counters.findOne(markId);
    // Nothing removes the mark alone, so the collection is gone. Books must not get the keys of other rules.
    if (mark === null && this.#now.rules.name !== defaultRules.name)
      throw new Error('the rules of the order are missing');
    this.#now = mark === null ? newState : stateOf(mark);
    this.#readAt = begun;
    return this.#now;
  }

  /** Gives a database the rules that are wanted. It then has to make its entries again, unless it has no books. */
  async choose(settings: SortSettings, isEmpty: () => Promise<boolean>): Promise<void> {
    for (let isDone = false; !isDone;) {
      const mark = await this.#counters.findOne(markId);
      const before = mark === null ? defaultRules : stateOf(mark).rules;
      const rules = changeRules(before, settings);
      const wanted = { version: indexVersion(rules), rules: formatRules(rules) };
      // Another service may be faster.
      if (mark === null) isDone = await this.#insert({ ...wanted, seq: (await isEmpty()) ? allDone : 0 });
      else isDone = rules === before || (await this.#replace(mark, { ...wanted, seq: 0, isSettling: true }));
    }
    await this.refresh(0);
  }

  /** Begins, or goes on, to make all entries again, if they were made by other rules. */
  async begin(): Promise<OrderState> {
    const { rules, indexedTo } = await this.refresh(0);
    const wanted = { version: indexVersion(rules), rules: formatRules(rules) };
    if (indexedTo === 0)
      await this.#counters.updateOne(markId, { $set: { ...wanted, seq: 0, isSettling: true } });
    return this.#now;
  }

  /** Notes that the entries up to an id are made; without one, that all are. `false`: other rules hold by now. */
  async advance(rules: SortRules, seq = allDone): Promise<boolean> {
    const ofThese = { ...markId, version: indexVersion(rules) };
    const update = { $max: { seq }, ...(seq === allDone && { $unset: { isPlain: 1 as const } }) };
    return (await this.#counters.updateOne(ofThese, update)).matchedCount > 0;
  }

  /** Notes that no service makes entries by other rules any more. */
  async settle(rules: SortRules): Promise<void> {
    await this.#counters.updateOne(
      { ...markId, version: indexVersion(rules) },
      { $unset: { isSettling: 1 } },
    );
  }

  async #insert(mark: Omit<FoldingMark, '_id'>): Promise<boolean> {
    try {
      await this.#counters.insertOne({ ...markId, ...mark });
      return true;
    } catch (error) {
      const duplicateKey = 11000;
      if (error instanceof MongoServerError && error.code === duplicateKey) return false;
      throw error;
    }
  }

  async #replace({ version, rules }: FoldingMark, mark: Partial<FoldingMark>): Promise<boolean> {
    const same = { ...markId, version, rules: rules ?? { $exists: false } } as Filter<FoldingMark>;
    return (await this.#counters.updateOne(same, { $set: mark })).matchedCount > 0;
  }
}

function stateOf({
  seq,
  version,
  rules: json,
  isSettling = false,
  isPlain = false,
}: FoldingMark): OrderState {
  const rules = (json === undefined ? undefined : parseRules(json)) ?? defaultRules;
  if (version !== indexVersion(rules)) return { rules, indexedTo: 0, isSettling: true, isPlain };
  return { rules, indexedTo: seq === allDone ? undefined : seq, isSettling, isPlain };
}
