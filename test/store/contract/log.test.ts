import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldsOf, type Book } from '../../../src/catalogue/book.ts';
import { runSync } from '../../../src/lib/gensync.ts';
import {
  historyOf,
  readTrash,
  undoStep,
  type BookLog,
  type LoggedBook,
  type LoggedChange,
  type LoggedDelete,
} from '../../../src/store/contract/log.ts';
import { undoPrefix } from '../../../src/store/contract/undo.ts';
import { storedBook } from '../../support/books.ts';

const batch = 'batch-of-the-change';
const at = new Date(0);
const logged: LoggedBook = {
  id: 1,
  book: { id: 1, title: 'Nana', author: 'Zola', year: 1880 },
  changes: [
    {
      version: '1',
      kind: 'updated',
      at,
      batch,
      before: { id: 1, title: 'Nana', author: 'Zola', year: 0 },
    },
  ],
};

/** A log whose book is never as it was read. */
function createBusyLog() {
  const calls = { apply: 0 };
  const log: BookLog = {
    idsOfBatch: (_, { before }) => (before > 1 ? [1] : []),
    changesOf: () => [logged],
    apply() {
      calls.apply++;
      return [1];
    },
    deleted: () => [],
    batch: () => undefined,
    batches: () => [],
  };
  return { calls, history: historyOf(log) };
}

describe('a log that never applies a change ends with unavailable, not in an endless loop', () => {
  const table = {
    revert: (history: ReturnType<typeof historyOf>) => history.revert(1),
    undo: (history: ReturnType<typeof historyOf>) => history.undo(batch, { as: 'undo-of-it', limit: 10 }),
  };
  for (const [name, run] of Object.entries(table))
    test(name, async () => {
      const { calls, history } = createBusyLog();
      await assert.rejects(run(history), { code: 'unavailable', message: /in 1000 attempts/ });
      assert.equal(calls.apply, 1000);
    });
});

/** The state of a book in a year. */
const nana = (year: number, id = 1): Book => storedBook(id, { title: 'Nana', author: 'Zola', year });

const change = (version: string, more: Partial<LoggedChange> = {}): LoggedChange => ({
  version,
  kind: 'updated',
  at: new Date(Number(version) * 1000),
  batch: undefined,
  before: nana(Number(version)),
  ...more,
});

/** A log of these books, which others do not change. What is asked of it is noted. */
function createLog(books: readonly LoggedBook[], more: Partial<BookLog> = {}) {
  const applied: [id: number, to: Book | undefined][] = [];
  const by: unknown[] = [];
  const requests: unknown[] = [];
  const log: BookLog = {
    idsOfBatch: (id, { before, limit }) =>
      books
        .filter(({ changes }) => changes.some((each) => each.batch === id))
        .map((each) => each.id)
        .filter((each) => each < before)
        .sort((a, b) => b - a)
        .slice(0, limit),
    changesOf(ids, request) {
      requests.push(request);
      return books.filter(({ id }) => ids.includes(id));
    },
    apply(changes, attribution) {
      for (const { logged, to } of changes) applied.push([logged.id, to]);
      by.push(attribution);
      return [];
    },
    deleted: () => [],
    batch: (id) => ({ batch: id, at: new Date(0), created: 0, updated: 1, deleted: 0, reverted: 0 }),
    batches: () => [],
    ...more,
  };
  return { log, applied, by, requests, history: historyOf(log) };
}

describe('the history of a book', () => {
  const changes = [
    change('1', { kind: 'created', before: undefined }),
    change('2', { batch: 'batch-of-jane', user: 'jane' }),
    change('3', { before: 'lost' }),
    change('4', { before: 'damaged' }),
    change('5', { kind: 'deleted' }),
  ];
  const state = (version: string, kind: string, more = {}) => {
    const fields = fieldsOf(nana(Number(version)));
    return { version, at: new Date(Number(version) * 1000), change: kind, ...fields, ...more };
  };
  const [second, fifth] = [
    state('2', 'updated', { batch: 'batch-of-jane', user: 'jane' }),
    state('5', 'deleted'),
  ];

  test('has the states that are known, newest first', async () => {
    const { history } = createLog([{ id: 1, book: undefined, changes }]);
    assert.deepEqual(await history.history(1), [fifth, second]);
  });

  test('has no states that are too old; a change at the limit counts', async () => {
    const { log } = createLog([{ id: 1, book: undefined, changes }]);
    assert.deepEqual(await historyOf(log, () => 2000).history(1), [fifth, second]);
    assert.deepEqual(await historyOf(log, () => 2001).history(1), [fifth]);
    assert.equal(await historyOf(log, () => 5001).history(1), undefined);
  });

  test('is empty for a book without changes, and missing without a book', async () => {
    const { history } = createLog([
      { id: 1, book: nana(1), changes: [] },
      { id: 2, book: undefined, changes: changes.slice(0, 1) },
    ]);
    assert.deepEqual(await history.history(1), []);
    assert.deepEqual([await history.history(2), await history.history(3)], [undefined, undefined]);
  });
});

describe('a revert', () => {
  const changes = [
    change('1', { kind: 'created', before: undefined }),
    change('2'),
    change('3', { before: 'damaged' }),
  ];
  const book = nana(9);

  test('goes back to the last state that is a book, and is attributed', async () => {
    const { history, applied, by, requests } = createLog([{ id: 1, book, changes }]);
    assert.deepEqual(await history.revert(1, { batch: 'batch-of-jane', user: 'jane' }), nana(2));
    assert.deepEqual(applied, [[1, nana(2)]]);
    assert.deepEqual(by, [{ batch: 'batch-of-jane', user: 'jane' }]);
    assert.deepEqual(requests, [{ version: undefined, newest: 10 }]);
  });

  test('goes back to the state of a version', async () => {
    const all = [...changes, change('4'), change('5')];
    const { history, requests } = createLog([{ id: 1, book, changes: all }]);
    assert.deepEqual(await history.revert(1, { version: '4' }), nana(4));
    assert.deepEqual(requests, [{ version: '4', newest: 0 }]);
    for (const version of ['1', '3', '7'])
      assert.equal(await history.revert(1, { version }), undefined, version);
  });

  test('needs a state that is kept', async () => {
    const lost = [...changes, change('4', { before: 'lost' })];
    const { history, log, applied } = createLog([{ id: 1, book, changes: lost }]);
    assert.deepEqual([await history.revert(1), await history.revert(2)], [undefined, undefined]);
    assert.equal(await historyOf(log, () => 2001).revert(1, { version: '2' }), undefined);
    assert.deepEqual(await historyOf(log, () => 2000).revert(1, { version: '2' }), nana(2));
    assert.equal(applied.length, 1);
  });

  test('happens only if the book is as expected', async () => {
    const { history, applied } = createLog([
      { id: 1, book, changes },
      { id: 2, book: 'damaged', changes },
    ]);
    await history.revert(1, { expected: book });
    for (const [id, expected] of [
      [1, nana(8)],
      [2, nana(9, 2)],
    ] as const)
      await assert.rejects(history.revert(id, { expected }), { code: 'precondition_failed' });
    assert.equal(applied.length, 1);
  });

  test('is tried again if others have changed the book meanwhile', async () => {
    let calls = 0;
    const apply = () => (++calls < 3 ? [1] : []);
    const { history } = createLog([{ id: 1, book, changes }], { apply });
    assert.deepEqual([await history.revert(1), calls], [nana(2), 3]);
  });
});

describe('the trash', () => {
  /** So many deleted books, of which only each `every`-th is still deleted. */
  function createTrash(count: number, every = 1) {
    const limits: number[] = [];
    const rows = Array.from({ length: count }, (_, i): LoggedDelete => {
      const id = i + 1;
      const batch = id === 1 ? 'batch-of-jane' : undefined;
      return { position: `${id}`, at: new Date(id), batch, book: id % every === 0 ? nana(0, id) : undefined };
    });
    const { log, history } = createLog([], {
      deleted({ limit, after = '0' }) {
        limits.push(limit);
        return rows.slice(Number(after), Number(after) + limit);
      },
    });
    return { log, history, limits };
  }
  const idsOf = ({ books }: { books: readonly Book[] }) => books.map(({ id }) => id);

  test('has the time and the batch of each delete', async () => {
    const { history } = createTrash(2);
    assert.deepEqual(await history.trash({ limit: 2 }), {
      books: [
        { ...nana(0, 1), deletedAt: new Date(1), batch: 'batch-of-jane' },
        { ...nana(0, 2), deletedAt: new Date(2) },
      ],
      next: undefined,
    });
  });

  test('has pages, and the last one has no next', async () => {
    const { history } = createTrash(5);
    const pages = [];
    let after: string | undefined;
    do {
      const page = await history.trash({ limit: 2, after });
      pages.push(idsOf(page));
      after = page.next;
    } while (after !== undefined);
    assert.deepEqual(pages, [[1, 2], [3, 4], [5]]);
  });

  test('leaves out what came back, and what is too old', async () => {
    const { history, log, limits } = createTrash(600, 100);
    assert.deepEqual(idsOf(await history.trash({ limit: 3 })), [100, 200, 300]);
    assert.deepEqual(limits, [4, 250, 250]);
    assert.deepEqual(idsOf(await historyOf(log, () => 300).trash({ limit: 2 })), [300, 400]);
  });

  test('looks at a bounded number of deletes, and goes on from there', () => {
    const { log, limits } = createTrash(100, 1000);
    const page = runSync(readTrash(log, { limit: 3 }, 0, 30));
    assert.deepEqual(page, { books: [], next: '30' });
    assert.deepEqual(limits, [4, 26]);
  });
});

describe('the summary of a batch', () => {
  const book = nana(9);
  const own = { batch, user: 'jane' };

  test('names its books as it left them, those with the highest ids first', async () => {
    const { history, requests } = createLog([
      { id: 1, book, changes: [change('1', own)] },
      { id: 2, book, changes: [change('1', own), change('2', { before: nana(5, 2) })] },
      { id: 3, book: undefined, changes: [change('1', { ...own, kind: 'deleted', before: nana(6, 3) })] },
      { id: 4, book: 'damaged', changes: [change('1', own)] },
      { id: 5, book, changes: [change('1', own), change('2', { before: 'lost' })] },
      { id: 6, book, changes: [change('1', { batch, kind: 'created', before: undefined })] },
    ]);
    const { books } = (await history.batch(batch, { books: 50 })) ?? {};
    assert.deepEqual(books, [
      { ...book, id: 6, change: 'created' },
      { ...nana(6, 3), change: 'deleted', user: 'jane' },
      { ...nana(5, 2), change: 'updated', user: 'jane' },
      { ...book, id: 1, change: 'updated', user: 'jane' },
    ]);
    assert.deepEqual(requests, [{ batch }, { batch }]);
    assert.equal((await history.batch(batch))?.books, undefined);
  });

  test('cuts long texts after 200 characters', async () => {
    const title = '🙂'.repeat(201);
    const { history } = createLog([
      { id: 1, book: { ...book, title, author: 'x'.repeat(200) }, changes: [change('1', own)] },
    ]);
    const [only] = (await history.batch(batch, { books: 1 }))?.books ?? [];
    assert.deepEqual([only?.title, only?.author], [`${'🙂'.repeat(200)}…`, 'x'.repeat(200)]);
  });

  test('names the undo that has begun', async () => {
    const undo = `${undoPrefix(batch)}00000001`;
    const changes = [change('1', own), change('2', { kind: 'reverted', batch: undo })];
    const { history } = createLog([{ id: 1, book, changes }]);
    const summary = await history.batch(batch, { books: 1 });
    assert.deepEqual([summary?.undoneBy, summary?.undoable], [undo, false]);
    const other = createLog([{ id: 1, book, changes: [change('1', own), change('2', { batch: 'batch-b-b' })] }]);
    const { undoneBy, undoable } = (await other.history.batch(batch, { books: 1 })) ?? {};
    assert.deepEqual([undoneBy, undoable], [undefined, false]);
  }); // prettier-ignore

  test('is missing if none of its changes is kept', async () => {
    const { history } = createLog([], { batch: () => undefined });
    assert.equal(await history.batch(batch), undefined);
  });

  test('tells whether an undo would change a book, however many were changed since', async () => {
    const since = Array.from({ length: 400 }, (_, i) => ({
      id: i + 2,
      book,
      changes: [change('1', own), change('2')],
    }));
    const first = { id: 1, book, changes: [change('1', own)] };
    assert.equal((await createLog(since).history.batch(batch))?.undoable, false);
    assert.equal((await createLog([...since, first]).history.batch(batch))?.undoable, true);
  });
});

test('a page of batches has their summaries, without those of which no change is kept', async () => {
  const ids = ['batch-a-a', 'batch-b-b', 'batch-c-c', 'batch-d-d', 'batch-e-e', 'batch-f-f', 'batch-g-g'];
  const requests: unknown[] = [];
  const { history } = createLog([{ id: 1, book: nana(9), changes: [change('1', { batch: 'batch-f-f' })] }], {
    batches(request) {
      requests.push(request);
      return ids.slice(0, request.limit).map((id, i) => ({
        position: `${i}`,
        batch: i === 1 ? undefined : { batch: id, at: new Date(i), created: 1, updated: 0, deleted: 0, reverted: 0 },
      }));
    },
  });
  const page = await history.batches({ limit: 6, after: '7', books: 1 });
  assert.deepEqual(
    page.batches.map((each) => [each.batch, each.undoable, each.books?.length]),
    [
      ['batch-a-a', false, 0],
      ['batch-c-c', false, 0],
      ['batch-d-d', false, 0],
      ['batch-e-e', false, 0],
      ['batch-f-f', true, 1],
    ],
  );
  assert.deepEqual([page.next, requests], ['5', [{ limit: 7, after: '7' }]]);
  assert.equal((await history.batches({ limit: 7 })).next, undefined);
}); // prettier-ignore

describe('an undo', () => {
  const as = `${undoPrefix(batch)}00000001`;
  const of = (id: number, more: Partial<LoggedBook> = {}): LoggedBook => ({
    id,
    book: nana(9, id),
    changes: [change('1', { batch, before: nana(1, id) })],
    ...more,
  });

  test('gives the books of a batch their states before it, by descending id, step by step', async () => {
    const { history, applied, by } = createLog([of(1), of(2), of(3)]);
    const first = await history.undo(batch, { as, limit: 2, user: 'jane' });
    assert.deepEqual(first, { undone: 2, left: [], next: 2 });
    const last = await history.undo(batch, { as, limit: 2, before: 2, user: 'jane' });
    assert.deepEqual(last, { undone: 1, left: [], next: undefined });
    assert.deepEqual(applied, [
      [3, nana(1, 3)],
      [2, nana(1, 2)],
      [1, nana(1, 1)],
    ]);
    assert.deepEqual(by, [
      { batch: as, user: 'jane' },
      { batch: as, user: 'jane' },
    ]);
  });

  test('deletes what the batch created, and brings back what it deleted', async () => {
    const { history, applied } = createLog([
      of(1, { changes: [change('1', { kind: 'created', batch, before: undefined })] }),
      of(2, { book: undefined, changes: [change('1', { kind: 'deleted', batch, before: nana(1, 2) })] }),
    ]);
    assert.deepEqual(await history.undo(batch, { as, limit: 9 }), { undone: 2, left: [], next: undefined });
    assert.deepEqual(applied, [
      [2, nana(1, 2)],
      [1, undefined],
    ]);
  });

  test('of a book that the log does not have changes nothing', async () => {
    const { history, requests } = createLog([], { idsOfBatch: (_, { before }) => (before > 7 ? [7] : []) });
    assert.deepEqual(await history.undo(batch, { as, limit: 9 }), { undone: 0, left: [], next: undefined });
    assert.deepEqual(requests, [{ batch }]);
  });

  test('of a batch that is not kept is missing; after its last book, nothing is left to undo', async () => {
    const { history } = createLog([of(1)]);
    assert.equal(await history.undo('batch-of-emma', { as, limit: 1 }), undefined);
    const over = await history.undo(batch, { as, limit: 1, before: 1 });
    assert.deepEqual(over, { undone: 0, left: [], next: undefined });
  });

  const own = { batch, before: nana(1) };
  const skipped: [what: string, more: Partial<LoggedBook>][] = [
    ['others have changed since', { changes: [change('1', own), change('2')] }],
    ['is damaged', { book: 'damaged' }],
    ['is gone without a change', { book: undefined }],
    ['is there although it was deleted', { changes: [change('1', { ...own, kind: 'deleted' })] }],
    ['has lost its state', { changes: [change('1', { batch, before: 'lost' })] }],
    ['had a state that is not a book', { changes: [change('1', { batch, before: 'damaged' })] }],
    ['may have older changes of the batch', { isCut: true }],
    [
      'may have older changes of the batch after its creation',
      { isCut: true, changes: [change('1', { kind: 'created' }), change('2', own)] },
    ],
  ];
  for (const [what, more] of skipped)
    test(`skips a book that ${what}`, async () => {
      const { history, applied } = createLog([of(1, more)]);
      const result = await history.undo(batch, { as, limit: 9 });
      assert.deepEqual(result, { undone: 0, left: [1], next: undefined });
      assert.deepEqual(applied, []);
    });

  test('knows the state of a cut history from a later change on', async () => {
    const changes = [change('1'), change('2', { batch, before: nana(2) })];
    const { history, applied } = createLog([of(1, { isCut: true, changes })]);
    assert.equal((await history.undo(batch, { as, limit: 9 }))?.undone, 1);
    assert.deepEqual(applied, [[1, nana(2)]]);
  });

  test('does not change a book that has its state already', async () => {
    const { history, applied } = createLog([
      of(1, { book: nana(1) }),
      of(2, {
        book: undefined,
        changes: [
          change('1', { kind: 'created', batch, before: undefined }),
          change('2', { kind: 'deleted', batch }),
        ],
      }),
    ]);
    assert.deepEqual(await history.undo(batch, { as, limit: 9 }), { undone: 0, left: [], next: undefined });
    assert.deepEqual(applied, []);
  });

  test('counts what an earlier attempt has done, and not what another undo did', async () => {
    const undone = (by: string) => [change('1', own), change('2', { kind: 'reverted', batch: by })];
    const other = `${undoPrefix(batch)}00000002`;
    const { history } = createLog([of(1, { changes: undone(as) }), of(2, { changes: undone(other) })]);
    assert.deepEqual(await history.undo(batch, { as, limit: 9 }), { undone: 1, left: [], next: undefined });
  });

  test('tries those again that others have changed meanwhile', async () => {
    const sizes: number[] = [];
    const { history } = createLog([of(1), of(2)], {
      apply(changes) {
        sizes.push(changes.length);
        return sizes.length === 1 ? [1] : [];
      },
    });
    assert.equal((await history.undo(batch, { as, limit: 9 }))?.undone, 2);
    assert.deepEqual(sizes, [2, 1]);
  });

  test('ends when its time is over, after its first book at least', () => {
    const books = Array.from({ length: 200 }, (_, i) => of(i + 1));
    const { log, applied } = createLog(books);
    const result = runSync(undoStep(log, batch, { as, limit: 150 }, -1));
    assert.ok(result !== undefined && result.undone > 0 && result.undone < 150);
    assert.equal(result.next, 201 - result.undone);
    assert.equal(applied.length, result.undone);
  });

  test('reads many books at once, but few if they are long', () => {
    for (const [bytes, parts] of [
      [0, [50, 50, 50, 250, 250, 250]],
      [100_000, [50, 50, 50, 50, 50, 50]],
    ] as const) {
      const books = Array.from({ length: 1000 }, (_, i) => of(i + 1, { bytes }));
      const sizes: number[] = [];
      const { log } = createLog(books, {
        changesOf(ids) {
          sizes.push(ids.length);
          return books.filter(({ id }) => ids.includes(id));
        },
      });
      assert.equal(runSync(undoStep(log, batch, { as, limit: 1000 }, Infinity))?.undone, 1000);
      assert.deepEqual(sizes.slice(0, 6), parts);
    }
  });
});
