import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Book, BookStore } from '../../src/index.ts';
import { received, responses } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';

/** A reader has twice as long before it is cut off. */
const requestTimeoutMs = 300;

const page: Book[] = Array.from({ length: 100 }, (_, i) => ({
  id: i + 1,
  title: 'x'.repeat(10_000),
  author: '',
  year: 0,
}));

/** A store with a list of so many pages of a megabyte; `ended` tells how many readings of it are over. */
function longList(pages: number, count = 1_000_000): { store: BookStore; ended: () => number } {
  let ended = 0;
  async function* list() {
    try {
      for (let i = 0; i < pages; i++) yield await Promise.resolve(page);
    } finally {
      ended++;
    }
  }
  const store = stubStore(new Error('unused'), {
    version: () => Promise.resolve('1'),
    count: () => Promise.resolve(count),
    list,
  });
  return { store, ended: () => ended };
}

async function start(context: TestContext, store: BookStore) {
  const service = await startService(context, { store, requestTimeoutMs });
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n\r\n`;
  const open = async (text: string): Promise<Socket> => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    context.after(() => socket.destroy());
    socket.write(text);
    await once(socket, 'connect');
    return socket;
  };
  const connections = promisify(service.server.getConnections.bind(service.server));
  return { get, open, connections };
}

async function until(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await setTimeout(20);
  }
}

describe('a reader that takes nothing of its answer is cut off', () => {
  const table: [what: string, pages: number, count: number, behind: string][] = [
    ['a list without end', Infinity, 1_000_000, ''],
    ['a list that is kept, and has left whole', 15, 1500, ''],
    ['many requests behind it', Infinity, 1_000_000, 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000)],
    ['something malformed behind it', Infinity, 1_000_000, 'nonsense\r\n\r\n'],
    ['CONNECT behind it', Infinity, 1_000_000, 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n'],
  ];
  for (const [what, pages, count, behind] of table) {
    test(what, async (context) => {
      const { store, ended } = longList(pages, count);
      const { get, open, connections } = await start(context, store);
      const socket = await open(get('/books') + behind);
      socket.pause();
      await until(async () => (await connections()) === 0, 'the connection is held');
      await until(() => ended() === 1, 'the list is still being read');
    });
  }
});

describe('but not', () => {
  test('one that is slow', async (context) => {
    const { store } = longList(15, 1500);
    const { get, open } = await start(context, store);
    const socket = await open(get('/books').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    const begun = performance.now();
    let length = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      length += chunk.length;
      await setTimeout(10);
    }
    assert.ok(length > 15_000_000, `${length} bytes`);
    assert.ok(performance.now() - begun > 4 * requestTimeoutMs, 'it was not slow');
  });

  test('one whose answer takes the store longer than that', async (context) => {
    const store = stubStore(new Error('unused'), {
      get: async (id) => {
        await setTimeout(5 * requestTimeoutMs);
        return { id, title: '', author: '', year: 0 };
      },
    });
    const { get, open } = await start(context, store);
    const socket = await open(get('/book/1').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    assert.deepEqual(
      responses(await received(socket)).map(({ status }) => status),
      [200],
    );
  });

  test('one that keeps its connection, and asks again later', async (context) => {
    const { get, open } = await start(context, longList(1).store);
    const socket = await open(get('/x'));
    await once(socket, 'data');
    await setTimeout(5 * requestTimeoutMs);
    socket.write(get('/x'));
    await once(socket, 'data');
  });
});
