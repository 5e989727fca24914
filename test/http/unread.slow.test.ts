import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import process from 'node:process';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ShelflistError } from '../../src/index.ts';
import { UnreadBytes } from '../../src/server/http/writing.ts';
import { startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';

const turn = () => new Promise(setImmediate);
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

/** Opens connections that send the same request many times, and read nothing unless told to. */
async function pipeline(
  t: TestContext,
  { port }: { port: number },
  { path, connections, requests }: { path: string; connections: number; requests: number },
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < connections; i++) {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => undefined).pause();
    await once(socket, 'connect');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: ${path.startsWith('/?') ? 'text/html' : '*/*'}\r\n\r\n`.repeat(
        requests,
      ),
    );
    sockets.push(socket);
  }
  return sockets;
}

/** The memory of this process without garbage, in bytes. Buffers are released some turns after they are collected. */
async function memory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    collect();
    await turns(10);
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

test('clients that pipeline requests for a constant document and read nothing hold little memory', async (t) => {
  const service = await startService(t, { databaseUrl: 'memory:' });
  await (await fetch(`${service.url}/openapi.json`)).text();
  let arrived = 0;
  service.server.on('request', () => arrived++);
  const before = await memory();
  const [connections, requests] = [50, 60];
  await pipeline(t, service, { path: '/openapi.json', connections, requests });
  while (arrived < connections * requests) await turn();
  await turns(200);
  const held = (await memory()) - before;
  // A request takes 5 KB here, in its client and its service.
  assert.ok(held < 30_000_000, `${held} bytes`);
});

for (const path of ['/books?limit=1000', '/books?sort=title', '/stats', '/suggest?field=title', '/?q=x'])
  test(`long answers on one connection are made one after the other: ${path}`, async (t) => {
    const asked = { count: 0 };
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const ask = async (): Promise<never> => {
      asked.count++;
      await released;
      throw new ShelflistError('unavailable');
    };
    const store = stubStore(new Error('unused'), {
      version: () => Promise.resolve('1'),
      count: () => Promise.resolve(1),
      find: ask,
      statistics: ask,
      suggest: ask,
    });
    const service = await startService(t, { store, publicRead: true, page: true });
    const [socket] = await pipeline(t, service, { path, connections: 1, requests: 16 });
    while (asked.count === 0) await turn();
    await turns(100);
    const begun = asked.count;
    assert.equal(begun, 1);
    release();
    socket?.resume();
    while (asked.count < 16) await turn();
  });

test('connections take turns: each begins one of its pipelined requests in a turn of the event loop', async (t) => {
  const handled = { all: 0, turn: 0, max: 0 };
  const service = await startService(t, {
    databaseUrl: 'memory:',
    onRequest() {
      handled.all++;
      handled.max = Math.max(handled.max, ++handled.turn);
    },
  });
  const [connections, requests] = [10, 500];
  const all = connections * requests;
  const done = (async () => {
    for (; handled.all < all; handled.turn = 0) await turn();
  })();
  const sockets = await pipeline(t, service, { path: '/livez', connections, requests });
  for (const socket of sockets) socket.resume();
  await done;
  // The first request that arrives begins at once.
  assert.ok(handled.max <= 2 * connections, `${handled.max} in one turn`);
});

test('when clients leave too much unread, those that read nothing are cut off, and those that read are not', async (t) => {
  const unread = new UnreadBytes({ maxBytes: 20_000_000, maxStallMs: 100 });
  const text = 'x'.repeat(20_000_000);
  let closed = 0;
  const server = http.createServer((request, response) => {
    if (request.url === '/held') request.socket.once('close', () => ++closed);
    void unread.end(response, text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await pipeline(t, { port }, { path: '/held', connections: 5, requests: 1 });
  const [reader] = await pipeline(t, { port }, { path: '/', connections: 1, requests: 1 });
  let length = 0;
  reader?.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
  while (closed === 0 || length < text.length) await turn();
});
