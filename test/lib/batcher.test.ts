import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce, createBatcher, type Verdict } from '../../src/lib/batcher.ts';

/** A call that is answered when the test says so. */
function held() {
  const calls: {
    requests: readonly number[];
    answer: (verdicts: Verdict<string>[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const call = (requests: readonly number[]) =>
    new Promise<Verdict<string>[]>((resolve, reject) => {
      calls.push({ requests, answer: resolve, fail: reject });
    });
  return { calls, call };
}

/** Two turns of the event loop: one that brings no more requests, and one for what comes of it. */
async function turn(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}
const good = (requests: readonly number[]) => requests.map((request) => ({ value: `answer ${request}` }));

test('a request that comes alone is sent in the same turn; those that come meanwhile go together, in order', async () => {
  const { calls, call } = held();
  const ask = createBatcher(call, { deadlineMs: 1000 });
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

test('those that come in the same turn go together', async () => {
  const { calls, call } = held();
  const ask = createBatcher(call);
  const answers = [1, 2, 3].map(ask);
  await turn();
  assert.deepEqual(calls[0]?.requests, [1, 2, 3]);
  calls[0].answer(good([1, 2, 3]));
  assert.deepEqual(await Promise.all(answers), ['answer 1', 'answer 2', 'answer 3']);
});

test('each has its own verdict', async () => {
  const ask = createBatcher(
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

test('a call that fails is the verdict of all who shared it, and of nobody else', async () => {
  let count = 0;
  const ask = createBatcher(
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

test('so many share a call at the most', async () => {
  const sizes: number[] = [];
  const ask = createBatcher(
    (requests: readonly number[]) => {
      sizes.push(requests.length);
      return Promise.resolve(good(requests));
    },
    { deadlineMs: 1000, maxAtOnce: 10 },
  );
  await Promise.all(Array.from({ length: 25 }, (_, i) => ask(i)));
  assert.deepEqual(sizes, [10, 10, 5]);
});

test('a call that does not answer fails at its deadline, and what waited that long is not sent', async () => {
  const { calls, call } = held();
  const ask = createBatcher(call, { deadlineMs: 20 });
  const first = ask(1);
  await turn();
  const results = await Promise.allSettled([first, ask(2)]);
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

test('who waits for the same shares it, and whoever comes later gets a later one', async () => {
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
