import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { eachAtOnce } from '../../src/lib/semaphore.ts';

test('each item is worked on once, at most some of them at once', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await eachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running);
    await setImmediate();
    running--;
    done.push(item);
  });
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(most, 3);
});

test('after a failure no more work begins, and the first failure follows the work that began', async () => {
  const log: string[] = [];
  const working = eachAtOnce(['a', 'b', 'c'], 2, async (item) => {
    log.push(`${item} begins`);
    await setImmediate();
    if (item === 'a') throw new Error(item);
    await setImmediate();
    log.push(`${item} ends`);
    throw new Error(item);
  });
  await assert.rejects(working, { message: 'a' });
  assert.deepEqual(log, ['a begins', 'b begins', 'b ends']);
});
