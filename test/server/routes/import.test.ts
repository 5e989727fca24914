import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShelflistError } from '../../../src/index.ts';
import type { CompleteStore, Created } from '../../../src/store.ts';
import type { Imported } from '../../../src/api/envelope.ts';
import { importRoute } from '../../../src/server/routes/import.ts';
import { IdempotencyKeys } from '../../../src/server/routes/idempotency-keys.ts';
import { stubStore } from '../../support/stub-store.ts';

type Options = Parameters<CompleteStore['createMany']>[1];

/** Imports books into a store, and returns what the service answers. */
async function importInto(
  createMany: CompleteStore['createMany'],
  count: number,
  origin: object = { batch: 'a-batch-of-books' },
): Promise<Imported> {
  const store = stubStore(new Error('unused'), { createMany });
  const route = importRoute(store, new IdempotencyKeys({ username: 'a', password: 'b' }));
  const readElements = (visit: (element: object) => void, use: () => Promise<unknown>) => {
    for (let i = 0; i < count; i++) visit({ line: i + 1, value: { title: String(i) } });
    return use();
  };
  const call = { origin, mediaType: 'application/json', readElements };
  const { data } = (await route.handle(call as never)) as { data: Imported };
  return data;
}

/** A store that stores a chunk a moment after it has prepared it. */
function slowStore({ isPreparing, failing = -1 }: { isPreparing: boolean; failing?: number }) {
  const log: string[] = [];
  let [chunks, running, most, lastId] = [0, 0, 0, 0];
  const createMany = async (
    books: readonly unknown[],
    { after, onPrepared }: Options = {},
  ): Promise<Created> => {
    const chunk = chunks++;
    most = Math.max(most, ++running);
    try {
      const ids = books.map(() => ++lastId);
      if (isPreparing) onPrepared?.();
      await new Promise(setImmediate);
      await after;
      if (chunk === failing) throw new ShelflistError('unavailable');
      log.push(`stored ${chunk}`);
      return { ids, batch: 'a-batch-of-books', isReplay: false };
    } finally {
      running--;
    }
  };
  return { createMany, log, most: () => most, running: () => running };
}

describe('an import of more books than a store takes at once', () => {
  for (const [isPreparing, most] of [
    [true, 2],
    [false, 1],
  ] as const)
    test(`has at most ${most} chunks on their way, in a store that prepares a chunk: ${isPreparing}`, async () => {
      const store = slowStore({ isPreparing });
      const { ids } = await importInto(store.createMany, 4500);
      assert.deepEqual(
        ids,
        Array.from({ length: 4500 }, (_, i) => i + 1),
      );
      assert.deepEqual(store.log, ['stored 0', 'stored 1', 'stored 2', 'stored 3', 'stored 4']);
      assert.equal(store.most(), most);
    });

  test('stores no chunk after one that fails, and answers when none is on its way', async () => {
    const store = slowStore({ isPreparing: true, failing: 1 });
    await assert.rejects(importInto(store.createMany, 4500), { code: 'unavailable' });
    assert.deepEqual(store.log, ['stored 0']);
    assert.equal(store.running(), 0);
  });
});

test('an import that another service has stored after it was prepared answers with the batch of that one', async () => {
  let lastId = 0;
  const createMany = async (books: readonly unknown[], { onPrepared }: Options = {}): Promise<Created> => {
    onPrepared?.();
    await new Promise(setImmediate);
    return { ids: books.map(() => ++lastId), batch: 'a-batch-of-another', isReplay: true };
  };
  assert.equal((await importInto(createMany, 1500, {})).batch, 'a-batch-of-another');
});
