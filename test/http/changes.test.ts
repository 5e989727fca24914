import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { createHandler, ShelflistError } from '../../src/index.ts';
import { openStream, type Stream } from '../support/event-stream.ts';
import { exchange } from '../support/raw.ts';
import { collectInto, credentials, secretToken, startService, type TestService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';
import { temporaryFolder } from '../support/temp.ts';

const create = async (service: TestService, count = 1) => {
  for (let i = 0; i < count; i++)
    assert.equal((await service.request('POST', '/book', { token: service.token, body: {} })).status, 201);
};
const dataOf = ({ events }: Stream) => events.map(({ data }) => data);
const created = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => ({ id: first + i, change: 'created' }));
const shortToken = (seconds: number) =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + seconds })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secretToken));

test('each kind of change is an event with a position, the id and the kind', async (t) => {
  const service = await startService(t);
  const { token } = service;
  const stream = await openStream(t, service.url, token);
  assert.equal(stream.status, 200);
  const { 'content-type': type, 'cache-control': caching, 'x-accel-buffering': buffering } = stream.headers;
  assert.deepEqual([type, caching, buffering], ['text/event-stream', 'no-store, no-transform', 'no']);
  await create(service);
  await service.request('PUT', '/book/1', { token, body: { year: 1 } });
  await service.request('DELETE', '/book/1', { token });
  const events = await stream.until(3);
  assert.deepEqual(
    events.map(({ event, data }) => [event, data]),
    ['created', 'updated', 'deleted'].map((change) => ['change', { id: 1, change }]),
  );
  for (const { id } of events) assert.match(id ?? '', /^[A-Za-z0-9._-]+$/);
});

test('a stream begins now, and sends its position at once', async (t) => {
  const service = await startService(t);
  await create(service, 3);
  const stream = await openStream(t, service.url, service.token);
  const begun = stream.lastId();
  await create(service, 2);
  assert.deepEqual(await stream.until(2).then(() => dataOf(stream)), created(4, 5));
  const again = await openStream(t, service.url, service.token, { after: begun });
  await again.until(2);
  assert.deepEqual(again.events, stream.events);
});

describe('Last-Event-ID', () => {
  test('continues after any event, whether the service remembers it or reads it from the store', async (t) => {
    const service = await startService(t);
    const first = await openStream(t, service.url, service.token);
    const begun = first.lastId();
    await create(service, 3);
    const events = [...(await first.until(3))];
    const positions = [begun, ...events.map(({ id = '' }) => id)];
    for (const isRemembered of [true, false]) {
      if (!isRemembered) {
        first.close();
        await first.ended;
      }
      for (const [i, after] of positions.entries()) {
        const stream = await openStream(t, service.url, service.token, { after });
        await create(service);
        const rest = 3 - i + (isRemembered ? 0 : positions.length) + i + 1;
        const all = await stream.until(rest);
        assert.deepEqual(all.slice(0, 3 - i), events.slice(i));
        assert.equal(new Set(all.map(({ id }) => id)).size, rest, 'none twice');
        stream.close();
        await stream.ended;
      }
    }
  });

  test('of an unknown position is followed by a reset, then by new changes', async (t) => {
    const service = await startService(t);
    for (const text of ['never', 'AAAA.1', '%00', 'x'.repeat(2000), 'ä']) {
      const after = Buffer.from(text).toString('latin1');
      const stream = await openStream(t, service.url, service.token, { after });
      const [reset] = await stream.until(1);
      assert.equal(reset?.event, 'reset', text);
      assert.deepEqual(reset.data, {});
      await create(service);
      const events = await stream.until(2);
      assert.equal(events[1]?.event, 'change');
      const again = await openStream(t, service.url, service.token, { after: reset.id ?? '' });
      assert.deepEqual((await again.until(1))[0], events[1]);
      stream.close();
      again.close();
    }
  });
});

test('a stream does not send the position of a change before the change', async (t) => {
  const service = await startService(t);
  const first = await openStream(t, service.url, service.token);
  const after = first.lastId();
  await create(service, 3);
  await first.until(3);
  first.close();
  await first.ended;
  const head = `Host: x\r\nAuthorization: ${await shortToken(1)}\r\nLast-Event-ID: ${after}\r\n`;
  const text = await exchange(service.port, `GET /changes HTTP/1.0\r\n${head}\r\n`);
  const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
  assert.deepEqual(ids.slice(0, 4), [after, ...first.events.map(({ id }) => id)]);
});

test('a stream does not repeat a position that the store does not know', async (t) => {
  const service = await startService(t);
  for (const after of ['never', 'AAAA.1', '%00']) {
    const head = `Host: x\r\nAuthorization: ${await shortToken(1)}\r\nLast-Event-ID: ${after}\r\n`;
    const text = await exchange(service.port, `GET /changes HTTP/1.0\r\n${head}\r\n`);
    assert.match(text, /^event: reset$/m);
    assert.doesNotMatch(text, new RegExp(`^id: ${after}$`, 'm'));
  }
});

test('two services on one store: readers of each see the changes by both, in the same order', async (t) => {
  const databaseUrl = `file:${join(await temporaryFolder(t), 'data')}`;
  const services = [await startService(t, { databaseUrl }), await startService(t, { databaseUrl })];
  const streams = await Promise.all(services.map(({ url, token }) => openStream(t, url, token)));
  await Promise.all(services.map((service) => create(service, 10)));
  const [one, two] = await Promise.all(streams.map((stream) => stream.until(20)));
  assert.deepEqual(one, two);
  assert.equal(new Set(one?.map(({ id }) => id)).size, 20);
});

describe('errors before the stream are in the envelope', () => {
  test('no token, and an invalid one', async (t) => {
    const service = await startService(t);
    assert.equal(
      (await service.request('GET', '/changes')).envelope?.message,
      'Authorization token required',
    );
    const { envelope } = await service.request('GET', '/changes', { token: 'x' });
    assert.deepEqual(envelope, { status: 401, message: 'Invalid token', data: null });
  });

  test('a store that does not answer', async (t) => {
    const service = await startService(t, { store: stubStore(new ShelflistError('unavailable')) });
    for (const headers of [{}, { 'Last-Event-ID': 'x' }]) {
      const answer = await service.request('GET', '/changes', { token: service.token, headers });
      assert.deepEqual(answer.envelope, { status: 503, message: 'Service unavailable', data: null });
      assert.equal(answer.headers['retry-after'], '5');
    }
  });

  test('another method', async (t) => {
    const service = await startService(t);
    const { status, headers } = await service.request('POST', '/changes', { token: service.token });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS']);
  });
});

test('HEAD has the headers of GET and ends at once', async (t) => {
  const service = await startService(t);
  const { status, headers, text } = await service.request('HEAD', '/changes', { token: service.token });
  assert.deepEqual([status, headers['content-type'], text], [200, 'text/event-stream', '']);
});

test('a client with HTTP/1.0 gets the events without chunks, until the stream ends', async (t) => {
  const service = await startService(t);
  const received = exchange(
    service.port,
    `GET /changes HTTP/1.0\r\nAuthorization: ${await shortToken(1)}\r\n\r\n`,
  );
  const other = await openStream(t, service.url, service.token);
  await create(service);
  await other.until(1);
  const [head = '', body = ''] = (await received).split('\r\n\r\n');
  assert.doesNotMatch(head, /chunked/i);
  assert.match(body, /^retry: \d+\nid: \S+\n\n/);
});

test('a stream ends when its token expires', async (t) => {
  const service = await startService(t);
  const token = await shortToken(1);
  const stream = await openStream(t, service.url, token);
  await stream.ended;
  assert.ok(Date.now() / 1000 >= (decodeJwt(token).exp ?? Infinity));
  assert.ok(stream.response.complete, 'it ends properly');
});

test('closing the service ends its streams at once and properly', async (t) => {
  const service = await startService(t);
  const streams = await Promise.all(
    [1, 2, 3].map(() => openStream(t, service.url, service.token, { agent: new http.Agent() })),
  );
  await service.close();
  await Promise.all(streams.map(({ ended }) => ended));
  assert.ok(streams.every(({ response }) => response.complete));
});

test('closing a handler ends its streams', async (t) => {
  const handler = await createHandler({
    secretToken,
    authUsername: credentials.username,
    authPassword: credentials.password,
    databaseUrl: 'memory:',
    logger: collectInto([]),
  });
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const stream = await openStream(t, `http://127.0.0.1:${port}`, await shortToken(60));
  await handler.close();
  await stream.ended;
  assert.ok(stream.response.complete);
});

test('a request behind a stream on one connection is answered after its end', async (t) => {
  const service = await startService(t);
  const head = `Host: x\r\nAuthorization: ${await shortToken(1)}\r\n`;
  const text = await exchange(
    service.port,
    `GET /changes HTTP/1.1\r\n${head}\r\nGET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  assert.match(text, /^HTTP\/1\.1 200 OK[^]*\r\n0\r\n\r\nHTTP\/1\.1 200 OK[^]*"Alive"/);
});

test('a stream is measured when it begins, and logged when it ends', async (t) => {
  const service = await startService(t, { metrics: true });
  const stream = await openStream(t, service.url, service.token);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(metrics, /requests_total\{method="GET",route="\/changes",status="200"\} 1\n/);
  assert.ok(!service.requests.some((line) => line.includes('/changes')));
  stream.close();
  await service.close();
  assert.equal(service.requests.filter((line) => line.includes('/changes')).length, 1);
  assert.deepEqual(service.log, []);
});
