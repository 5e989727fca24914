import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { createServer, openStore, type Client, type WatchEvent } from '../../src/index.ts';
import type { WatchOptions } from '../../src/client/index.ts';
import { connect } from '../support/client.ts';
import { openStream } from '../support/event-stream.ts';
import { collectInto, credentials, secretToken, startService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

/** Takes this many events of a client. */
async function take(client: Client, count: number, options?: WatchOptions): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  for await (const event of client.watch(options)) if (events.push(event) === count) break;
  return events;
}

async function startPeer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The current position of a service. */
async function positionOf(t: TestContext, url: string, token: string): Promise<string> {
  const stream = await openStream(t, url, token);
  stream.close();
  return stream.lastId();
}

test('watch yields each change with its position, and continues after one', async (t) => {
  const { url, token } = await startService(t);
  const client = connect(t, url, { token });
  const after = await positionOf(t, url, token);
  await client.create({});
  await client.update(1, { year: 1 });
  await client.delete(1);
  const events = await take(client, 3, { after });
  assert.deepEqual(
    events.map((event) => ({ ...event, position: '' })),
    ['created', 'updated', 'deleted'].map((change) => ({ position: '', id: 1, change })),
  );
  assert.deepEqual(await take(client, 2, { after: events[0]?.position ?? '' }), events.slice(1));
});

test('watch yields a reset for an unknown position', async (t) => {
  const { url, token } = await startService(t);
  const [reset] = await take(connect(t, url, { token }), 1, { after: 'unknown' });
  assert.match(reset?.position ?? '', /^[A-Za-z0-9._-]+$/);
  assert.deepEqual(reset, { position: reset?.position, reset: true });
});

describe('watch ends', () => {
  test('when the client is closed or its signal is aborted, also while it waits', async (t) => {
    const { url, token } = await startService(t);
    const client = connect(t, url, { token });
    const after = await positionOf(t, url, token);
    await client.create({});
    for (const isClosed of [true, false]) {
      const end = new AbortController();
      const events: WatchEvent[] = [];
      for await (const event of client.watch({ after, signal: end.signal })) {
        events.push(event);
        setImmediate(() => {
          if (isClosed) client.close();
          else end.abort();
        });
      }
      assert.equal(events.length, 1);
    }
    assert.deepEqual(await take(client, 1, { after, signal: AbortSignal.abort() }), []);
  });

  const failures: [code: string, what: string, listener: RequestListener][] = [
    [
      'invalid_token',
      'a refused token',
      (_, response) => response.writeHead(401).end('{"status":401,"message":"Invalid token","data":null}'),
    ],
    [
      'not_found',
      'an older service',
      (_, response) => response.writeHead(404).end('{"status":404,"message":"Not found","data":null}'),
    ],
    [
      'bad_response',
      'a page',
      (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    ],
    [
      'bad_response',
      'an endless line',
      (_, response) =>
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('x'.repeat(20_000)),
    ],
    [
      'bad_response',
      'an event that is not a change',
      (_, response) =>
        response
          .writeHead(200, { 'Content-Type': 'text/event-stream' })
          .end('id: a\nevent: change\ndata: {"id":"7","change":"created"}\n\n'),
    ],
    ['unreachable', 'a first connection that breaks', (request) => request.socket.destroy()],
  ];
  for (const [code, what, listener] of failures)
    test(`with ${code}: ${what}`, async (t) => {
      const url = await startPeer(t, listener);
      await assert.rejects(take(connect(t, url, { token: 'x' }), 1), { code });
    });

  test('with a TypeError before anything is sent, for wrong options', async (t) => {
    const client = connect(t, 'http://127.0.0.1:1');
    for (const options of [null, { after: 1 }, { after: 'a\nb' }, { signal: 1 }, { since: 'a' }])
      await assert.rejects(take(client, 1, options as never), TypeError);
  });
});

test('watch reads every form of line end, and chunks that divide anything, and skips unknown events', async (t) => {
  const text =
    ': hello\r\nretry: 5\r\nid: p0\r\n\r\nid: p1\revent: change\rdata: {"id":1,"change":"created"}\r\r' +
    'id: p2\nevent: other\ndata: é\n\nid: p3\r\nevent: change\r\ndata:{"id":2,"change":"reverted"}\r\n\r\n';
  const url = await startPeer(t, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    const bytes = [...Buffer.from(text)];
    const next = () => {
      const byte = bytes.shift();
      if (byte !== undefined) response.write(Buffer.of(byte), next);
    };
    next();
  });
  assert.deepEqual(await take(connect(t, url), 2), [
    { position: 'p1', id: 1, change: 'created' },
    { position: 'p3', id: 2, change: 'reverted' },
  ]);
});

test('watch connects again after its last position, also after a heartbeat with one', async (t) => {
  const seen: unknown[] = [];
  const url = await startPeer(t, (request, response) => {
    const after = request.headers['last-event-id'];
    seen.push(after);
    if (seen.length === 3) {
      response.writeHead(503).end('{"status":503,"message":"Service unavailable","data":null}');
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (seen.length === 1) response.write('id: a\n\n', () => response.destroy());
    else if (seen.length === 2) response.end('id: b\nevent: change\ndata: {"id":1,"change":"created"}\n\n');
    else response.write('id: c\nevent: change\ndata: {"id":2,"change":"created"}\n\n');
  });
  const events = await take(connect(t, url), 2);
  assert.deepEqual(
    events.map(({ position }) => position),
    ['b', 'c'],
  );
  assert.deepEqual(seen, [undefined, 'a', 'b', 'b']);
});

test('watch continues over a restart of the service, without losing or repeating a change', async (t) => {
  const store = await openStore('memory:');
  const start = async (port: number) => {
    const server = await createServer({
      secretToken,
      authUsername: credentials.username,
      authPassword: credentials.password,
      store,
      logger: collectInto([]),
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const close = () => new Promise((resolve) => server.close(resolve));
    return { port: (server.address() as AddressInfo).port, close };
  };
  let service = await start(0);
  const scope: Scope = t;
  scope.after(() => service.close());
  const client = connect(t, `http://127.0.0.1:${service.port}`);
  await client.login(credentials.username, credentials.password);
  const { position: after } = await store.events();
  await store.create({});
  const ids: number[] = [];
  for await (const event of client.watch({ after })) {
    if ('id' in event) ids.push(event.id);
    if (ids.length === 3) break;
    await service.close();
    await store.create({});
    service = await start(service.port);
  }
  assert.deepEqual(ids, [1, 2, 3]);
});

test('watch outlasts its token: it renews it while it reads, and connects again when the stream ends', async (t) => {
  const service = await startService(t, { databaseUrl: 'memory:' });
  const after = await positionOf(t, service.url, service.token);
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({ ...decodeJwt(service.token), iat: now + 1, exp: now + 3 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secretToken));
  const renewed: string[] = [];
  const client = connect(t, service.url, { token, onRenewed: (each: string) => void renewed.push(each) });
  const writer = connect(t, service.url, { token: service.token });
  const streamsEnded = () => service.requests.filter((line) => line.includes('"/changes"')).length - 1;
  await writer.create({});
  const ids: number[] = [];
  let isLast = false;
  for await (const event of client.watch({ after })) {
    if ('id' in event) ids.push(event.id);
    if (isLast) break;
    isLast = streamsEnded() >= 1; // One more, which arrives on the next stream.
    await writer.create({});
  }
  assert.deepEqual(
    ids,
    ids.map((_, i) => i + 1),
  );
  assert.equal(renewed.length, 1);
});
