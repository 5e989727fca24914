import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BookFields } from '../../../src/catalogue/book.ts';
import {
  copyAll,
  type BookRecord,
  type CopyHead,
  type CopySource,
  type CopyTarget,
} from '../../../src/store/contract/copy.ts';

const nana: BookFields = { title: 'Nana', author: 'Zola', year: 1880 };
const batches = ['batch-of-nana', 'batch-of-emma', 'batch-without-changes'];
const head: CopyHead = { lastId: 9, clock: 1000, batches };
const records: readonly BookRecord[] = [
  { id: 1, fields: nana, creation: { batch: 'batch-of-nana', at: 1 }, changes: [] },
  {
    id: 4,
    fields: undefined,
    creation: undefined,
    changes: [
      { kind: 'updated', at: 2, batch: undefined, before: { ...nana, year: 0 } },
      { kind: 'deleted', at: 3, batch: 'batch-of-emma', before: nana },
    ],
  },
  {
    id: 7,
    fields: nana,
    creation: undefined,
    changes: [{ kind: 'reverted', at: 4, batch: 'batch-that-nobody-noted', before: undefined }],
  },
];

function createSource(all: readonly BookRecord[], ownHead: CopyHead = head): CopySource & { isClosed: boolean } {
  return {
    head: ownHead,
    count: all.length,
    async *records() {
      await Promise.resolve();
      yield all.slice(0, 2);
      yield all.slice(2);
    },
    isClosed: false,
    close() {
      this.isClosed = true;
      return Promise.resolve();
    },
  };
} // prettier-ignore

/** A store in memory. `spoil` changes what it gives back. */
function createTarget({
  stored = [] as BookRecord[],
  keeps = 1000,
  spoil = (all: BookRecord[]) => all,
} = {}) {
  const calls: string[] = [];
  const copies: ReturnType<typeof createSource>[] = [];
  const kept = { head };
  const target: CopyTarget = {
    after: stored.at(-1)?.id ?? 0,
    limit: (record) => ({ ...record, changes: record.changes.slice(-keeps) }),
    write(some) {
      calls.push(`write ${some.map(({ id }) => id).join()}`);
      stored.push(...some);
      return Promise.resolve();
    },
    finish(end) {
      calls.push('finish');
      kept.head = end;
      return Promise.resolve();
    },
    read() {
      const copy = createSource(spoil(stored), kept.head);
      copies.push(copy);
      return Promise.resolve(copy);
    },
    release() {
      calls.push('release');
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  return { target, calls, copies, kept, stored };
}

const { signal } = new AbortController();
const ignore = () => undefined;

describe('a copy', () => {
  test('has all records, the head of the source, and only the batches of which it has a change', async () => {
    const { target, calls, copies, kept, stored } = createTarget();
    const progress: number[] = [];
    const report = await copyAll(createSource(records), target, signal, (count) => progress.push(count));
    assert.deepEqual(stored, records);
    assert.deepEqual(calls, ['write 1,4', 'write 7', 'finish', 'release']);
    assert.deepEqual(progress, [2, 3]);
    assert.deepEqual(kept.head, {
      ...head,
      batches: ['batch-that-nobody-noted', 'batch-of-nana', 'batch-of-emma'],
    });
    const { digest, ...counts } = report;
    assert.deepEqual(counts, { books: 2, deleted: 1, omitted: 0, lastId: 9 });
    assert.match(digest, /^[0-9a-f]{64}$/);
    assert.deepEqual(
      copies.map(({ isClosed }) => isClosed),
      [true],
    );
  });

  test('goes on where an earlier one was stopped, and has the same digest', async () => {
    const whole = await copyAll(createSource(records), createTarget().target, signal, ignore);
    const { target, calls } = createTarget({ stored: records.slice(0, 2) });
    const rest = await copyAll(createSource(records), target, signal, ignore);
    assert.deepEqual(calls, ['write 7', 'finish', 'release']);
    assert.deepEqual(rest, whole);
  });

  test('counts the changes that the target does not keep', async () => {
    const { target, stored } = createTarget({ keeps: 1 });
    const report = await copyAll(createSource(records), target, signal, ignore);
    assert.equal(report.omitted, 1);
    assert.deepEqual(stored[1]?.changes, records[1]?.changes.slice(1));
  });
});

describe('a copy that differs from its source is not used', () => {
  const [first, second, third] = records as [BookRecord, BookRecord, BookRecord];
  const [update, deletion] = second.changes as [BookRecord['changes'][number], BookRecord['changes'][number]];
  const table: [what: string, read: BookRecord[]][] = [
    ['a book is missing', [first, second]],
    ['a book has another id', [{ ...first, id: 2 }, second, third]],
    ['a book has another title', [{ ...first, fields: { ...nana, title: 'nana' } }, second, third]],
    ['a deleted book is there', [first, { ...second, fields: nana }, third]],
    ['a creation is missing', [{ ...first, creation: undefined }, second, third]],
    ['a creation has another batch', [{ ...first, creation: { batch: 'batch-of-emma', at: 1 } }, second, third]],
    ['a creation has another time', [{ ...first, creation: { batch: 'batch-of-nana', at: 2 } }, second, third]],
    ['a change is missing', [first, { ...second, changes: [deletion] }, third]],
    ['a change has another kind', [first, { ...second, changes: [{ ...update, kind: 'reverted' }, deletion] }, third]],
    ['a change has another time', [first, { ...second, changes: [{ ...update, at: 9 }, deletion] }, third]],
    ['a change has another batch', [first, { ...second, changes: [{ ...update, batch: 'batch-of-nana' }, deletion] }, third]],
    ['a change has another state', [first, { ...second, changes: [{ ...update, before: nana }, deletion] }, third]],
  ]; // prettier-ignore
  for (const [what, read] of table)
    test(what, async () => {
      const { target, calls, copies } = createTarget({ spoil: () => read });
      await assert.rejects(copyAll(createSource(records), target, signal, ignore), {
        code: 'store_unusable',
        message: /^the copy differs from its source \(digest .*empty the target, and copy again$/,
      });
      assert.ok(!calls.includes('release'));
      assert.equal(copies[0]?.isClosed, true);
    });

  test('its batches have another order', async () => {
    const { target, kept } = createTarget();
    target.finish = () => {
      kept.head = { ...head, batches: ['batch-that-nobody-noted', ...batches.slice(0, 2).reverse()] };
      return Promise.resolve();
    };
    await assert.rejects(copyAll(createSource(records), target, signal, ignore), { code: 'store_unusable' });
  });
});

test('a copy that is aborted writes nothing more, and is not used', async () => {
  for (const abortAt of ['write 1,4', 'finish']) {
    const controller = new AbortController();
    const { target, calls } = createTarget();
    const abort = () => {
      if (calls.at(-1) === abortAt) controller.abort();
    };
    const own = { ...target };
    target.write = (some) => own.write(some).then(abort);
    target.finish = (end) => own.finish(end).then(abort);
    await assert.rejects(copyAll(createSource(records), target, controller.signal, ignore), {
      name: 'AbortError',
    });
    assert.equal(calls.at(-1), abortAt);
  }
});

test('a copy that is aborted after its last record is not finished', async () => {
  const controller = new AbortController();
  const { target, calls } = createTarget();
  const onProgress = (count: number) => {
    if (count === 3) controller.abort();
  };
  await assert.rejects(copyAll(createSource(records), target, controller.signal, onProgress), {
    name: 'AbortError',
  });
  assert.deepEqual(calls, ['write 1,4', 'write 7']);
});
