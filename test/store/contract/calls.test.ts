import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ShelflistError } from '../../../src/catalogue/errors.ts';
import { StoreCalls } from '../../../src/store/contract/calls.ts';

const translate = (cause: unknown) => new ShelflistError('unavailable', { cause });

test('a call gives its result, and its error is translated', async () => {
  const calls = new StoreCalls('the store');
  assert.equal(await calls.run(() => Promise.resolve(7), translate), 7);
  const cause = new Error('lost');
  await assert.rejects(
    calls.run(() => Promise.reject(cause), translate),
    { code: 'unavailable', cause },
  );
});

test('close waits for the calls in flight, also for those that fail, and releases once', async () => {
  const calls = new StoreCalls('the store');
  const log: string[] = [];
  let fail: (error: Error) => void = () => undefined;
  const call = new Promise<string>((_, reject) => (fail = reject));
  const running = calls.run(() => call, translate);
  const release = () => Promise.resolve(void log.push('released'));
  const closed = [calls.close(release), calls.close(release)];
  await setImmediate();
  assert.deepEqual(log, []);
  fail(new Error('lost'));
  await assert.rejects(running, { code: 'unavailable' });
  await Promise.all(closed);
  assert.deepEqual(log, ['released']);
});

test('after close, every call is refused without being made', async () => {
  const calls = new StoreCalls('the store of the tests');
  const errorOf = () => calls.closedError?.code;
  assert.equal(errorOf(), undefined);
  await calls.close(() => Promise.resolve());
  const expected = { code: 'store_closed', message: 'the store of the tests is closed' };
  assert.equal(errorOf(), expected.code);
  let made = 0;
  await assert.rejects(
    calls.run(() => Promise.resolve(made++), translate),
    expected,
  );
  assert.equal(made, 0);
});
