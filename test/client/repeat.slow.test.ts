import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createClient, openStore, ShelflistError } from '../../src/index.ts';
import type { Fetch } from '../../src/client/index.ts';
import { connect } from '../support/client.ts';
import { credentials, startService } from '../support/service.ts';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** What happens to the answer of an attempt: it is passed on, lost after the service gave it, or replaced by a 503. */
type Fate = 'passed' | 'lost' | 'unavailable';

/** A `fetch` that decides the fate of the answers to creates, and remembers their keys. The last fate goes on. */
function losing(...fates: Fate[]) {
  const keys: (string | undefined)[] = [];
  const send: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== 'POST' || url.endsWith('/token')) return response;
    const fate = fates[Math.min(keys.length, fates.length - 1)];
    keys.push(init.headers['Idempotency-Key']);
    if (fate === 'lost') throw new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } });
    if (fate === 'passed') return response;
    return Response.json({ status: 503, message: 'Service unavailable', data: null }, { status: 503 });
  };
  return { fetch: send, keys };
}

describe('a create whose answer is lost', () => {
  for (const fates of [
    ['lost', 'passed'],
    ['unavailable', 'lost', 'unavailable', 'passed'],
  ] satisfies Fate[][])
    test(`is repeated with the same key, and stores one book: ${fates.join(', ')}`, async (t) => {
      const { url, token } = await startService(t, { databaseUrl: 'memory:' });
      const { fetch, keys } = losing(...fates);
      const client = connect(t, url, { token, fetch });
      assert.deepEqual(await client.create(emma), { id: 1, ...emma });
      assert.equal(keys.length, fates.length);
      assert.equal(new Set(keys).size, 1);
      assert.match(keys[0] ?? '', /^[!-~]{1,64}$/);
      assert.deepEqual(await client.list(), [{ id: 1, ...emma }]);
    });

  test('fails after three repeats, and stores one book', async (t) => {
    const { url, token } = await startService(t, { databaseUrl: 'memory:' });
    const { fetch, keys } = losing('lost');
    const client = connect(t, url, { token, fetch });
    await assert.rejects(client.create(emma), { code: 'unreachable' });
    assert.equal(keys.length, 4);
    assert.equal((await client.list()).length, 1);
  });

  test('of many books is repeated, too', async (t) => {
    const { url, token } = await startService(t, { databaseUrl: 'memory:' });
    const { fetch } = losing('lost', 'passed');
    const client = connect(t, url, { token, fetch });
    const { ids } = await client.createMany([emma, {}]);
    assert.deepEqual([ids, (await client.list()).length], [[1, 2], 2]);
  });

  test('is not repeated after a logout: the service tells the keys of users apart', async (t) => {
    const { url, token } = await startService(t, { databaseUrl: 'memory:' });
    const { fetch, keys } = losing('lost', 'passed');
    const losingLogin: Fetch = (address, init) =>
      fetch(address, init).catch(async (error: unknown) => {
        client.logout();
        await client.login(credentials.username, credentials.password);
        throw error;
      });
    const client = connect(t, url, { token, fetch: losingLogin });
    await assert.rejects(client.create(emma), { code: 'unreachable' });
    assert.equal(keys.length, 1);
  });

  test('is continued by a later call with the key that it chose', async (t) => {
    const { url, token } = await startService(t, { databaseUrl: 'memory:' });
    const [first, second] = [losing('lost'), losing('passed')].map(({ fetch }) =>
      connect(t, url, { token, fetch }),
    );
    const options = { idempotencyKey: 'chunk-7' };
    await assert.rejects(async () => first?.createMany([emma], options), { code: 'unreachable' });
    assert.deepEqual((await second?.createMany([emma], options))?.ids, [1]);
  });
});

describe('before a repeat, a client waits', () => {
  /** A client whose first create is refused for ten minutes, and its clock. */
  async function refusedOnce(t: TestContext) {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let calls = 0;
    const client = createClient({
      token: 'first',
      fetch: () => {
        const status = calls++ === 0 ? 503 : 200;
        const data = status === 200 ? { id: 1, ...emma } : null;
        const message = status === 200 ? 'Book retrieved successfully' : 'Service unavailable';
        return Promise.resolve(
          Response.json({ status, message, data }, { status, headers: { 'Retry-After': '600' } }),
        );
      },
    });
    const settle = async () => {
      for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    };
    const creating = client.create(emma);
    creating.catch(() => undefined);
    await settle();
    const pass = async (ms: number) => {
      t.mock.timers.tick(ms);
      await settle();
    };
    return { client, creating, pass, calls: () => calls };
  }

  test('two seconds at most, whatever Retry-After asks for', async (t) => {
    const { creating, pass, calls } = await refusedOnce(t);
    await pass(1999);
    assert.equal(calls(), 1);
    await pass(1);
    assert.equal(calls(), 2);
    assert.deepEqual(await creating, { id: 1, ...emma });
  });

  test('and does not repeat it as another user', async (t) => {
    const { client, creating, pass, calls } = await refusedOnce(t);
    client.logout();
    await pass(2000);
    assert.equal(calls(), 1);
    await assert.rejects(creating, { code: 'unavailable' });
  });
});

test('different creates have different keys', async (t) => {
  const { url, token } = await startService(t, { databaseUrl: 'memory:' });
  const { fetch, keys } = losing('passed');
  const client = connect(t, url, { token, fetch });
  await Promise.all([client.create(emma), client.create(emma), client.createMany([emma])]);
  assert.equal(new Set(keys).size, 3);
});

test('a refused create is not repeated, and neither is an update', async (t) => {
  const { url, token } = await startService(t, { databaseUrl: 'memory:' });
  let calls = 0;
  const count: Fetch = (address, init) => {
    calls++;
    if (init.method === 'PUT') return Promise.reject(new TypeError('reset'));
    return fetch(address, { ...init, body: '{"year":1.5}' }); // The client sends no such body by itself.
  };
  const client = connect(t, url, { token, fetch: count });
  await assert.rejects(client.create({ year: 1 }), { code: 'invalid_input' });
  await assert.rejects(client.update(1, { year: 1 }), { code: 'unreachable' });
  assert.equal(calls, 2);
});

test('after a broken connection, a refused one is repeated, too: the service may be starting', async (t) => {
  const { url, token } = await startService(t, { databaseUrl: 'memory:' });
  const codes = ['ECONNRESET', 'ECONNREFUSED', 'ECONNREFUSED'];
  const client = connect(t, url, {
    token,
    fetch: (address: string, init: RequestInit) => {
      const code = codes.shift();
      return code === undefined
        ? fetch(address, init)
        : Promise.reject(new TypeError('fetch failed', { cause: { code } }));
    },
  });
  assert.deepEqual(await client.create(emma), { id: 1, ...emma });
});

test('a create that was never sent is not repeated', async () => {
  let calls = 0;
  const client = createClient({
    fetch: () => {
      calls++;
      return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }));
    },
  });
  await assert.rejects(client.create(emma), { code: 'unreachable' });
  assert.equal(calls, 1);
});

for (const [how, end] of [
  [
    'its signal',
    (abort: AbortController) => {
      abort.abort(new Error('enough'));
    },
  ],
  [
    'close()',
    (_: AbortController, close: () => void) => {
      close();
    },
  ],
] as const)
  test(`${how} ends the wait for a repeat`, async () => {
    const abort = new AbortController();
    let calls = 0;
    const client = createClient({
      fetch: () => {
        calls++;
        setImmediate(() => {
          end(abort, () => {
            client.close();
          });
        });
        return Promise.reject(new TypeError('reset'));
      },
    });
    await assert.rejects(client.create(emma, { signal: abort.signal }));
    assert.equal(calls, 1);
  });

test('a request with the key of another one fails with key_reused', async (t) => {
  const { url, token } = await startService(t, { databaseUrl: 'memory:' });
  const client = connect(t, url, { token });
  await client.create(emma, { idempotencyKey: 'key' });
  await assert.rejects(client.create({}, { idempotencyKey: 'key' }), { code: 'key_reused' });
  await assert.rejects(client.create({}, { idempotencyKey: 'with space' }), TypeError);
});

test('lookup returns the book of each element', async (t) => {
  const { url, token } = await startService(t, { store: await openStore('memory:') });
  const client = connect(t, url, { token });
  const book = await client.create(emma);
  assert.deepEqual(await client.lookup([{ id: 1 }, { ...emma, title: 'EMMA' }, { id: 2 }, {}]), [
    book,
    book,
    undefined,
    undefined,
  ]);
  await assert.rejects(client.lookup(Array<object>(1001).fill({})), (error: unknown) => {
    return error instanceof ShelflistError && error.code === 'body_too_large';
  });
});
