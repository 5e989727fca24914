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
    const store = stubStore(unavailable, { count: () => calls.shift()?.() ?? Promise.resolve(0) });
    const reader = new PageReader(store, new Semaphore(1));
    const client = new AbortController();
    const failing = reader.count({}, client.signal);
    const waiting = reader.count({}, new AbortController().signal);
    if (isAborted) client.abort();
    fail();
    await assert.rejects(failing, unavailable);
    if (isAborted) assert.equal(await waiting, 7);
    else await assert.rejects(waiting, unavailable);
  });
