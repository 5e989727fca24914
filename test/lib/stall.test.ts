import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { withTimeout } from '../../src/lib/timeout.ts';
import { coalesceRequests } from '../../src/lib/coalesce.ts';

const deadlineMs = 250;

/** Blocks the event loop for several deadlines. */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4 * deadlineMs);
}

/** Starts an echo in another thread, so that it answers while this one stalls. */
async function startEcho(t: TestContext): Promise<(text: string) => Promise<string>> {
  const echo = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer((socket) => socket.pipe(socket));
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(echo, { eval: true });
  t.after(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  t.after(() => socket.destroy());
  return async (text) => {
    socket.write(text);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  };
}

/** Accepts connections, and never answers. */
async function startHanging(t: TestContext): Promise<Socket> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  return socket;
}

describe('after the event loop stalled for longer than the deadline', () => {
  test('an answer that arrived meanwhile is delivered', async (t) => {
    const ask = await startEcho(t);
    const answer = withTimeout(deadlineMs, ask('a'));
    stall();
    assert.equal(await answer, 'a');
  });

  test('an answer that takes one more round trip is delivered', async (t) => {
    const ask = await startEcho(t);
    const answer = withTimeout(
      deadlineMs,
      ask('a').then(() => ask('b')),
    );
    stall();
    assert.equal(await answer, 'b');
  });

  test('a call that is never answered is rejected', async (t) => {
    const socket = await startHanging(t);
    const answer = withTimeout(deadlineMs, once(socket, 'data'));
    stall();
    await assert.rejects(answer, /no answer within 250 ms/);
  });

  test('requests that waited behind a call are sent', async (t) => {
    const ask = await startEcho(t);
    const sent: (readonly string[])[] = [];
    const request = coalesceRequests(
      async (requests: readonly string[]) => {
        sent.push(requests);
        await ask(requests.join());
        return requests.map((value) => ({ value }));
      },
      { deadlineMs, maxAtOnce: 2 },
    );
    const first = request('first');
    while (sent.length === 0) await new Promise(setImmediate);
    const others = ['a', 'b', 'c', 'd', 'e'].map(request);
    stall();
    assert.deepEqual(await Promise.all([first, ...others]), ['first', 'a', 'b', 'c', 'd', 'e']);
  });

  test('requests that had not been sent yet are sent', async (t) => {
    const ask = await startEcho(t);
    const request = coalesceRequests(
      async (requests: readonly string[]) => {
        await ask(requests.join());
        return requests.map((value) => ({ value }));
      },
      { deadlineMs },
    );
    const answers = ['a', 'b'].map(request);
    stall();
    assert.deepEqual(await Promise.all(answers), ['a', 'b']);
  });
});
