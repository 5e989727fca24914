import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import {
  createFetchHandler,
  openStore,
  type Action,
  type Authorize,
  type FetchHandler,
  type ServerConfig,
} from '../../src/index.ts';
import { collectInto, secretToken, startService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

const passwords: Record<string, string> = { jane: 'emma', charlotte: 'rochester' };

/** A service with users of its own. */
async function open(t: Scope, config: Partial<ServerConfig> = {}) {
  const log: string[] = [];
  const handler = await createFetchHandler({
    secretToken,
    ...(config.store === undefined && { databaseUrl: 'memory:' }),
    logger: collectInto(log),
    authenticate: ({ username, password }) =>
      Promise.resolve(passwords[username] === password ? { name: username } : undefined),
    ...config,
  });
  t.after(() => handler.close());
  return { handler, log };
}

interface Sent {
  token?: string;
  body?: unknown;
  remoteAddress?: string;
}

async function send(handler: FetchHandler, request: string, { token, body, remoteAddress }: Sent = {}) {
  const [method = '', path = ''] = request.split(' ');
  const response = await handler(
    new Request(`http://x${path}`, {
      method,
      ...(token !== undefined && { headers: { Authorization: token } }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    { remoteAddress },
  );
  return { status: response.status, envelope: (await response.json()) as { message: string; data: unknown } };
}

async function logIn(handler: FetchHandler, username: string): Promise<string> {
  const body = { username, password: passwords[username] };
  const { envelope } = await send(handler, 'POST /token', { body });
  return (envelope.data as { token: string }).token;
}

describe('authenticate', () => {
  test('decides about logins, and the token names its user', async (t) => {
    const { handler } = await open(t);
    const token = await logIn(handler, 'jane');
    assert.equal(decodeJwt(token).sub, 'jane');
    assert.equal((await send(handler, 'GET /books', { token })).status, 200);
    const refused = await send(handler, 'POST /token', { body: { username: 'jane', password: 'x' } });
    assert.deepEqual([refused.status, refused.envelope.message], [401, 'Invalid credentials']);
  });

  test('receives the username, the password and the address, frozen', async (t) => {
    const received: unknown[] = [];
    const authenticate = (request: object) => {
      assert.ok(Object.isFrozen(request));
      received.push(request);
      return null;
    };
    const { handler } = await open(t, { authenticate });
    const body = { username: 'jane', password: 'emma' };
    assert.equal((await send(handler, 'POST /token', { body, remoteAddress: '10.0.0.7' })).status, 401);
    assert.deepEqual(received, [{ ...body, address: '10.0.0.7' }]);
  });

  test('renewed tokens keep their user; tokens of another issuer are not renewed', async (t) => {
    const { handler } = await open(t);
    const renewed = await send(handler, 'POST /token/renew', { token: await logIn(handler, 'jane') });
    assert.equal(decodeJwt((renewed.envelope.data as { token: string }).token).sub, 'jane');
    const token = await sign({ sub: 'jane', auth_time: Math.floor(Date.now() / 1000) });
    assert.equal((await send(handler, 'POST /token/renew', { token })).status, 401);
  });

  for (const [what, authenticate] of [
    ['that throws', () => Promise.reject(new Error('the database of users is gone'))],
    ['that returns something else', () => ({ username: 'jane' })],
  ] as [string, ServerConfig['authenticate']][])
    test(`${what} is a 500 with a line in the log`, async (t) => {
      const { handler, log } = await open(t, { authenticate });
      const { status } = await send(handler, 'POST /token', { body: { username: 'jane', password: 'emma' } });
      assert.equal(status, 500);
      assert.match(log.join(), /the database of users is gone|authenticate returned neither/);
    });

  test('wrong logins that are sent together do not all pass the limit', async (t) => {
    let count = 0;
    const authenticate = async () => {
      count++;
      await new Promise(setImmediate);
      return undefined;
    };
    const { handler } = await open(t, { authenticate });
    const body = { username: 'jane', password: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => send(handler, 'POST /token', { body })),
    );
    assert.ok(count >= 20 && count < 30, String(count));
    assert.equal(answers.filter(({ status }) => status === 429).length, 200 - count);
  });

  test('that throws counts as a failed login', async (t) => {
    const { handler } = await open(t, { authenticate: () => Promise.reject(new Error('gone')) });
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++)
      statuses.push(
        (await send(handler, 'POST /token', { body: { username: 'jane', password: 'x' } })).status,
      );
    assert.deepEqual(statuses, [...Array<number>(20).fill(500), 429, 429]);
  });

  test('that does not answer is a 503 with a line in the log, and the next login is checked', async (t) => {
    let hanging = 0;
    const authenticate: ServerConfig['authenticate'] = ({ username }) =>
      username === 'jane' ? { name: 'jane' } : new Promise(() => hanging++);
    const { handler, log } = await open(t, { authenticate });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const body = { username: 'charlotte', password: 'x' };
    const slow = Array.from({ length: 8 }, () => send(handler, 'POST /token', { body }));
    while (hanging < 8) await new Promise(setImmediate);
    const next = logIn(handler, 'jane');
    t.mock.timers.tick(10_000);
    for (const { status } of await Promise.all(slow)) assert.equal(status, 503);
    assert.equal(decodeJwt(await next).sub, 'jane');
    assert.match(log.join(), /authenticate does not answer/);
  });

  test('is not asked about a login whose client has left while it waited', async (t) => {
    const asked: string[] = [];
    const release: (() => void)[] = [];
    const authenticate: ServerConfig['authenticate'] = ({ username }) => {
      asked.push(username);
      return new Promise((resolve) => {
        release.push(() => {
          resolve({ name: username });
        });
      });
    };
    const { handler } = await open(t, { authenticate });
    const running = Array.from({ length: 8 }, () => logIn(handler, 'jane'));
    while (asked.length < 8) await new Promise(setImmediate);
    const leaving = new AbortController();
    const body = JSON.stringify({ username: 'charlotte', password: 'x' });
    handler(new Request('http://x/token', { method: 'POST', body, signal: leaving.signal })).catch(
      () => undefined,
    );
    for (let i = 0; i < 20; i++) await new Promise(setImmediate); // Its body is read.
    leaving.abort();
    for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    for (const each of release) each();
    await Promise.all(running);
    for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    assert.ok(!asked.includes('charlotte'));
  });
});

const sign = (claims: Record<string, unknown>) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(secretToken));

describe('authorize', () => {
  const requests: { request: string; action: Action; id?: number; body?: unknown }[] = [
    { request: 'GET /books', action: 'list' },
    { request: 'GET /books?q=x&limit=1', action: 'list' },
    { request: 'GET /stats', action: 'list' },
    { request: 'GET /suggest?field=author', action: 'list' },
    { request: 'GET /authors', action: 'list' },
    { request: 'GET /corrections?q=x', action: 'list' },
    { request: 'GET /duplicates', action: 'list' },
    { request: 'GET /book/1', action: 'read', id: 1 },
    { request: 'POST /book', action: 'create', body: {} },
    { request: 'POST /books', action: 'create', body: [{}] },
    { request: 'POST /books/lookup', action: 'list', body: [{}] },
    { request: 'PUT /book/1', action: 'update', id: 1, body: { title: 'x' } },
    { request: 'DELETE /book/1', action: 'delete', id: 1 },
    { request: 'GET /book/1/history', action: 'history', id: 1 },
    { request: 'POST /book/1/revert', action: 'revert', id: 1 },
    { request: 'GET /trash', action: 'trash' },
    { request: 'GET /batches', action: 'batch' },
    { request: 'GET /batch/my-batch', action: 'batch' },
    { request: 'POST /batch/my-batch/undo', action: 'undo' },
    { request: 'GET /changes', action: 'follow' },
    { request: 'POST /token/renew', action: 'renew' },
  ];

  test('is asked for each request with a token; a refusal is a 403 that changes nothing', async (t) => {
    const store = await openStore('memory:');
    await store.create({ title: 'Emma' }, { batch: 'my-batch' });
    const version = await store.version();
    const asked: unknown[] = [];
    const authorize: Authorize = (...question) => asked.push(question) < 0;
    const { handler } = await open(t, { store, authorize });
    const token = await logIn(handler, 'jane');
    for (const { request, action, id, body } of requests) {
      asked.length = 0;
      const { status, envelope } = await send(handler, request, { token, body });
      assert.deepEqual([status, envelope], [403, { status: 403, message: 'Forbidden', data: null }], request);
      assert.deepEqual(asked, [[{ name: 'jane' }, action, id]]);
    }
    assert.equal(await store.version(), version);
  });

  test('covers every operation that needs a token', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:', page: true, metrics: true });
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: object[] }>>;
    };
    const tested = requests.map(({ request }) =>
      request.replace(/\?.*/, '').replace('/1', '/{id}').replace('my-batch', '{batch}'),
    );
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, { security = [] }] of Object.entries(item))
        if (security.length > 0 && method !== 'head')
          assert.ok(tested.includes(`${method.toUpperCase()} ${path}`), `${method} ${path}`);
  });

  test('only true allows; it may be asynchronous, and a failure is a 500', async (t) => {
    const table: [answer: unknown, status: number][] = [
      [true, 200],
      [Promise.resolve(true), 200],
      [Promise.resolve(false), 403],
      [undefined, 403],
      ['yes', 403],
    ];
    for (const [answer, status] of table) {
      const { handler } = await open(t, { authorize: () => answer as boolean });
      const token = await logIn(handler, 'jane');
      assert.equal((await send(handler, 'GET /books', { token })).status, status);
    }
    const { handler, log } = await open(t, { authorize: () => Promise.reject(new Error('no rights found')) });
    assert.equal((await send(handler, 'GET /books', { token: await logIn(handler, 'jane') })).status, 500);
    assert.match(log.join(), /no rights found/);
  });

  test('is asked after the token, and before the body and the book', async (t) => {
    const { handler } = await open(t, { authorize: () => false });
    assert.equal((await send(handler, 'PUT /book/9')).status, 401);
    const token = await logIn(handler, 'jane');
    assert.equal((await send(handler, 'PUT /book/9', { token, body: 'no book' })).status, 403);
    assert.equal((await send(handler, 'PUT /book/x', { token })).status, 404, 'no book can have this id');
    assert.equal((await send(handler, 'GET /readyz')).status, 200);
  });

  test('knows the one accepted login, the subject of other issuers, and nobody with publicRead', async (t) => {
    const users: unknown[] = [];
    const service = await startService(t, {
      databaseUrl: 'memory:',
      publicRead: true,
      page: true,
      authorize: (user) => users.push(user) > 0,
    });
    for (const token of [
      service.token,
      await sign({ sub: 'reader' }),
      await sign({}),
      await sign({ sub: 5 }),
    ])
      await service.request('GET', '/books', { token });
    await service.request('GET', '/books');
    const nobody = undefined;
    assert.deepEqual(users, [{ name: 'librarian' }, { name: 'reader' }, nobody, nobody, nobody]);
  });

  test('keeps books out of the document of the page, which is sent to everybody', async (t) => {
    const store = await openStore('memory:');
    await store.create({ title: 'Northanger Abbey' });
    for (const [authorize, isShown] of [
      [undefined, true],
      [() => true, false],
    ] as [Authorize | undefined, boolean][]) {
      const { handler } = await open(t, { store, authorize, publicRead: true, page: true });
      const page = await handler(new Request('http://x/', { headers: { Accept: 'text/html' } }));
      assert.equal((await page.text()).includes('Northanger'), isShown);
    }
  });
});

describe('tokens', () => {
  const claims = { iss: 'https://books.example', aud: 'catalogue' };
  const tokens = { issuer: claims.iss, audience: claims.aud };

  test('with an issuer and an audience name both, and others are refused', async (t) => {
    const { handler } = await open(t, { tokens });
    const own = await logIn(handler, 'jane');
    assert.equal(decodeJwt(own).iss, claims.iss);
    assert.equal(decodeJwt(own).aud, claims.aud);
    const table: [token: string, status: number][] = [
      [own, 200],
      [await sign(claims), 200],
      [await sign({ ...claims, aud: ['other', 'catalogue'] }), 200],
      [await sign({}), 401],
      [await sign({ iss: claims.iss }), 401],
      [await sign({ ...claims, iss: 'other' }), 401],
      [await sign({ ...claims, aud: 'other' }), 401],
    ];
    for (const [token, status] of table)
      assert.equal((await send(handler, 'GET /books', { token })).status, status, token);
  });

  test('without them, any token with the secret is accepted', async (t) => {
    const { handler } = await open(t);
    assert.equal((await send(handler, 'GET /books', { token: await sign(claims) })).status, 200);
  });
});

describe('a configuration is refused', () => {
  const authenticate = () => undefined;
  const table: [field: string, config: object][] = [
    ['authenticate', { authenticate, authUsername: 'u', authPassword: 'p' }],
    ['authenticate', { authenticate: 'ldap' }],
    ['authUsername', {}],
    ['authPassword', { authUsername: 'u' }],
    ['authorize', { authenticate, authorize: true }],
    ['tokens', { authenticate, tokens: { iss: 'x' } }],
    ['tokens', { authenticate, tokens: { issuer: '' } }],
    ['tokens', { authenticate, tokens: 'x' }],
  ];
  for (const [field, config] of table)
    test(`${field}: ${JSON.stringify(config)}`, async () => {
      await assert.rejects(createFetchHandler({ secretToken, ...config }), {
        name: 'TypeError',
        message: new RegExp(`^config\\.${field}: `),
      });
    });
});
