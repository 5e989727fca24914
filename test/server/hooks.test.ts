import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { openStore, type RequestInfo, type ResponseInfo, type WatchEvent } from '../../src/index.ts';
import { credentials, startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';

/** Collects calls of a hook, and resolves when there are enough. */
function collect<Info>() {
  const calls: Info[] = [];
  let check: () => void = () => undefined;
  const hook = (info: Info) => {
    calls.push(info);
    check();
  };
  const atLeast = (count: number) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (calls.length >= count) resolve();
      };
      check();
    });
  return { calls, hook, atLeast };
}

describe('onRequest and onResponse', () => {
  test('describe every request and its response, frozen, without a query, token or body', async (t) => {
    const requests = collect<RequestInfo>();
    const responses = collect<ResponseInfo>();
    const service = await startService(t, {
      databaseUrl: 'memory:',
      onRequest: requests.hook,
      onResponse: responses.hook,
    });
    const headers = { 'X-Request-Id': 'mine' };
    await service.request('GET', '/book/7?token=s3cret', { token: service.token, headers });
    await service.request('PATCH', '/nothing');
    await responses.atLeast(3);
    const [login, ...others] = responses.calls;
    assert.deepEqual(
      [login?.method, login?.path, login?.route, login?.status],
      ['POST', '/token', '/token', 200],
    );
    const common = { address: '127.0.0.1' };
    const user = { name: credentials.username, claims: {} };
    assert.deepEqual(
      others.map(({ durationMs, ...rest }) => ({ ...rest, isTimed: durationMs > 0 })),
      [
        {
          requestId: 'mine',
          method: 'GET',
          path: '/book/7',
          ...common,
          route: '/book/{id}',
          user,
          status: 404,
          isTimed: true,
        },
        {
          requestId: requests.calls[2]?.requestId,
          method: 'PATCH',
          path: '/nothing',
          ...common,
          route: undefined,
          user: undefined,
          status: 404,
          isTimed: true,
        },
      ],
    );
    assert.deepEqual(requests.calls[1], { requestId: 'mine', method: 'GET', path: '/book/7', ...common });
    for (const info of [...requests.calls, ...responses.calls]) assert.ok(Object.isFrozen(info));
    const text = JSON.stringify([requests.calls, responses.calls]);
    for (const secret of [service.token, credentials.password, 's3cret']) assert.ok(!text.includes(secret));
  });

  test('of an event stream are told when the stream ends', async (t) => {
    const responses = collect<ResponseInfo>();
    const service = await startService(t, { databaseUrl: 'memory:', onResponse: responses.hook });
    const controller = new AbortController();
    const changes = await fetch(`${service.url}/changes`, {
      headers: { Authorization: service.token },
      signal: controller.signal,
    });
    assert.equal(changes.status, 200);
    assert.equal(responses.calls.length, 1, 'an event stream has not ended');
    controller.abort();
    await responses.atLeast(2);
    assert.deepEqual([responses.calls[1]?.route, responses.calls[1]?.status], ['/changes', 200]);
  });
});

describe('onChange', () => {
  test('announces each change of a book, in order, by any user of the store', async (t) => {
    const changes = collect<WatchEvent>();
    const store = await openStore('memory:');
    const service = await startService(t, { store, onChange: changes.hook });
    await service.request('POST', '/book', { token: service.token, body: { title: 'a' } });
    await store.update(1, { title: 'b' });
    await service.request('DELETE', '/book/1', { token: service.token });
    await service.request('POST', '/book/1/revert', { token: service.token });
    await service.request('POST', '/books', { token: service.token, body: [{}, {}] });
    await changes.atLeast(6);
    assert.deepEqual(
      changes.calls.map((event) => ('id' in event ? [event.id, event.change] : event)),
      [
        [1, 'created'],
        [1, 'updated'],
        [1, 'deleted'],
        [1, 'reverted'],
        [2, 'created'],
        [3, 'created'],
      ],
    );
    assert.ok(changes.calls.every((event) => Object.isFrozen(event)));
  });

  test('announces the last changes before close ends', async (t) => {
    const changes = collect<WatchEvent>();
    const service = await startService(t, { onChange: changes.hook });
    await service.request('POST', '/book', { token: service.token, body: {} });
    await service.close();
    assert.equal(changes.calls.length, 1);
  });

  test('says that changes are missing when the store no longer has them', async (t) => {
    const changes = collect<WatchEvent>();
    const answers = [
      { events: [], position: 'a', isCurrent: true },
      { events: undefined, position: 'b', isCurrent: true },
    ];
    const events = () => Promise.resolve(answers.shift() ?? { events: [], position: 'b', isCurrent: true });
    const store = stubStore(new Error('not this one'), { events });
    await startService(t, { store, onChange: changes.hook });
    await changes.atLeast(1);
    assert.deepEqual(changes.calls, [{ position: 'b', reset: true }]);
  });
});

test('a hook that throws or rejects is logged, and changes nothing', async (t) => {
  const service = await startService(t, {
    databaseUrl: 'memory:',
    onRequest: () => {
      throw new Error('of onRequest');
    },
    onResponse: () => Promise.reject(new Error('of onResponse')),
    onChange: (event) => {
      Object.assign(event, { id: 99 }); // Throws: it is frozen.
    },
  });
  const { status } = await service.request('POST', '/book', { token: service.token, body: {} });
  assert.equal(status, 201);
  await service.close();
  const log = service.log.join('\n');
  for (const line of [/"onRequest".*of onRequest/, /"onResponse".*of onResponse/, /"onChange".*TypeError/])
    assert.match(log, line);
});

test('hooks are not called for bytes that are not a request', async (t) => {
  const requests = collect<RequestInfo>();
  const service = await startService(t, { databaseUrl: 'memory:', onRequest: requests.hook });
  const { connect } = await import('node:net');
  const socket = connect(service.port, '127.0.0.1').end('nonsense\r\n\r\n');
  await once(socket.resume(), 'close');
  assert.equal(requests.calls.length, 1); // The login.
});
