import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShelflistError } from '../../../src/index.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { PageReader } from '../../../src/server/books/page-reader.ts';
import { stubStore } from '../../support/stub-store.ts';

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
    const reader = new PageReader(stubStore(unavailable), new Semaphore(1));
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
  const reader = new PageReader(stubStore(new Error('unused'), { count }), new Semaphore(1));
  const { signal } = new AbortController();
  const counting = reader.count({}, signal);
  const waiting = reader.run(() => Promise.resolve(7), signal);
  fail();
  assert.deepEqual(await Promise.all([counting, waiting]), [undefined, 7]);
});
