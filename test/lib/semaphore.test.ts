import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore } from '../../src/lib/semaphore.ts';

/** Tasks that the test ends explicitly. */
function held() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const task = (name: number) => () => {
    begun.push(name);
    return new Promise<number>((resolve) => {
      ends[name] = () => {
        resolve(name);
      };
    });
  };
  return { begun, ends, task };
}

const turn = () => new Promise(setImmediate);

test('Semaphore runs a few tasks at once, and the others in order', async () => {
  const semaphore = new Semaphore(2);
  const { begun, ends, task } = held();
  const all = [0, 1, 2, 3].map((name) => semaphore.run(task(name)));
  await turn();
  assert.deepEqual(begun, [0, 1]);
  ends[1]?.();
  await turn();
  assert.deepEqual(begun, [0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  await turn();
  ends[3]?.();
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3]);
});

test('Semaphore passes the slot of a failed task on', async () => {
  const semaphore = new Semaphore(1);
  const failed = semaphore.run(() => Promise.reject(new Error('broken')));
  const next = semaphore.run(() => Promise.resolve(1));
  await assert.rejects(failed, /broken/);
  assert.equal(await next, 1);
  assert.equal(await semaphore.run(() => Promise.resolve(2)), 2);
});

test('Semaphore removes a task that is aborted while it waits', async () => {
  const semaphore = new Semaphore(1);
  const { begun, ends, task } = held();
  const first = semaphore.run(task(0));
  const controller = new AbortController();
  const aborted = semaphore.run(task(1), controller.signal);
  const last = semaphore.run(task(2));
  controller.abort(new Error('gone'));
  await assert.rejects(aborted, /gone/);
  ends[0]?.();
  await first;
  await turn();
  assert.deepEqual(begun, [0, 2]);
  ends[2]?.();
  assert.equal(await last, 2);
  await assert.rejects(semaphore.run(task(3), controller.signal), /gone/);
});
