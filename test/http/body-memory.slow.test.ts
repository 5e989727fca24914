import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { BodyReader, maxLoginBytes, type BodyKind } from '../../src/server/http/body.ts';
import { received, responses } from '../support/raw.ts';
import { startService } from '../support/service.ts';

const limitBytes = 1024 * 1024;

/** A server that reads the bodies of its requests, and answers with their status and the code of what failed. */
async function startReader(t: TestContext, kind: BodyKind, bodies = new BodyReader(limitBytes)) {
  const server = createServer((request, response) => {
    bodies.readJson(request, response, kind).then(
      (value) => response.end(value === undefined ? 'undefined' : 'read'),
      (error: unknown) => response.end(error instanceof ShelflistError ? error.code : String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
    t.after(() => socket.destroy());
    return socket;
  };
  return { bodies, open };
}

const inOneByteChunks = (text: string) => text.replace(/[^]/g, '1\r\n$&\r\n');

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('an unfinished body in one-byte chunks', () => {
  test('holds at most twice its size', async (t) => {
    const { bodies, open } = await startReader(t, 'book');
    const socket = await open();
    const size = 100_000;
    const sent = `"${'x'.repeat(size)}`;
    for (let at = 0; at < sent.length; at += 10_000) {
      socket.write(inOneByteChunks(sent.slice(at, at + 10_000)));
      await until(() => bodies.heldBytes('book') > at);
      assert.ok(bodies.heldBytes('book') <= 2 * (at + 10_000) + 1024);
    }
    socket.write(inOneByteChunks('"'));
    socket.write('0\r\n\r\n');
    assert.match(await received(socket), /\r\n\r\n.*read/s);
    assert.equal(bodies.heldBytes('book'), 0);
  });

  test('is released when its sender disconnects', async (t) => {
    const { bodies, open } = await startReader(t, 'login');
    const socket = await open();
    socket.write(inOneByteChunks('x'.repeat(1000)));
    await until(() => bodies.heldBytes('login') > 0);
    socket.resetAndDestroy();
    await until(() => bodies.heldBytes('login') === 0);
  });
});

test('the memory of unfinished bodies is limited: a further body is refused with 503', async (t) => {
  const bodies = new BodyReader(limitBytes, { login: 0, book: 4096 });
  const { open } = await startReader(t, 'book', bodies);
  const first = await open();
  first.write(inOneByteChunks('"'.padEnd(2000, 'x')));
  await until(() => bodies.heldBytes('book') === 2048);
  const second = await open();
  second.write(inOneByteChunks('"'.padEnd(3000, 'x')));
  assert.match(await received(second), /unavailable/);
  assert.equal(bodies.heldBytes('book'), 2048);
  first.write(`${inOneByteChunks('"')}0\r\n\r\n`);
  assert.match(await received(first), /read/);
});

test('logins and other bodies have separate memory limits', async (t) => {
  const bodies = new BodyReader(limitBytes, { login: 1024, book: 4096 });
  const { open } = await startReader(t, 'login', bodies);
  const socket = await open();
  socket.write(inOneByteChunks('{'));
  await until(() => bodies.heldBytes('login') === 1024);
  assert.equal(bodies.heldBytes('book'), 0);
});

describe('a login', () => {
  const login = (length: number) => `{"username":"a","password":"${'x'.repeat(length - 30)}"}`;

  test('has at most 16 KiB, with and without a Content-Length', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:' });
    const statuses = async (length: number, headers = {}) =>
      (await service.request('POST', '/token', { body: login(length), headers })).status;
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      assert.equal(await statuses(maxLoginBytes, headers), 401);
      assert.equal(await statuses(maxLoginBytes + 1, headers), 413);
    }
  });

  test('that is too long is refused before it is sent', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:' });
    const socket = connect(service.port, '127.0.0.1');
    socket.write('POST /token HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 16385\r\n\r\n');
    assert.deepEqual(
      responses(await received(socket)).map(({ status }) => status),
      [413],
    );
  });

  test('has at most the limit of all bodies if that is lower', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:', bodyLimitBytes: 100 });
    assert.equal((await service.request('POST', '/token', { body: login(101) })).status, 413);
  });
});
