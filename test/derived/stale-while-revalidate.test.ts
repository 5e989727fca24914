import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { ShelflistError } from '../../src/index.ts';
import {
  StaleWhileRevalidate,
  type Computation,
  type ComputedOptions,
} from '../../src/derived/stale-while-revalidate.ts';
import { NotReadyError } from '../../src/derived/not-ready.ts';
import { fakeTime } from '../support/time.ts';

const never = new AbortController().signal;

/** A computation that ends when the test says so, of a store whose version the test sets. */
function createComputed(t: TestContext, options: Partial<ComputedOptions> = {}) {
  const time = fakeTime(t);
  const closing = new AbortController();
  t.after(() => {
    closing.abort();
  });
  const store = { now: '1', version: () => Promise.resolve(store.now) };
  const warnings: string[] = [];
  const runs: (Computation & Settled)[] = [];
  const begun: (() => void)[] = [];
  const computed = new StaleWhileRevalidate<string>(
    (computation) => {
      const run = { ...computation, ...withResolvers() };
      runs.push(run);
      begun.shift()?.();
      return run.promise;
    },
    {
      store,
      what: 'the books are being weighed',
      closing: closing.signal,
      logger: {
        warn: (fields, message) => {
          warnings.push(`${message} ${JSON.stringify(fields)}`);
        },
      },
      ...options,
    },
  );
  const nextRun = async () => {
    const count = runs.length;
    await new Promise<void>((resolve) => {
      begun.push(resolve);
    });
    const run = runs[count];
    assert.ok(run);
    return run;
  };
  return { computed, store, closing, time, runs, nextRun, warnings, read: () => computed.read(never) };
}

interface Settled {
  readonly promise: Promise<string>;
  readonly resolve: (value: string) => void;
  readonly reject: (reason: unknown) => void;
}

function withResolvers(): Settled {
  let [resolve, reject]: [Settled['resolve'], Settled['reject']] = [() => undefined, () => undefined];
  const promise = new Promise<string>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

/** Makes a value that took a minute. */
async function keepSlow({ read, nextRun, time }: ReturnType<typeof createComputed>, value: string) {
  const running = nextRun();
  await assert.rejects(read(), NotReadyError);
  const run = await running;
  time.pass(60_000);
  run.resolve(value);
  await new Promise(setImmediate);
  assert.equal(await read(), value);
}

describe('a value that is computed quickly', () => {
  test('is computed once for a version, for all requests', async (t) => {
    const { read, nextRun, runs } = createComputed(t);
    const running = nextRun();
    const reads = Promise.all([read(), read()]);
    (await running).resolve('one');
    assert.deepEqual(await reads, ['one', 'one']);
    assert.equal(await read(), 'one');
    assert.equal(runs.length, 1);
  });

  test('is computed again after a write, and a request waits for it', async (t) => {
    const { read, nextRun, store } = createComputed(t);
    const first = nextRun();
    const reading = read();
    (await first).resolve('one');
    await reading;
    store.now = '2';
    const second = nextRun();
    const again = read();
    (await second).resolve('two');
    assert.equal(await again, 'two');
  });

  test('includes a write during the computation for requests after it', async (t) => {
    const { read, nextRun, store } = createComputed(t);
    const first = nextRun();
    const before = read();
    const run = await first;
    store.now = '2';
    const second = nextRun();
    const after = read();
    run.resolve('one');
    (await second).resolve('two');
    assert.deepEqual(await Promise.all([before, after]), ['one', 'two']);
  });

  test('fails as its computation does, which the next request begins anew', async (t) => {
    const { read, nextRun } = createComputed(t);
    const first = nextRun();
    const failing = read();
    (await first).reject(new ShelflistError('unavailable', { message: 'the store is gone' }));
    await assert.rejects(failing, { message: 'the store is gone' });
    const second = nextRun();
    const reading = read();
    (await second).resolve('one');
    assert.equal(await reading, 'one');
  });

  test('is not waited for by a request that has gone', async (t) => {
    const { computed, nextRun } = createComputed(t);
    const gone = new AbortController();
    const running = nextRun();
    const reading = computed.read(gone.signal);
    const run = await running;
    gone.abort(new Error('gone'));
    await assert.rejects(reading, /gone/);
    run.resolve('one');
  });
});

test('a reader without a token gets a quickly computed value for ten times as long as computing it took', async (t) => {
  const { computed, read, nextRun, runs, store, time } = createComputed(t);
  const readOld = () => computed.read(never, { mayBeOld: true });
  const first = nextRun();
  const reading = readOld();
  const run = await first;
  time.pass(1000);
  run.resolve('one');
  assert.equal(await reading, 'one');
  store.now = '2';
  time.pass(9000);
  assert.equal(await readOld(), 'one');
  assert.equal(runs.length, 1);
  time.pass(1500);
  const second = nextRun();
  const again = readOld();
  (await second).resolve('two');
  assert.equal(await again, 'two');
  store.now = '3';
  const third = nextRun();
  const current = read();
  (await third).resolve('three');
  assert.equal(await current, 'three');
});

describe('a value that takes longer than a request waits', () => {
  test('is unavailable at first, with a true Retry-After', async (t) => {
    const { read, nextRun, time } = createComputed(t, { maxWaitMs: 0 });
    const running = nextRun();
    await assert.rejects(read(), { code: 'unavailable', retryAfter: 1, progress: 0 });
    const run = await running;
    run.onProgress(0.25);
    time.pass(9_999.5);
    await assert.rejects(read(), (error: ShelflistError) => {
      // A quarter took 10 s.
      assert.match(
        error.message,
        /^the books are being weighed, .* \(25 %\); repeat the request in 3[01] s$/,
      );
      assert.match(String(error.retryAfter), /^3[01]$/);
      assert.equal(error.progress, 25);
      return error instanceof NotReadyError;
    });
    run.onProgress(1);
    await assert.rejects(read(), { retryAfter: 1, progress: 99 });
    run.resolve('one');
  });

  test('is used for ten times as long as it took, and then while a newer one is computed', async (t) => {
    const each = createComputed(t, { maxWaitMs: 0 });
    const { read, nextRun, time, store, runs } = each;
    await keepSlow(each, 'one');
    store.now = '2';
    time.pass(500_000);
    assert.equal(await read(), 'one');
    assert.equal(runs.length, 1);
    time.pass(200_000);
    const second = nextRun();
    assert.equal(await read(), 'one');
    const run = await second;
    assert.equal(await read(), 'one');
    time.pass(60_000);
    run.resolve('two');
    await run.promise;
    while ((await read()) === 'one');
    assert.equal(runs.length, 2);
  });

  test('stays in use when it cannot be computed again, which is tried later', async (t) => {
    const each = createComputed(t, { maxWaitMs: 0 });
    const { read, nextRun, time, store, runs, warnings } = each;
    await keepSlow(each, 'one');
    store.now = '2';
    time.pass(700_000);
    const second = nextRun();
    assert.equal(await read(), 'one');
    (await second).reject(new Error('no disk'));
    while (warnings.length === 0) await read();
    assert.equal(await read(), 'one');
    assert.equal(runs.length, 2);
    assert.match(
      warnings.join('\n'),
      /^the books are being weighed: this failed; .*"cause":"Error: no disk"\}$/,
    );
  });

  test('reports a failure to the next request, if nobody waited', async (t) => {
    const { read, nextRun } = createComputed(t, { maxWaitMs: 0 });
    const first = nextRun();
    await assert.rejects(read(), NotReadyError);
    const run = await first;
    run.reject(new ShelflistError('unavailable', { message: 'the store is gone' }));
    await run.promise.catch(() => undefined);
    await new Promise(setImmediate);
    await assert.rejects(read(), { message: 'the store is gone' });
    const second = nextRun();
    await assert.rejects(read(), NotReadyError);
    (await second).resolve('one');
  });
});

test('a computation learns that the service closes', async (t) => {
  const { read, nextRun, closing } = createComputed(t);
  const running = nextRun();
  const reading = read();
  const run = await running;
  closing.abort(new Error('closing'));
  assert.ok(run.signal.aborted);
  assert.equal(run.signal.priority, 'background');
  run.reject(run.signal.reason);
  await assert.rejects(reading, /closing/);
});
