import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { after, describe, test } from 'node:test';
import { SignJWT, type JWTPayload } from 'jose';
import { openStore } from '../../src/index.ts';
import {
  credentials,
  embeddedStore,
  secretToken,
  startService,
  type TestService,
} from '../support/service.ts';

const service = await startService({ after }, { databaseUrl: 'memory:' });
const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };
const ndjson = { 'Content-Type': 'application/x-ndjson' };

let keys = 0;
const newKey = () => `key-${++keys}`;

async function post(path: string, key: string, body: unknown, headers: object = {}, to = service) {
  const {
    status,
    headers: received,
    envelope,
  } = await to.request('POST', path, {
    token: to.token,
    body,
    headers: { 'Idempotency-Key': key, ...headers },
  });
  return {
    status,
    message: envelope?.message,
    data: envelope?.data,
    replayed: received['idempotency-replayed'],
    retryAfter: received['retry-after'],
  };
}

/** A token as another issuer with the secret makes it. */
function signed(payload: JWTPayload): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5 minutes')
    .sign(new TextEncoder().encode(secretToken));
}

async function countBooks(from = service): Promise<number> {
  const { envelope } = await from.request('GET', '/books', { token: from.token });
  return (envelope?.data as unknown[]).length;
}

describe('POST /book with an Idempotency-Key', () => {
  test('gives a repeat the same status and data, and stores nothing', async () => {
    const key = newKey();
    const first = await post('/book', key, emma);
    assert.deepEqual(
      [first.status, first.message, first.replayed],
      [201, 'Book created successfully', undefined],
    );
    const before = await countBooks();
    assert.deepEqual(await post('/book', key, emma), { ...first, replayed: 'true' });
    assert.equal(await countBooks(), before);
  });

  test('gives it the book of the first time after that was changed and deleted', async () => {
    const key = newKey();
    const first = await post('/book', key, emma);
    const path = `/book/${(first.data as { id: number }).id}`;
    const { token } = service;
    await service.request('PUT', path, { token, body: { year: 1 } });
    assert.deepEqual((await post('/book', key, emma)).data, first.data);
    await service.request('DELETE', path, { token });
    assert.deepEqual(await post('/book', key, emma), { ...first, replayed: 'true' });
    assert.equal((await service.request('GET', path, { token })).status, 404);
  });

  test('ignores quotes around the key', async () => {
    const key = newKey();
    const { data } = await post('/book', key, emma);
    assert.deepEqual(await post('/book', `"${key}"`, emma), { ...(await post('/book', key, emma)), data });
  });

  test('refuses the key with another body or path (422), and stores nothing', async () => {
    const key = newKey();
    await post('/book', key, emma);
    const before = await countBooks();
    for (const [path, body] of [
      ['/book', { ...emma, year: 1816 }],
      ['/book', ` ${JSON.stringify(emma)}`],
      ['/books', [emma]],
    ] as const) {
      const { status, message, data } = await post(path, key, body);
      assert.deepEqual([status, message, data], [422, 'Idempotency key reused', null]);
    }
    for (const [type, status] of [
      ['text/plain', 422],
      ['Application/JSON; charset=utf-8', 201],
    ] as const)
      assert.equal((await post('/book', key, emma, { 'Content-Type': type })).status, status, type);
    assert.equal(await countBooks(), before);
  });

  test('keeps no key of a request that was refused', async () => {
    const key = newKey();
    assert.equal((await post('/book', key, { title: 7 })).status, 400);
    assert.equal((await post('/book', key, 'not JSON')).status, 400);
    assert.deepEqual((await post('/book', key, emma)).status, 201);
  });

  for (const key of ['', 'with space', 'é', 'x'.repeat(65), '""'])
    test(`refuses the malformed key ${JSON.stringify(key.slice(0, 20))}: 400, before the body`, async () => {
      const { status, message } = await post('/book', key, 'not JSON');
      assert.deepEqual([status, message], [400, 'Invalid query']);
    });

  for (const key of ['!', 'in"side', '~'.repeat(64), `"${'x'.repeat(64)}"`])
    test(`accepts the key ${key.slice(0, 3)} of ${key.length} characters`, async () => {
      assert.equal((await post('/book', key, emma)).status, 201);
    });

  test('is 401 without a token, whatever the key', async () => {
    const { status, envelope } = await service.request('POST', '/book', {
      headers: { 'Idempotency-Key': 'with space' },
      body: emma,
    });
    assert.deepEqual([status, envelope?.message], [401, 'Authorization token required']);
  });
});

describe('while the first request with a key is in flight', () => {
  /** Begins a request whose body ends later. */
  async function begin(to: TestService, key: string) {
    const request = http.request(`${to.url}/book`, {
      method: 'POST',
      agent: false,
      headers: {
        Authorization: to.token,
        'Idempotency-Key': key,
        'Content-Length': 2,
        Expect: '100-continue',
      },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    await once(request, 'continue');
    return request;
  }

  test('another one is 409 with Retry-After; after it, a replay', async () => {
    const key = newKey();
    const request = await begin(service, key);
    const { status, message, data, retryAfter } = await post('/book', key, '{}');
    assert.deepEqual([status, message, data, retryAfter], [409, 'Request in progress', null, '1']);
    request.end('{}');
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, 201);
    await once(response, 'end');
    assert.deepEqual((await post('/book', key, '{}')).replayed, 'true');
  });

  test('one whose client leaves before the end of the body keeps no key', async () => {
    const key = newKey();
    const request = await begin(service, key);
    request.destroy();
    for (;;) {
      const { status } = await post('/book', key, emma);
      if (status === 201) break;
      assert.equal(status, 409);
    }
  });
});

describe('POST /books with an Idempotency-Key', () => {
  test('gives a repeat the same ids, rejections and batch, and stores nothing', async () => {
    for (const [body, headers] of [
      [[emma, { title: 7 }, {}], {}],
      ['{"title":"A"}\n7\n', ndjson],
      [[], {}],
      [[7], {}],
    ] as const) {
      const key = newKey();
      const first = await post('/books', key, body, headers);
      assert.deepEqual([first.status, first.message, first.replayed], [200, 'Books imported', undefined]);
      const before = await countBooks();
      assert.deepEqual(await post('/books', key, body, headers), { ...first, replayed: 'true' });
      assert.equal(await countBooks(), before);
    }
  });

  test('stores the chunks that the first attempt did not, once', async (t) => {
    const store = await openStore('memory:');
    let calls = 0;
    const failing = await startService(t, {
      store: {
        ...store,
        createMany: (books, options) =>
          ++calls === 2 ? Promise.reject(new Error('the disk is gone')) : store.createMany(books, options),
      },
    });
    const key = newKey();
    const books = Array.from({ length: 2500 }, (_, year) => ({ year }));
    assert.equal((await post('/books', key, books, {}, failing)).status, 500);
    assert.equal(await countBooks(failing), 1000);
    const { status, data, replayed } = await post('/books', key, books, {}, failing);
    assert.deepEqual([status, replayed], [200, undefined]);
    const { ids, batch } = data as { ids: number[]; batch: string };
    assert.deepEqual(
      ids,
      Array.from(ids, (_, i) => i + 1),
    );
    assert.deepEqual([ids.length, await countBooks(failing)], [2500, 2500]);
    assert.equal((await store.batch(batch))?.created, 2500);
    assert.deepEqual((await post('/books', key, books, {}, failing)).data, data);
  });
});

describe('the idempotency keys of one user', () => {
  test('are recognised after a password change and a restart, with the old token and a new one', async (t) => {
    const store = await openStore('memory:');
    const before = await startService(t, { store });
    const first = await post('/book', 'the-key', emma, {}, before);
    const after = await startService(t, { store, authPassword: 'another password' });
    for (const each of [before.token, after.token])
      assert.deepEqual(await post('/book', 'the-key', emma, {}, { ...after, token: each }), {
        ...first,
        replayed: 'true',
      });
  });

  test('are shared with tokens of another issuer that have no name, or the name of the login', async () => {
    const key = newKey();
    const first = await post('/book', key, emma);
    for (const payload of [{}, { sub: credentials.username }])
      assert.deepEqual(await post('/book', key, emma, {}, { ...service, token: await signed(payload) }), {
        ...first,
        replayed: 'true',
      });
    const other = await post('/book', key, emma, {}, { ...service, token: await signed({ sub: 'ada' }) });
    assert.notDeepEqual(other.data, first.data);
  });

  test('are honoured if an earlier build stored them', async (t) => {
    const store = await openStore((await embeddedStore(t)).databaseUrl);
    t.after(() => store.close());
    const own = await startService(t, { store });
    const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');
    const books = Array.from({ length: 1001 }, (_, year) => ({ ...emma, year }));
    const array = JSON.stringify(books);
    const lines = books.map((book) => JSON.stringify(book)).join('\n');
    for (const [type, body] of [
      ['application/json', array],
      ['application/x-www-form-urlencoded', array], // curl -d
      ['application/x-ndjson', lines],
    ] as const) {
      const headers = { 'Content-Type': type };
      const digest = digestOf(`/books\0${body}`);
      const [ofLogin, withoutName] = [newKey(), newKey()];
      for (const [key, stored] of [
        [ofLogin, digestOf(`${credentials.username}\0${ofLogin}`)],
        [withoutName, withoutName],
      ] as const) {
        await store.createMany(books.slice(0, 1000), { idempotencyKey: { key: stored, digest } });
        await store.createMany(books.slice(1000), { idempotencyKey: { key: `${stored}#1`, digest } });
        const before = await countBooks(own);
        assert.equal((await post('/books', key, body, headers, own)).replayed, 'true', type);
        assert.equal(await countBooks(own), before);
      }
    }
  });
});

test('no client can choose the key of a chunk of an import', async () => {
  const token = await signed({});
  const key = newKey();
  const own = { ...service, token };
  assert.equal((await post('/book', `${key}#1`, emma, {}, own)).status, 201);
  const books = Array.from({ length: 1001 }, (_, year) => ({ year }));
  assert.equal((await post('/books', key, books, {}, own)).status, 200);
});

test('a user never gets the answer of another one with the same key', async (t) => {
  const own = await startService(t, {
    databaseUrl: 'memory:',
    authUsername: undefined,
    authPassword: undefined,
    authenticate: ({ username }) => ({ name: username }),
  });
  const tokenOf = async (username: string) => {
    const { envelope } = await own.request('POST', '/token', { body: { username, password: 'any' } });
    return (envelope?.data as { token: string }).token;
  };
  for (const [user, id] of [
    ['ada', 1],
    ['bob', 2],
    ['ada', 1],
  ] as const) {
    const { data } = await post('/book', 'the-key', emma, {}, { ...own, token: await tokenOf(user) });
    assert.deepEqual(data, { id, ...emma });
  }
});
