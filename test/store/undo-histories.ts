import fc from 'fast-check';
import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { newBatchId } from '../../src/catalogue/batch.ts';
import { openStore, type Book, type BookFields, type BookPatch } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { newUndoId } from '../../src/store/contract/undo.ts';
import { anyBook, anyPatch } from '../support/arbitraries.ts';
import { newDatabaseUrl, type TestMongod } from '../support/mongod.ts';
import { temporaryFolder } from '../support/temp.ts';

/** Compares reverts, deletes and undos of the embedded store, and of MongoDB, with the memory store. */
export function testUndoHistories(options: { numRuns: number; mongod: TestMongod | { skip: string } }): void {
  const { numRuns, mongod } = options;
  after(() => ('skip' in mongod ? undefined : mongod.stop()));
  const stores: [name: string, url: (t: TestContext) => Promise<string>, skip?: string | false][] = [
    ['file:', async (t) => `file:${await temporaryFolder(t)}`],
    ['MongoDB', () => Promise.resolve(newDatabaseUrl(mongod)), 'skip' in mongod && mongod.skip],
  ];
  describe('a store and the memory store agree after random writes, reverts, deletes and undos', () => {
    for (const [name, urlOf, skip = false] of stores)
      test(`${name}, opened twice`, { skip }, async (t) => {
        const url = await urlOf(t);
        const [store, other] = await Promise.all([openStore(url), openStore(url)]);
        t.after(() => Promise.all([store.close(), other.close()]));
        await fc.assert(
          fc.asyncProperty(undoHistory, (steps) => compareUndoHistory([store, other], steps)),
          { numRuns, examples },
        );
      });
  });
}

const text = fc.constantFrom('', 'Emma', 'emma', 'Straße', 'a\u0000b', '红楼梦');
const integer = fc.integer({ min: -2, max: 2 });
const batch = fc.option(fc.nat({ max: 2 }), { nil: undefined });
const which = fc.nat({ max: 6 });

type Step = { readonly batch?: number | undefined } & (
  | { readonly create: BookFields }
  | { readonly update: number; readonly patch: BookPatch }
  | { readonly remove: number }
  | { readonly revert: number; readonly state: number | undefined }
  | { readonly undo: number; readonly limit: number }
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ batch, create: anyBook({ text, integer }) }) },
  { weight: 3, arbitrary: fc.record({ batch, update: which, patch: anyPatch({ text, integer }) }) },
  { weight: 2, arbitrary: fc.record({ batch, remove: which }) },
  {
    weight: 2,
    arbitrary: fc.record({ batch, revert: which, state: fc.option(fc.nat({ max: 3 }), { nil: undefined }) }),
  },
  { weight: 5, arbitrary: fc.record({ undo: fc.nat({ max: 9 }), limit: fc.constantFrom(1, 2, 1000) }) },
);

/**
 * The first: an undo takes back the creation of a book with later changes, one of which is an undo. The second: a creation is undone, brought back, and undone with a
 * later change of its batch: the undo in between has no effect left.
 */
const examples: [Step[]][] = [
  [
    [
      { undo: 0, limit: 1 },
      { undo: 0, limit: 1 },
      { undo: 0, limit: 1 },
      { batch: 1, create: { title: '', author: '', year: 0 } },
      { batch: 2, update: 0, patch: { author: 'a' } },
      { undo: 8, limit: 1 },
      { batch: 1, revert: 0, state: undefined },
      { undo: 1, limit: 1 },
    ],
  ],
  [
    [
      { batch: 2, create: { title: '', author: '', year: 0 } },
      { undo: 2, limit: 1 },
      { undo: 3, limit: 1 },
      { batch: 2, update: 0, patch: { year: -1 } },
      { undo: 2, limit: 1 },
    ],
  ],
];

/** Fewer changes of a book than MongoDB keeps. */
const undoHistory = fc.array(step, { minLength: 3, maxLength: 14 });

/**
 * Runs a history on a store and on a memory store, which is the model; fails where their answers or their states differ. The
 * undos of the memory store itself are compared with a model that reads no log. The store may have books already: the history
 * uses books of its own.
 *
 * @param stores The same store, opened once or more. The steps use them in turn.
 */
async function compareUndoHistory(
  stores: readonly [CompleteStore, ...CompleteStore[]],
  steps: readonly Step[],
): Promise<void> {
  const model = await openStore('memory:');
  const undos = new UndoModel();
  const [main] = stores;
  const offset = await lastIdOf(main);
  const batches = Array.from({ length: 3 }, newBatchId);
  let count = 0;
  for (const [i, each] of steps.entries()) {
    const store = stores[i % stores.length] ?? main;
    const both = [
      [store, offset],
      [model, 0],
    ] as const;
    const options = each.batch === undefined ? {} : { batch: batches[each.batch] };
    if ('create' in each) count++;
    const as = 'undo' in each ? newUndoId(batches[each.undo % batches.length] ?? '') : '';
    const answers: unknown[] = [];
    for (const [target, base] of both) {
      const idOf = (n: number) => base + 1 + (n % Math.max(count, 1));
      answers.push(await run(target, base, each, { idOf, options, batches, as }));
    }
    assert.deepEqual(answers[0], answers[1], `step ${i}: ${JSON.stringify(each)}`);
    const ids = Array.from({ length: count }, (_, n) => n + 1);
    const books = await Promise.all(ids.map((id) => model.get(id)));
    if ('undo' in each) {
      const { undone, left } = undos.undo(batches[each.undo % batches.length] ?? '', as);
      const expected = { undone, left: left.map((n) => n + 1) };
      // A store does not know a batch without a change.
      assert.deepEqual(answers[1] ?? { undone: 0, left: [] }, expected, `undo of step ${i}`);
      assert.deepEqual(books, undos.states, `books after the undo of step ${i}`);
    } else undos.observe(books, options.batch);
    if (as !== '') batches.push(as);
    const states = await Promise.all(both.map(([target, base]) => stateOf(target, base, count, batches)));
    assert.deepEqual(states[0], states[1], `after step ${i}: ${JSON.stringify(each)}`);
  }
  await model.close();
}

/** The last id that the store has given. */
async function lastIdOf(store: CompleteStore): Promise<number> {
  const { id } = await store.create({});
  await store.delete(id);
  return id;
}

interface Context {
  readonly idOf: (n: number) => number;
  readonly options: { batch?: string | undefined };
  readonly batches: readonly string[];
  readonly as: string;
}

/** Runs a step; gives the answer with ids that begin at 1. */
async function run(
  store: CompleteStore,
  base: number,
  step: Step,
  { idOf, options, batches, as }: Context,
): Promise<unknown> {
  if ('create' in step) return plain(base, await store.create(step.create, options));
  if ('update' in step) return plain(base, await store.update(idOf(step.update), step.patch, options));
  if ('remove' in step) return store.delete(idOf(step.remove), options);
  if ('revert' in step) {
    const id = idOf(step.revert);
    const { state } = step;
    const version = state === undefined ? undefined : ((await store.history(id))?.[state]?.version ?? 'none');
    return plain(base, await store.revert(id, { version, ...options }));
  }
  const sums = { undone: 0, left: [] as number[] };
  const of = batches[step.undo % batches.length] ?? '';
  for (let before: number | undefined; ;) {
    const done = await store.undo(of, { as, limit: step.limit, before });
    if (done === undefined) return undefined;
    sums.undone += done.undone;
    sums.left.push(...done.left.map((id) => id - base));
    if (done.next === undefined) return sums;
    before = done.next;
  }
}

function plain(base: number, book: Book | undefined): Book | undefined {
  return book && { ...book, id: book.id - base };
}

/** Reads a batch within the time after which a store stops checking it and calls it undoable: a busy machine asks again. */
async function summaryOf(store: CompleteStore, batch: string) {
  for (;;) {
    const start = performance.now();
    const summary = await store.batch(batch);
    if (performance.now() - start < 1000) return summary;
  }
}

/** Everything that can be seen of the books of a history, without what differs from store to store. */
async function stateOf(
  store: CompleteStore,
  base: number,
  count: number,
  batches: readonly string[],
): Promise<unknown> {
  const ids = Array.from({ length: count }, (_, i) => base + 1 + i);
  const books = await Promise.all(ids.map(async (id) => plain(base, await store.get(id))));
  const histories = await Promise.all(
    ids.map(async (id) => (await store.history(id))?.map(({ version: _, at: __, ...state }) => state)),
  );
  const found = await store.find({ q: 'emma' }, { limit: 1000 });
  const trash = await store.trash({ limit: 1000 });
  const summaries = await Promise.all(
    batches.map(async (each) => {
      const summary = await summaryOf(store, each);
      return summary && { ...summary, at: summary.at instanceof Date };
    }),
  );
  const known = new Set(batches);
  const listed = (await store.batches({ limit: batches.length })).batches
    .filter(({ batch }) => known.has(batch))
    .map(({ at: _, undoable: __, ...numbers }) => numbers)
    .sort((a, b) => a.batch.localeCompare(b.batch));
  const own = (all: readonly Book[]) => all.filter(({ id }) => id > base).map((book) => plain(base, book));
  return {
    books,
    histories,
    found: own(found.books),
    trash: own(trash.books.map(({ deletedAt: _, ...book }) => book)).sort(
      (a, b) => (a?.id ?? 0) - (b?.id ?? 0),
    ),
    summaries,
    listed,
  };
}

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
class UndoModel {
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
