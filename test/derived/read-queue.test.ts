import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShelflistError } from '../../src/index.ts';
import type { CompleteStore, PrioritySignal } from '../../src/store.ts';
import { Semaphore } from '../../src/lib/semaphore.ts';
import { ReadQueue } from '../../src/derived/read-queue.ts';
import { stubStore } from '../support/stub-store.ts';

for (const isAborted of [true, false])
  test(`a failed call fails the waiting ones, unless its client has gone: ${isAborted}`, async () => {
    const unavailable = new ShelflistError('unavailable');
    let fail = (): void => assert.fail('the call has not begun');
    const calls: (() => Promise<number>)[] = [
      () =>
        new Promise((_, reject) => {
          fail = () => {
            reject(unavailable);
          };
        }),
      () => Promise.resolve(7),
    ];
    const reader = new ReadQueue(stubStore(unavailable), new Semaphore(1));
    const call = () => calls.shift()?.() ?? Promise.resolve(0);
    const client = new AbortController();
    const failing = reader.run(call, client.signal);
    const waiting = reader.run(call, new AbortController().signal);
    if (isAborted) client.abort();
    fail();
    await assert.rejects(failing, unavailable);
    if (isAborted) assert.equal(await waiting, 7);
    else await assert.rejects(waiting, unavailable);
  });

test('a count that the store cannot make in time is undefined, and fails no waiting call', async () => {
  let fail = (): void => assert.fail('the count has not begun');
  const count = () =>
    new Promise<number>((_, reject) => {
      fail = () => {
        reject(new ShelflistError('unavailable'));
      };
    });
  const reader = new ReadQueue(stubStore(new Error('unused'), { count }), new Semaphore(1));
  const { signal } = new AbortController();
  const counting = reader.count({}, signal);
  const waiting = reader.run(() => Promise.resolve(7), signal);
  fail();
  assert.deepEqual(await Promise.all([counting, waiting]), [undefined, 7]);
});

test('a question of a reader without a token has low priority, and is given up after two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: { signal: PrioritySignal | undefined; fail: (error: Error) => void }[] = [];
  const find: CompleteStore['find'] = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      asked.push({ signal, fail: reject });
    });
  const reader = new ReadQueue(stubStore(new Error('unused'), { find }));
  const { signal } = new AbortController();
  const page = { limit: 1, signal };
  void reader.find({}, page).catch(() => undefined);
  const finding = reader.forAnonymous().find({}, page);
  while (asked.length < 2) await new Promise(setImmediate);
  t.mock.timers.tick(2000);
  assert.deepEqual(
    asked.map((each) => [each.signal?.priority, each.signal?.aborted]),
    [
      [undefined, false],
      ['background', true],
    ],
  );
  for (const { fail } of asked) fail(new Error('the query was abandoned'));
  await assert.rejects(finding, {
    code: 'unavailable',
    message: /takes too long for a reader without a token/,
  });
});

describe('a question that waits for its turn', () => {
  /** Occupies a slot until the returned function is called. */
  function occupy(reading: Semaphore): () => Promise<void> {
    let end = (): void => assert.fail('the slot is not taken');
    const running = reading.run(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    return () => {
      end();
      return running;
    };
  }

  test('is unavailable after five seconds, with the time to come again', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reading = new Semaphore(1);
    const reader = new ReadQueue(stubStore(new Error('unused')), reading);
    const end = occupy(reading);
    for (const each of [reader, reader.forAnonymous()]) {
      let hasRun = false;
      const waiting = each.run(() => Promise.resolve((hasRun = true)), new AbortController().signal);
      t.mock.timers.tick(5000);
      await assert.rejects(waiting, (error: ShelflistError) => {
        assert.deepEqual([error.code, error.status, error.retryAfter], ['unavailable', 503, 5]);
        return true;
      });
      assert.equal(hasRun, false);
    }
    await end();
    assert.equal(await reader.run(() => Promise.resolve(7), new AbortController().signal), 7);
  });

  test('waits longer if its answer has begun', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reading = new Semaphore(1);
    const reader = new ReadQueue(stubStore(new Error('unused')), reading);
    const { signal } = new AbortController();
    await reader.run(() => Promise.resolve('first part'), signal);
    const end = occupy(reading);
    const waiting = reader.run(() => Promise.resolve('second part'), signal);
    t.mock.timers.tick(60_000);
    await end();
    assert.equal(await waiting, 'second part');
  });
});
