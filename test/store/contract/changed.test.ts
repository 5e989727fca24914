import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedSince } from '../../../src/store/contract/changed.ts';
import type { ChangeEvents } from '../../../src/store/contract/events.ts';

/** A store with so many answers about changes, each of the book with its number; the positions count them. */
function createEvents(answers: number, isKnown = true) {
  const requests: (string | undefined)[] = [];
  return {
    requests,
    events({ since }: { since?: string | undefined } = {}): Promise<ChangeEvents> {
      requests.push(since);
      const position = since === undefined ? `${answers}` : `${Number(since) + 1}`;
      const events =
        isKnown && since !== undefined
          ? [{ id: 2 * Number(position), change: 'updated' as const, at: new Date(0) }]
          : undefined;
      return Promise.resolve({
        events: events as ChangeEvents['events'],
        position,
        isCurrent: Number(position) >= answers,
      });
    },
  };
}

test('the books that changed are those of all answers up to the last', async () => {
  const store = createEvents(3);
  const ranges = [2, 4, 6].map((id) => ({ first: id, last: id }));
  assert.deepEqual(await changedSince(store, '0'), { position: '3', ids: ranges });
  assert.deepEqual(store.requests, ['0', '1', '2']);
});

test('ten answers are read; after more, any book may have changed', async () => {
  assert.equal((await changedSince(createEvents(10), '0')).ids?.length, 10);
  const store = createEvents(11);
  assert.deepEqual(await changedSince(store, '0'), { position: '11', ids: undefined });
  assert.equal(store.requests.length, 11);
});

test('without a position, or with one that is no longer kept, any book may have changed', async () => {
  const store = createEvents(3);
  assert.deepEqual(await changedSince(store, undefined), { position: '3', ids: undefined });
  assert.deepEqual(store.requests, [undefined]);
  assert.deepEqual(await changedSince(createEvents(3, false), '1'), { position: '2', ids: undefined });
});
