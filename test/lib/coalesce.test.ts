import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce, coalesceRequests, type CallResult } from '../../src/lib/coalesce.ts';

/** A call that the test completes. */
function held() {
  const calls: {
    requests: readonly number[];
    timeoutMs: number;
    answer: (results: CallResult<string>[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const call = (requests: readonly number[], timeoutMs: number) =>
    new Promise<CallResult<string>[]>((resolve, reject) => {
      calls.push({ requests, timeoutMs, answer: resolve, fail: reject });
    });
  return { calls, call };
}

/** Two turns of the event loop: one without further requests, and one for the effects. */
async function turn(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}
const good = (requests: readonly number[]) => requests.map((request) => ({ value: `answer ${request}` }));

test('a single request is sent in the same turn; those that arrive meanwhile share a call, in order', async () => {
  const { calls, call } = held();
  const ask = coalesceRequests(call, { deadlineMs: 1000 });
  const first = ask(1);
  await turn();
  assert.deepEqual(calls[0]?.requests, [1]);
  const rest = [2, 3].map(ask);
  await turn();
  assert.equal(calls.length, 1);
  calls[0].answer(good([1]));
  assert.equal(await first, 'answer 1');
  await turn();
  assert.deepEqual(calls[1]?.requests, [2, 3]);
  calls[1].answer(good([2, 3]));
  assert.deepEqual(await Promise.all(rest), ['answer 2', 'answer 3']);
});

test('requests of the same turn share a call', async () => {
  const { calls, call } = held();
  const ask = coalesceRequests(call);
  const answers = [1, 2, 3].map(ask);
  await turn();
  assert.deepEqual(calls[0]?.requests, [1, 2, 3]);
  calls[0].answer(good([1, 2, 3]));
  assert.deepEqual(await Promise.all(answers), ['answer 1', 'answer 2', 'answer 3']);
});

test('requests of consecutive turns share a call only with maxCollectMs', async () => {
  const sizesWith = async (maxCollectMs: number) => {
    const { calls, call } = held();
    const ask = coalesceRequests(call, { maxCollectMs });
    // One request a turn, each before the next group is taken.
    const later = new Promise<string>((resolve) => {
      setImmediate(() => {
        answers.push(ask(2));
        setImmediate(() => {
          resolve(ask(3));
        });
      });
    });
    const answers = [later, ask(1)];
    for (let done = 0; done < 3;) {
      await turn();
      const { requests = [], answer } = calls.at(-1) ?? {};
      answer?.(good(requests));
      done = calls.reduce((sum, each) => sum + each.requests.length, 0);
    }
    await Promise.all(answers);
    return calls.map(({ requests }) => requests.length);
  };
  assert.deepEqual(await sizesWith(0), [2, 1]);
  assert.deepEqual(await sizesWith(60_000), [3]);
});

test('each request gets its own result', async () => {
  const ask = coalesceRequests(
    (requests: readonly number[]) =>
      Promise.resolve(
        requests.map((request) => (request % 2 ? { value: request } : { error: new Error(`no ${request}`) })),
      ),
    { deadlineMs: 1000 },
  );
  const results = await Promise.allSettled([1, 2, 3, 4].map(ask));
  assert.deepEqual(
    results.map((result) =>
      result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
    ),
    [1, 'no 2', 3, 'no 4'],
  );
});

test('a failed call fails all its requests, and no others', async () => {
  let count = 0;
  const ask = coalesceRequests(
    (requests: readonly number[]) =>
      ++count === 2 ? Promise.reject(new Error('broken')) : Promise.resolve(good(requests)),
    { deadlineMs: 1000 },
  );
  const first = ask(1);
  await turn();
  const results = await Promise.allSettled([first, ...[2, 3].map(ask)]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  assert.equal(await ask(4), 'answer 4');
});

test('a call has at most maxAtOnce requests', async () => {
  const sizes: number[] = [];
  const ask = coalesceRequests(
    (requests: readonly number[]) => {
      sizes.push(requests.length);
      return Promise.resolve(good(requests));
    },
    { deadlineMs: 1000, maxAtOnce: 10 },
  );
  await Promise.all(Array.from({ length: 25 }, (_, i) => ask(i)));
  assert.deepEqual(sizes, [10, 10, 5]);
});

test('a call fails at its deadline, and requests that waited that long are not sent', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { calls, call } = held();
  const ask = coalesceRequests(call, { deadlineMs: 1000 });
  const first = ask(1);
  await turn();
  const second = ask(2);
  now = 999; // A timer may fire a little early.
  t.mock.timers.tick(1000);
  const results = await Promise.allSettled([first, second]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['rejected', 'rejected'],
  );
  const next = ask(3);
  await turn();
  assert.deepEqual(
    calls.map(({ requests }) => requests),
    [[1], [3]],
  );
  calls[1]?.answer(good([3]));
  assert.equal(await next, 'answer 3');
});

test('a call has only the time that its oldest request has left', async () => {
  const { calls, call } = held();
  const ask = coalesceRequests(call, { deadlineMs: 1000 });
  const first = ask(1);
  await turn();
  const oldest = ask(2);
  const begun = performance.now();
  await turn();
  const newest = ask(3);
  const waitedMs = performance.now() - begun;
  calls[0]?.answer(good([1]));
  await first;
  await turn();
  const { timeoutMs = Infinity } = calls[1] ?? {};
  assert.ok(timeoutMs <= 1000 - waitedMs, `${timeoutMs} ms after ${waitedMs} ms`);
  calls[1]?.answer(good([2, 3]));
  assert.deepEqual(await Promise.all([oldest, newest]), ['answer 2', 'answer 3']);
});

test('coalesce shares a result between concurrent callers, and calls again for later ones', async () => {
  const answers: ((value: string) => void)[] = [];
  const ask = coalesce(() => new Promise<string>((resolve) => answers.push(resolve)));
  const first = [ask(), ask()];
  await turn();
  const later = ask();
  await turn();
  assert.equal(answers.length, 1);
  answers[0]?.('first');
  assert.deepEqual(await Promise.all(first), ['first', 'first']);
  await turn();
  answers[1]?.('second');
  assert.equal(await later, 'second');
});
