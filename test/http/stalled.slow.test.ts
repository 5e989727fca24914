import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CompleteStore } from '../../src/store.ts';
import { storedBook } from '../support/books.ts';
import { received, responses } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';

/** A reader has twice as long before it is cut off. */
const requestTimeoutMs = 300;

const page = Array.from({ length: 100 }, (_, i) => storedBook(i + 1, { title: 'x'.repeat(10_000) }));

/** A store with a list of pages of a megabyte each; `ended` returns the number of finished readings. */
function longList(pages: number, count = 1_000_000): { store: CompleteStore; ended: () => number } {
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
    events: () => Promise.resolve({ events: [], position: '1', isCurrent: true }),
    count: () => Promise.resolve(count),
    iterate: list,
  });
  return { store, ended: () => ended };
}

async function start(context: TestContext, store: CompleteStore) {
  const service = await startService(context, { store, requestTimeoutMs });
  const get = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n${more}\r\n`;
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

describe('a client that takes nothing of its response is cut off', () => {
  const table: { what: string; pages: number; count: number; behind: string }[] = [
    { what: 'an endless list', pages: Infinity, count: 1_000_000, behind: '' },
    { what: 'a list that is kept, and has left whole', pages: 15, count: 1500, behind: '' },
    {
      what: 'many requests behind it',
      pages: Infinity,
      count: 1_000_000,
      behind: 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000),
    },
    { what: 'something malformed behind it', pages: Infinity, count: 1_000_000, behind: 'nonsense\r\n\r\n' },
    {
      what: 'CONNECT behind it',
      pages: Infinity,
      count: 1_000_000,
      behind: 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n',
    },
  ];
  for (const { what, pages, count, behind } of table) {
    test(what, async (context) => {
      const { store, ended } = longList(pages, count);
      const { get, open, connections } = await start(context, store);
      const socket = await open(get('/books') + behind);
      socket.pause();
      await until(async () => (await connections()) === 0, 'the connection is held');
      await until(() => ended() === 1, 'the list is still being read');
    });
  }

  for (const accept of ['text/csv', 'application/x-ndjson', 'application/vnd.citationstyles.csl+json'])
    test(`an endless list as ${accept}`, async (context) => {
      const { store, ended } = longList(Infinity);
      const { get, open, connections } = await start(context, store);
      (await open(get('/books', `Accept: ${accept}\r\n`))).pause();
      await until(async () => (await connections()) === 0, 'the connection is held');
      await until(() => ended() === 1, 'the list is still being read');
    });
});

describe('a client is not cut off', () => {
  test('if it is slow', async (context) => {
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

  test('if the store is slow', async (context) => {
    const store = stubStore(new Error('unused'), {
      get: async (id) => {
        await setTimeout(5 * requestTimeoutMs);
        return storedBook(id);
      },
    });
    const { get, open } = await start(context, store);
    const socket = await open(get('/book/1').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    assert.deepEqual(
      responses(await received(socket)).map(({ status }) => status),
      [200],
    );
  });

  test('if it keeps its connection for a later request', async (context) => {
    const { get, open } = await start(context, longList(1).store);
    const socket = await open(get('/x'));
    await once(socket, 'data');
    await setTimeout(5 * requestTimeoutMs);
    socket.write(get('/x'));
    await once(socket, 'data');
  });
});
