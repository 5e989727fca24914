import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { exampleBook } from '../../src/catalogue/book.ts';
import { ShelflistError, type Book } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { received, responses } from '../support/raw.ts';
import { startService, type TestService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';

const book: Book = { id: 1, ...exampleBook };
const page: Book[] = Array.from({ length: 1000 }, (_, i) => ({ ...book, id: i + 1, title: 'x'.repeat(500) }));

const turn = () => new Promise(setImmediate);

/** A store whose searches give a long page at once, or, with `hold`, when the test says so. */
function searchable(hold = false) {
  const searches: { signal: AbortSignal | undefined; end: () => void; fail: (error: Error) => void }[] = [];
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      searches.push({ signal, end: resolve, fail: reject });
      if (!hold) resolve();
    });
  const store = stubStore(new Error('unused'), {
    version: () => Promise.resolve('1'),
    events: () => Promise.resolve({ events: [], position: '1', isCurrent: true }),
    get: () => Promise.resolve(book),
    find: async (_query, { signal }) => {
      await wait(signal);
      return { books: page, isLast: true };
    },
    count: async (_query, { signal } = {}) => {
      await wait(signal);
      return 1_000_000;
    },
    async *iterate() {
      for (let i = 0; i < 5; i++) yield await Promise.resolve(page);
    },
  });
  return { store, searches };
}

/** Opens connections that each ask for a path; `answered` counts those that have their whole answer. */
async function ask(t: TestContext, { port, token }: TestService, path: string, count: number, headers = '') {
  const state = { answered: 0, sockets: [] as Socket[] };
  for (let i = 0; i < count; i++) {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}Authorization: ${token}\r\n\r\n`,
    );
    socket.on('error', () => undefined).once('end', () => state.answered++);
    socket.resume();
    state.sockets.push(socket);
  }
  return state;
}

describe('other requests are served during long ones', () => {
  for (const [what, path, count] of [
    ['200 searches', '/books?q=x&limit=1000', 200],
    ['100 lists', '/books', 100],
    ['100 searches without a limit', '/books?q=x', 100],
  ] as const) {
    test(what, async (t) => {
      const service = await startService(t, { store: searchable().store });
      const long = await ask(t, service, path, count);
      const before = long.answered;
      assert.equal((await service.request('GET', '/livez')).status, 200);
      assert.equal((await service.request('GET', '/book/1', { token: service.token })).status, 200);
      assert.ok(long.answered < before + count / 2, `${long.answered - before} were answered first`);
      while (long.answered < count) await turn();
    });
  }
});

describe('searches', () => {
  test('reach the store a few at a time, in order; single books do not wait for them', async (t) => {
    const { store, searches } = searchable(true);
    const service = await startService(t, { store });
    const long = await ask(t, service, '/books?q=x&limit=1', 20);
    while (searches.length < 8) await turn();
    assert.equal((await service.request('GET', '/book/1', { token: service.token })).status, 200);
    assert.equal(searches.length, 8);
    for (let i = 0; i < 20; i++) {
      while (searches.length <= i) await turn();
      searches[i]?.end();
    }
    while (long.answered < 20) await turn();
  });

  test('of readers without a token take at most half of the slots', async (t) => {
    const { store, searches } = searchable(true);
    const service = await startService(t, { store, publicRead: true, readLimit: 0, page: true });
    let arrived = 0;
    service.server.on('request', () => arrived++);
    const crawler = await ask(t, { ...service, token: '' }, '/books?q=x&limit=1', 20);
    const pages = await ask(t, { ...service, token: '' }, '/?q=x', 5, 'Accept: text/html\r\n');
    while (arrived < 25) await turn();
    const librarian = await ask(t, service, '/books?q=x&limit=1', 6);
    while (searches.length < 8) await turn();
    for (let i = 0; i < 20; i++) await turn();
    assert.equal(searches.length, 8);
    for (let i = 4; librarian.answered < 6; i++) {
      while (searches.length <= i && librarian.answered < 6) await turn();
      searches[i]?.end();
      await turn();
    }
    assert.deepEqual([crawler.answered, pages.answered], [0, 0]);
    for (let i = 0; crawler.answered < 20 || pages.answered < 5; i++) {
      searches[i % searches.length]?.end();
      await turn();
    }
  });

  test('whose clients disconnected are aborted, and do not reach the store', async (t) => {
    const { store, searches } = searchable(true);
    const service = await startService(t, { store });
    const long = await ask(t, service, '/books?q=x&limit=1&count=true', 20);
    while (searches.length < 8) await turn();
    const running = searches.slice();
    for (const socket of long.sockets) socket.destroy();
    while (!running.every(({ signal }) => signal?.aborted)) await turn();
    const last = await ask(t, service, '/books?q=x&limit=1', 1);
    for (const { fail } of running) fail(new Error('aborted'));
    while (searches.length < 9) await turn();
    searches[8]?.end();
    while (last.answered < 1) await turn();
    assert.equal(searches.length, 9);
    assert.deepEqual(service.log, []);
  });

  test('that wait fail when the store fails', async (t) => {
    const { store, searches } = searchable(true);
    const service = await startService(t, { store });
    let arrived = 0;
    service.server.on('request', () => arrived++);
    const long = await ask(t, service, '/books?q=x&limit=1', 20);
    while (arrived < 20) await turn();
    for (let i = 0; i < 20; i++) await turn();
    searches[0]?.fail(new ShelflistError('unavailable'));
    while (long.answered < 13) await turn();
    assert.equal(searches.length, 8);
    for (const { end } of searches) end();
  });
});

test('a list whose reader disconnected is not read further', async (t) => {
  let pages = 0;
  const reading = { isEnded: false };
  const store: CompleteStore = {
    ...searchable().store,
    count: () => Promise.resolve(1_000_000),
    async *iterate() {
      try {
        for (;;) {
          pages++;
          yield await Promise.resolve(page);
        }
      } finally {
        reading.isEnded = true;
      }
    },
  };
  const service = await startService(t, { store });
  const request = get(`${service.url}/books`, { headers: { Authorization: service.token } });
  await once(request, 'response');
  request.on('error', () => undefined).destroy();
  while (!reading.isEnded) await turn();
  const read = pages;
  for (let i = 0; i < 10; i++) await turn();
  assert.equal(pages, read);
});

describe('pipelined requests', () => {
  const many = 2000;

  /** A service whose one book is found when `release` is called, and a connection that sends many requests for it. */
  async function pipeline(t: TestContext) {
    let asked = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const store = stubStore(new Error('unused'), {
      get: async () => {
        asked++;
        await released;
        return book;
      },
    });
    const service = await startService(t, { store });
    const accepted = once(service.server, 'connection') as Promise<[Socket]>;
    const socket = connect(service.port, '127.0.0.1');
    t.after(() => socket.destroy());
    const [connection] = await accepted;
    const request = `GET /book/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\nX: ${'x'.repeat(2000)}\r\n`;
    socket.write(`${request}\r\n`.repeat(many));
    const isWritten = () => socket.writableLength === 0;
    return { socket, connection, request, release, isWritten, asked: () => asked };
  }

  test('are handled sixteen at a time', async (t) => {
    const { socket, connection, request, release, isWritten, asked } = await pipeline(t);
    while (asked() < 16) await turn();
    for (let i = 0; i < 200; i++) await turn();
    assert.equal(asked(), 16);
    assert.ok(connection.bytesRead < 200_000, `${connection.bytesRead} bytes were read`);
    assert.equal(isWritten(), false);
    socket.write(`${request}Connection: close\r\n\r\n`);
    release();
    const answers = responses(await received(socket));
    assert.equal(answers.length, many + 1);
    for (const { status } of answers) assert.equal(status, 200);
  });

  test('that wait are dropped when their client disconnects', async (t) => {
    const { socket, connection, release, asked } = await pipeline(t);
    while (asked() < 16) await turn();
    const closed = once(connection, 'close');
    connection.on('error', () => undefined).resetAndDestroy();
    socket.on('error', () => undefined);
    await closed;
    release();
    for (let i = 0; i < 20; i++) await turn();
    assert.equal(asked(), 16);
  });

  test('with bodies are all read, in order', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:' });
    const socket = connect(service.port, '127.0.0.1');
    const count = 200;
    for (let i = 0; i <= count; i++) {
      const body = JSON.stringify({ title: String(i), author: 'x'.repeat(5000) });
      const last = i === count ? 'Connection: close\r\n' : '';
      socket.write(
        `POST /book HTTP/1.1\r\nHost: x\r\n${last}Authorization: ${service.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    }
    const answers = responses(await received(socket));
    assert.deepEqual(
      answers.map(({ body }) => (JSON.parse(body) as { data: Book }).data.title),
      Array.from({ length: count + 1 }, (_, i) => String(i)),
    );
  });
});
