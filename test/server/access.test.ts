import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import {
  createFetchHandler,
  openStore,
  type Action,
  type Authorize,
  type FetchHandler,
  type Authenticate,
} from '../../src/index.ts';
import type { AnyIdentify } from '../../src/server/routes/access.ts';
import { collectInto, secretToken, startService } from '../support/service.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';
import type { AnyConfig } from '../../src/server/config.ts';
import type { HandlerConfig } from '../../src/index.ts';
import { storeGroups } from '../../src/store/contract/store.ts';

const passwords: Record<string, string> = { jane: 'emma', charlotte: 'rochester' };

/** A service with users of its own. */
async function open(t: Scope, config: Partial<AnyConfig> = {}) {
  const log: string[] = [];
  const handler = await createFetchHandler({
    secretToken,
    ...(config.store === undefined && { databaseUrl: 'memory:' }),
    logger: collectInto(log),
    authenticate: ({ username, password }) =>
      Promise.resolve(passwords[username] === password ? { name: username } : undefined),
    ...config,
  } as HandlerConfig<object, Request>);
  t.after(() => handler.close());
  return { handler, log };
}

interface Sent {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

async function send(
  handler: FetchHandler,
  request: string,
  { token, body, headers, remoteAddress }: Sent = {},
) {
  const [method = '', path = ''] = request.split(' ');
  const response = await handler(
    new Request(`http://x${path}`, {
      method,
      headers: { ...headers, ...(token !== undefined && { Authorization: token }) },
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

  test('names its users in the history of a book and in batches', async (t) => {
    const { handler } = await open(t);
    const [jane, charlotte] = [await logIn(handler, 'jane'), await logIn(handler, 'charlotte')];
    const headers = { 'Content-Type': 'application/json', Batch: 'batch-of-charlotte' };
    await send(handler, 'POST /book', { token: jane, body: { title: 'Emma' }, headers });
    await send(handler, 'PUT /book/1', { token: charlotte, body: { year: 1815 }, headers });
    const [history, batch] = [
      await send(handler, 'GET /book/1/history', { token: jane }),
      await send(handler, 'GET /batch/batch-of-charlotte?books=1', { token: jane }),
    ];
    assert.equal((history.envelope.data as { user: string }[])[0]?.user, 'charlotte');
    assert.equal((batch.envelope.data as { books: { user: string }[] }).books[0]?.user, 'charlotte');
  });

  test('receives the username, the password and the address, frozen', async (t) => {
    const received: unknown[] = [];
    const authenticate: Authenticate = (request) => {
      assert.ok(Object.isFrozen(request));
      const { signal, ...login } = request;
      assert.ok(signal instanceof AbortSignal);
      received.push(login);
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
  ] as [string, Authenticate][])
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
    const failed = answers.filter(({ status }) => status === 401).length;
    assert.ok(failed >= 20 && failed < 23, String(failed)); // One comes back every 3 s.
    assert.ok(answers.every(({ status }) => status === 401 || status === 429));
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
    const signals: AbortSignal[] = [];
    const authenticate: Authenticate = ({ username, signal }) => {
      signals.push(signal);
      return username === 'jane' ? { name: 'jane' } : new Promise(() => hanging++);
    };
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
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [...Array<boolean>(8).fill(true), false],
    );
  });

  test('is not asked about a login whose client has left while it waited', async (t) => {
    const asked: string[] = [];
    const release: (() => void)[] = [];
    const authenticate: Authenticate = ({ username }) => {
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
    { request: 'POST /token/code', action: 'renew' },
    { request: 'GET /backup', action: 'backup' },
  ];

  test('is asked for each request with a token; a refusal is a 403 that changes nothing', async (t) => {
    const store = await openStore('memory:');
    await store.create({ title: 'Emma' }, { batch: 'my-batch' });
    const version = await store.version();
    const asked: unknown[] = [];
    const authorize: Authorize = (asks) => asked.push(asks) < 0;
    const { handler } = await open(t, { store, tokens: { audience: 'books' }, authorize });
    const token = await logIn(handler, 'jane');
    for (const { request, action, id, body } of requests) {
      asked.length = 0;
      const { status, envelope } = await send(handler, request, { token, body });
      assert.deepEqual([status, envelope], [403, { status: 403, message: 'Forbidden', data: null }], request);
      assert.deepEqual(asked, [{ user: { name: 'jane', claims: {} }, action, id }]);
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
      authorize: ({ user }) => users.push(user?.name) > 0,
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
    assert.deepEqual(users, ['librarian', 'reader', nobody, nobody, nobody]);
  });

  test('keeps books out of the document of the page, which is sent to everybody', async (t) => {
    const store = await openStore('memory:');
    await store.create({ title: 'Northanger Abbey' });
    for (const [authorize, isShown] of [
      [undefined, true],
      [() => true, false],
    ] as [Authorize | undefined, boolean][]) {
      const { handler } = await open(t, {
        store,
        tokens: { audience: 'books' },
        authorize,
        publicRead: true,
        page: true,
      });
      const page = await handler(new Request('http://x/', { headers: { Accept: 'text/html' } }));
      assert.equal((await page.text()).includes('Northanger'), isShown);
    }
  });
});

describe('claims of the app', () => {
  interface Rights {
    readonly canWrite: boolean;
  }

  test('travel in the token, and in a renewed one, to authorize and the hooks', async (t) => {
    const seen: unknown[] = [];
    const handler = await createFetchHandler<Rights>({
      secretToken,
      databaseUrl: 'memory:',
      authenticate: ({ username }) => ({ name: username, claims: { canWrite: username === 'jane' } }),
      authorize: ({ user, action }) => user?.claims.canWrite === true || ['list', 'renew'].includes(action),
      onResponse: ({ user }) => seen.push(user),
    });
    t.after(() => handler.close());
    for (const [username, status] of [
      ['jane', 201],
      ['anne', 403],
    ] as const) {
      const { envelope } = await send(handler, 'POST /token', { body: { username, password: 'x' } });
      const { token } = envelope.data as { token: string };
      assert.equal((await send(handler, 'POST /book', { token, body: {} })).status, status);
      const renewed = await send(handler, 'POST /token/renew', { token });
      const { token: next } = renewed.envelope.data as { token: string };
      seen.length = 0;
      assert.equal((await send(handler, 'POST /book', { token: next, body: {} })).status, status);
      assert.deepEqual(seen, [{ name: username, claims: { canWrite: username === 'jane' } }]);
    }
  });

  for (const claims of ['x', [], { x: 'y'.repeat(4000) }, { x: '漢'.repeat(1400) }])
    test(`that no token can carry are a 500: ${JSON.stringify(claims).slice(0, 20)}`, async (t) => {
      const authenticate = () => ({ name: 'jane', claims }) as never;
      const { handler, log } = await open(t, { authenticate });
      const { status } = await send(handler, 'POST /token', { body: { username: 'jane', password: 'x' } });
      assert.equal(status, 500);
      assert.match(log.join(), /authenticate returned claims that are not an object/);
    });
});

describe('a stream of changes ends, though its response began before,', () => {
  interface Rights {
    user: string | undefined;
    isAllowed: boolean;
    fails: boolean;
  }
  const byToken = { Authorization: '' };
  const table: [when: string, change: Partial<Rights>, headers?: Record<string, string>][] = [
    ['when the session of its user has ended', { user: undefined }],
    ['when another user has the session', { user: 'charlotte' }],
    ['when the app cannot say who it is', { fails: true }],
    ['when `authorize` refuses its user', { isAllowed: false }],
    ['when `authorize` refuses a user with a token', { isAllowed: false }, byToken],
  ];
  for (const [when, change, headers] of table) {
    test(when, async (t) => {
      const rights: Rights = { user: 'jane', isAllowed: true, fails: false };
      const { handler } = await open(t, {
        identify: ({ headers: { authorization } }) => {
          if (rights.fails) throw new Error('no sessions');
          return authorization === undefined && rights.user !== undefined ? { name: rights.user } : undefined;
        },
        authorize: () => rights.isAllowed,
      });
      const token = headers && (await logIn(handler, 'jane'));
      t.mock.timers.enable({ apis: ['setInterval'] });
      const response = await handler(
        new Request('http://x/changes', {
          headers: { ...(token !== undefined && { Authorization: token }) },
        }),
      );
      const reader = response.body?.getReader();
      assert.ok(reader);
      /** Lets time pass until something arrives, at least a heartbeat; `false` at the end. */
      const arrives = async () => {
        const state = { isOver: false };
        const reading = reader.read().finally(() => (state.isOver = true));
        while (!state.isOver) {
          t.mock.timers.tick(15_000);
          await new Promise(setImmediate);
        }
        return !(await reading).done;
      };
      for (let i = 0; i < 5; i++) assert.ok(await arrives(), 'while nothing has changed');
      Object.assign(rights, change);
      while (await arrives());
    });
  }
});

describe('identify', () => {
  const identify: AnyIdentify = ({ headers }) =>
    headers.cookie === 'session=jane' ? { name: 'jane', claims: { from: 'session' } } : undefined;
  const session = { Cookie: 'session=jane' };

  test('says who asks, without a token; onChange names the user', async () => {
    const [changes, users]: [unknown[], unknown[]] = [[], []];
    const handler = await createFetchHandler({
      databaseUrl: 'memory:',
      identify,
      authorize: ({ user }) => users.push(user) > 0,
      onChange: (event) => changes.push('change' in event && [event.id, event.change, event.user]),
    });
    const created = await send(handler, 'POST /book', { body: { title: 'Emma' }, headers: session });
    assert.equal(created.status, 201);
    assert.equal((await send(handler, 'PUT /book/1', { body: { year: 1 }, headers: session })).status, 200);
    await handler.close();
    assert.deepEqual(changes, [
      [1, 'created', 'jane'],
      [1, 'updated', 'jane'],
    ]);
    assert.deepEqual(users, Array(2).fill({ name: 'jane', claims: { from: 'session' } }));
  });

  test('alone: there are no logins, and no token is accepted', async (t) => {
    const handler = await createFetchHandler({ databaseUrl: 'memory:', identify });
    t.after(() => handler.close());
    const body = { username: 'jane', password: 'emma' };
    for (const request of ['POST /token', 'POST /token/renew', 'POST /password'])
      assert.equal((await send(handler, request, { body, headers: session })).status, 404, request);
    assert.equal((await send(handler, 'GET /books')).envelope.message, 'Authorization token required');
    const token = await sign({ sub: 'jane' });
    assert.equal((await send(handler, 'GET /books', { token })).envelope.message, 'Invalid token');
    assert.equal((await send(handler, 'GET /books', { headers: session })).status, 200);
  });

  test('beside a login: who it does not know may have a token', async (t) => {
    const { handler } = await open(t, { identify });
    const token = await logIn(handler, 'jane');
    assert.equal((await send(handler, 'GET /books', { token })).status, 200);
    assert.equal((await send(handler, 'GET /books', { headers: session })).status, 200);
    assert.equal((await send(handler, 'GET /books')).status, 401);
  });

  test('receives the request as the app has it, frozen', async (t) => {
    const received: Parameters<AnyIdentify>[0][] = [];
    const { handler } = await open(t, { identify: (request) => void received.push(request) });
    await send(handler, 'GET /books?q=x', { headers: session, remoteAddress: '10.0.0.7' });
    const [{ method, path, address, headers, request, signal } = assert.fail()] = received;
    assert.deepEqual([method, path, address, headers.cookie], ['GET', '/books', '10.0.0.7', 'session=jane']);
    assert.ok(request instanceof Request && Object.isFrozen(received[0]));
    assert.equal(signal.aborted, false);
  });

  test('is told when the client has gone', async (t) => {
    const asked: AbortSignal[] = [];
    const { handler } = await open(t, {
      identify: ({ signal }) => {
        asked.push(signal);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      },
    });
    const client = new AbortController();
    const answer = handler(new Request('http://x/books', { headers: session, signal: client.signal }));
    assert.equal(asked.length, 1);
    client.abort();
    await assert.rejects(answer);
    assert.equal(asked[0]?.aborted, true);
  });

  const forged: [what: string, headers: Record<string, string>, status: number][] = [
    ['from a page of this site', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://x' }, 201],
    ['typed by the reader', { 'Sec-Fetch-Site': 'none' }, 201],
    ['from a program', {}, 201],
    ['from a page of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, 403],
    ['from another host of the site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.x' }, 403],
    ['from another site, by an old browser', { Origin: 'https://evil.example' }, 403],
    [
      'from another site, with the login of HTTP Basic that the browser adds',
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example', Authorization: 'Basic amFuZTp4' },
      403,
    ],
    ['from a frame without an origin', { Origin: 'null' }, 403],
    ['from an origin that may', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example' }, 201],
  ];
  for (const [what, headers, status] of forged)
    test(`a write ${what} is ${status}`, async (t) => {
      const { handler } = await open(t, { identify, corsOrigins: ['https://app.example'] });
      const { status: actual } = await send(handler, 'POST /book', {
        body: {},
        headers: { ...session, ...headers },
      });
      assert.equal(actual, status);
      assert.equal((await send(handler, 'GET /books', { headers: { ...session, ...headers } })).status, 200);
    });

  test('is not asked about the renewal of a token: that is up to its own user', async (t) => {
    const authorize: Authorize = ({ user, action }) => action !== 'renew' || user?.name === 'jane';
    const { handler } = await open(t, { identify, authorize });
    const [ofJane, ofOther] = [await logIn(handler, 'jane'), await logIn(handler, 'charlotte')];
    for (const [token, status] of [
      [ofJane, 200],
      [ofOther, 403],
    ] as const)
      assert.equal((await send(handler, 'POST /token/renew', { token, headers: session })).status, status);
  });

  test('a stream of changes does not end by a token that nobody has verified', async (t) => {
    const { handler } = await open(t, { identify });
    const claims = Buffer.from(JSON.stringify({ exp: 5 })).toString('base64url');
    const stream = await handler(
      new Request('http://x/changes', { headers: { ...session, Authorization: `x.${claims}.x` } }),
    );
    assert.equal(stream.status, 200);
    assert.equal((await send(handler, 'POST /book', { body: {}, headers: session })).status, 201);
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes('event: change')) break;
    }
    assert.match(text, /event: change/);
  });

  test('that fails, or returns something else, is a 500', async (t) => {
    for (const wrong of [() => Promise.reject(new Error('no sessions')), () => ({ user: 'jane' })]) {
      const { handler, log } = await open(t, { identify: wrong as AnyIdentify });
      assert.equal((await send(handler, 'GET /books', { headers: session })).status, 500);
      assert.match(log.join(), /no sessions|identify returned neither/);
    }
  });
});

describe('tokens', () => {
  const claims = { iss: 'https://books.example', aud: 'catalogue' };
  const tokens = { issuer: claims.iss, audience: claims.aud };

  test('with an issuer and an audience name both, and others are refused', async (t) => {
    const { handler } = await open(t, { tokens: { ...tokens, shared: true } });
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

  const password = { authUsername: 'jane', authPassword: 'emma', authenticate: undefined };
  test('of the one login are those of the specification: any with the secret is accepted', async (t) => {
    const { handler } = await open(t, password);
    assert.equal((await send(handler, 'GET /books', { token: await sign(claims) })).status, 200);
  });

  test('of users of your own are valid in their catalogue alone, unless they are shared', async (t) => {
    const folder = await temporaryFolder(t);
    const table: [what: string, config: Partial<AnyConfig>, isAccepted: boolean][] = [
      ['the catalogue of the one login', password, false],
      ['another store', {}, false],
      ['a store of another folder', { databaseUrl: `file:${folder}/other` }, false],
      ['the same store', { databaseUrl: `file:${folder}/own` }, true],
      ['an audience of its own', { databaseUrl: `file:${folder}/own`, tokens }, false],
      ['the secret itself', { tokens: { shared: true } }, false],
    ];
    const { handler } = await open(t, { databaseUrl: `file:${folder}/own` });
    const token = await logIn(handler, 'jane');
    assert.equal((await send(handler, 'GET /books', { token: await sign({ sub: 'jane' }) })).status, 401);
    for (const [what, config, isAccepted] of table) {
      const { handler: other } = await open(t, config);
      const { status } = await send(other, 'POST /book', { token, body: {} });
      assert.equal(status, isAccepted ? 201 : 401, what);
      const back = await send(handler, 'GET /books', { token: await logIn(other, 'jane') });
      assert.equal(back.status, isAccepted ? 200 : 401, `${what}, back`);
    }
  });

  test('of own stores with the same description are each valid for one store alone', async (t) => {
    const store = await openStore('memory:');
    const [{ handler }, { handler: other }] = [
      await open(t, { store, tokens: { audience: 'a' } }),
      await open(t, { store, tokens: { audience: 'b' } }),
    ];
    const token = await logIn(handler, 'jane');
    assert.equal((await send(handler, 'GET /books', { token })).status, 200);
    assert.equal((await send(other, 'GET /books', { token })).status, 401);
  });

  test('are signed for a store with a long address', async (t) => {
    const { handler } = await open(t, { databaseUrl: `memory:${'x'.repeat(2000)}` });
    assert.equal((await send(handler, 'GET /books', { token: await logIn(handler, 'jane') })).status, 200);
  });

  test('with the same audience are valid in each catalogue that names it', async (t) => {
    const [{ handler }, { handler: other }] = [await open(t, { tokens }), await open(t, { tokens })];
    const token = await logIn(handler, 'jane');
    assert.equal((await send(other, 'GET /books', { token })).status, 200);
    assert.equal((await send(other, 'POST /token/renew', { token })).status, 200);
  });
});

describe('a configuration is refused', () => {
  const authenticate = () => undefined;
  const core = Object.fromEntries(storeGroups.core.map((name) => [name, () => undefined]));
  const store = { ...core, description: 'books' };
  const password = { authUsername: 'u', authPassword: 'p' };
  const table: [field: string, config: object][] = [
    ['authenticate', { authenticate, authUsername: 'u', authPassword: 'p' }],
    ['authenticate', { authenticate: 'ldap' }],
    ['authUsername', {}],
    ['authPassword', { authUsername: 'u' }],
    ['authorize', { authenticate, authorize: true }],
    ['tokens', { authenticate, tokens: { iss: 'x' } }],
    ['tokens', { authenticate, tokens: { issuer: '' } }],
    ['tokens', { authenticate, tokens: { audience: 'x'.repeat(201) } }],
    ['tokens', { authenticate, tokens: { audience: '\ud800' } }],
    ['tokens', { authenticate, store }],
    ['tokens', { identify: authenticate, ...password, store, tokens: { issuer: 'x' } }],
    ['tokens', { ...password, store, tokens: { shared: false } }],
    ['tokens', { authenticate, tokens: 'x' }],
    ['store', { authenticate, store: { ...core, description: '' } }],
    ['store', { authenticate, store: { ...core, createMany: null } }],
    ['tokens', { secretToken: undefined, identify: authenticate, tokens: { audience: 'x' } }],
    ['sessionHours', { secretToken: undefined, identify: authenticate, sessionHours: 1 }],
  ];
  for (const [field, config] of table)
    test(`${field}: ${JSON.stringify(config)}`, async () => {
      await assert.rejects(createFetchHandler({ secretToken, ...config } as HandlerConfig<object, Request>), {
        name: 'TypeError',
        message: new RegExp(`^config\\.${field}: `),
      });
    });
});
