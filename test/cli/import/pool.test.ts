import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { forEachAtOnce } from '../../../src/cli/import/pool.ts';

async function* count(to: number): AsyncGenerator<number> {
  for (let n = 1; n <= to; n++) yield await Promise.resolve(n);
}

test('every item is taken once, never more at once than the limit', async () => {
  const done: number[] = [];
  let underWay = 0;
  let most = 0;
  await forEachAtOnce(count(20), 3, async (n) => {
    most = Math.max(most, ++underWay);
    await setImmediate();
    underWay--;
    done.push(n);
  });
  assert.equal(most, 3);
  assert.deepEqual(
    done.sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
});

test('a task that fails stops the intake; what is under way ends, then the first error is thrown', async () => {
  const started: number[] = [];
  const done: number[] = [];
  await assert.rejects(
    forEachAtOnce(count(20), 3, async (n) => {
      started.push(n);
      if (n === 2) throw new Error('the second');
      for (let turns = 0; turns < 5; turns++) await setImmediate();
      done.push(n);
    }),
    { message: 'the second' },
  );
  assert.ok(started.length < 20, `${started.length} were started`);
  assert.deepEqual(
    done,
    started.filter((n) => n !== 2),
  );
});

test('items that end with an error: what is under way ends first', async () => {
  let done = false;
  async function* items() {
    yield await Promise.resolve(1);
    throw new Error('the source');
  }
  await assert.rejects(
    forEachAtOnce(items(), 3, async () => {
      await setImmediate();
      done = true;
    }),
    { message: 'the source' },
  );
  assert.ok(done);
});

test('no items: nothing to do', async () => {
  await forEachAtOnce(count(0), 3, () => assert.fail());
});
