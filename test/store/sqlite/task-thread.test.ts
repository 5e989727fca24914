import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { buildSync } from 'esbuild';
import { TaskThread } from '../../../src/store/sqlite/task-thread.ts';

/** A thread without the files of the library: it does what `serveTasks` does. */
const code = () => `
  const { parentPort } = require('node:worker_threads');
  const gate = new Int32Array(require('node:worker_threads').workerData);
  parentPort.on('message', (requests) => {
    if (requests === 'close') return parentPort.close();
    for (const { task, args: [value] } of requests) {
      if (task === 'wait') Atomics.wait(gate, 0, 0);
      if (task === 'countSent') parentPort.postMessage({ value: requests.length });
      else parentPort.postMessage(task === 'fail' ? { error: value } : { value });
    }
  });`;

interface Tasks {
  echo: (value: unknown) => unknown;
  wait: (value: unknown) => unknown;
  fail: (message: string) => never;
  /** The number of requests that came with this one. */
  countSent: () => number;
}

function createThread(t: TestContext) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const open = () => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  const thread = new TaskThread<Tasks>({
    code,
    data: gate.buffer,
    name: 'test',
    toError: (error) => new Error(String(error)),
    toDropped: () => new Error('dropped'),
  });
  t.after(async () => {
    open();
    await thread.close();
  });
  return { thread, open };
}

describe('TaskThread', () => {
  test('returns results and errors in order', async (t) => {
    const { thread } = createThread(t);
    const answers = await Promise.allSettled([
      thread.run('echo', [1]),
      thread.run('fail', ['no']),
      thread.run('echo', [2]),
    ]);
    assert.deepEqual(
      answers.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      [1, 'no', 2],
    );
  });

  test('refuses arguments that cannot be cloned, and returns the other results', async (t) => {
    const { thread } = createThread(t);
    const refused = thread.run('echo', [() => 1]);
    await assert.rejects(refused, { name: 'DataCloneError' });
    assert.deepEqual(await Promise.all([1, 2, 3].map((value) => thread.run('echo', [value]))), [1, 2, 3]);
  });

  test('sends waiting tasks together, eight at most; one that cannot be cloned does not affect the others', async (t) => {
    const { thread, open } = createThread(t);
    const busy = [thread.run('wait', ['a']), thread.run('echo', ['b'])];
    const waiting = Array.from({ length: 10 }, () => thread.run('countSent', []));
    const refused = thread.run('echo', [() => 1]);
    const last = thread.run('countSent', []);
    open();
    await assert.rejects(refused, { name: 'DataCloneError' });
    const counts = await Promise.all([...waiting, last]);
    assert.deepEqual(counts, [...Array.from({ length: 8 }, () => 8), 1, 1, 1]);
    assert.deepEqual(await Promise.all(busy), ['a', 'b']);
  });

  test('never starts a task that was aborted while it waited', async (t) => {
    const { thread, open } = createThread(t);
    const busy = [thread.run('wait', ['a']), thread.run('echo', ['b'])];
    const end = new AbortController();
    const given = thread.run('echo', ['c'], end.signal);
    const last = thread.run('echo', ['d']);
    end.abort();
    await assert.rejects(given, /dropped/);
    open();
    assert.deepEqual(await Promise.all([...busy, last]), ['a', 'b', 'd']);
  });

  test('tells a running task that its signal is aborted, and only that one; answers before it do not wait for it', async (t) => {
    const spin = `
      import { isStopped, serveTasks } from './task-thread.ts';
      const tasks = { spin: () => { while (!isStopped()); return 'stopped'; }, check: isStopped };
      serveTasks((task) => tasks[task](), String, () => {});`;
    const resolveDir = join(import.meta.dirname, '../../../src/store/sqlite');
    const { outputFiles } = buildSync({
      stdin: { contents: spin, resolveDir },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
    });
    const thread = new TaskThread<{ spin: () => string; check: () => boolean }>({
      code: () => outputFiles[0]?.text ?? '',
      data: undefined,
      name: 'test',
      toError: (error) => new Error(String(error)),
      toDropped: () => new Error('dropped'),
    });
    t.after(() => thread.close());
    const [end, other] = [new AbortController(), new AbortController()];
    const spinning = thread.run('spin', [], end.signal);
    const next = thread.run('check', [], other.signal);
    end.abort();
    assert.deepEqual(await Promise.all([spinning, next, thread.run('check', [])]), ['stopped', false, false]);
    const sentAhead = [
      thread.run('spin', [], AbortSignal.timeout(50)),
      thread.run('check', [], other.signal),
    ];
    other.abort();
    assert.deepEqual(await Promise.all(sentAhead), ['stopped', true]);
    const [first, second] = [new AbortController(), new AbortController()];
    const busy = [thread.run('spin', [], first.signal), thread.run('check', [])];
    const together = [thread.run('check', []), thread.run('spin', [], second.signal)];
    first.abort();
    await together[0];
    second.abort();
    assert.deepEqual(await Promise.all([...busy, together[1]]), ['stopped', false, 'stopped']);
  });

  test('drops waiting tasks when it is closed, and does not start again', async (t) => {
    const { thread, open } = createThread(t);
    const busy = [thread.run('wait', ['a']), thread.run('echo', ['b'])];
    const waiting = thread.run('echo', ['c']);
    const closed = thread.close();
    await assert.rejects(waiting, /dropped/);
    open();
    assert.deepEqual(await Promise.all(busy), ['a', 'b']);
    await closed;
    await assert.rejects(thread.run('echo', ['d']), /dropped/);
  });
});
