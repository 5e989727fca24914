import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { createHandler, createClient, ShelflistError } from '../../../src/index.ts';
import { everything, operationsOf, outcomesOf, parseDocument } from '../../support/document.ts';
import { startBookSource } from '../../support/book-source.ts';
import { exchange, responses } from '../../support/raw.ts';
import { createSharingServer } from '../../../src/server/server.ts';
import { collectInto, credentials, embeddedStore, secretToken, startService } from '../../support/service.ts';
import { stubStore } from '../../support/stub-store.ts';
import type { Scope } from '../../support/temp.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const source = await startBookSource(wholeFile, { '9780141439587': { title: 'Emma' } });
const service = await startService(wholeFile, {
  ...everything,
  ...(await embeddedStore(wholeFile)), // Only this one can be copied.
  bookLookup: source.openLibrary,
  requestTimeoutMs: 300,
});
const client = createClient({ url: service.url, token: service.token });
for (const title of ['Emma', 'Persuasion']) await client.create({ title });
client.close();
const { token } = service;
const page = await (await fetch(service.url, { headers: { Accept: 'text/html' } })).text();
const [script = ''] = /app-\w+\.js/.exec(page) ?? [];
const document = parseDocument(await (await fetch(`${service.url}/openapi.json`)).text());
const operations = operationsOf(document);

/** An operation, a status and a message; no message where there is no envelope. */
type Outcome = string;

const outcome = (method: string, path: string, status: number | string, message = ''): Outcome =>
  [method, path, status, message].join(' ').trimEnd();

function documented(): Outcome[] {
  return operations.flatMap(({ method, path, operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const messages = outcomesOf(response)?.messages ?? [''];
      return messages.map((message) => outcome(method, path, status, message));
    }),
  );
}

/** A stream of events does not end: its head is enough. */
const isStream = (text: string) =>
  /^content-type: text\/event-stream\r$/im.test(text) && text.includes('\r\n\r\n');

const provoked = new Set<Outcome>();

/** A path for a book, for a batch that a test below makes, and for the script of the page. */
const pathOf = (path: string, id = '2') =>
  path.replace('{id}', id).replace('{batch}', 'a-batch-id').replace('{asset}', script);

/** A valid target of an operation, with the required parameters. */
function targetOf({ path, operation }: (typeof operations)[number], id = '2'): string {
  const required = (operation.parameters ?? []).filter((each) => each.in === 'query' && each.required);
  const query = required.map(
    ({ name, schema }) => `${name}=${String(((schema.enum ?? schema.examples) as unknown[])[0])}`,
  );
  return pathOf(path, id) + (query.length === 0 ? '' : `?${query.join('&')}`);
}

/** Sends a request byte by byte; gives the message of the answer, and remembers the outcome. */
async function provoke(port: number, method: string, target: string, rest: string): Promise<string> {
  const text = await exchange(port, `${method} ${target} HTTP/1.1\r\nConnection: close\r\n${rest}`, isStream);
  const [answer] = responses(text);
  assert.ok(answer, 'there is an answer');
  const path = target
    .replace(/\?.*/, '')
    .replace(/^\/book\/[^/]+/, '/book/{id}')
    .replace(/^\/batch\/[^/]+/, '/batch/{batch}')
    .replace(/^\/assets\/[^/]+/, '/assets/{asset}')
    .replace(/^\/catalogue$/, '/');
  let message = '';
  if (method !== 'HEAD' && text.includes('"data":'))
    ({ message = '' } = JSON.parse(answer.body) as { message?: string });
  provoked.add(outcome(method, path, answer.status, message));
  return message;
}

const host = 'Host: x\r\n';
const asBrowser = 'Accept: text/html\r\n';
const authorized = (value: string) => `${host}Authorization: ${value}\r\n`;
const withBody = (body: string, headers = '') =>
  `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** A server in which every request fails. */
async function startBroken(): Promise<number> {
  const handler = await createHandler({
    ...everything,
    secretToken,
    authUsername: 'a',
    authPassword: 'b',
    store: stubStore(new Error('unused')),
    logger: collectInto([]),
  });
  const server = http.createServer((request, response) => {
    const errors = [new Error('a failure')];
    Object.defineProperty(request, 'url', {
      get() {
        const error = errors.pop();
        if (error) throw error;
        return '/';
      },
    });
    handler(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const broken = await startBroken();
const unavailable = await startService(wholeFile, {
  ...everything,
  publicRead: true,
  authorize: undefined, // With it, the page has no books.
  store: stubStore(new ShelflistError('unavailable')),
  storePassword: () => Promise.reject(new ShelflistError('unavailable')),
  settings: {
    ...everything.settings,
    read: () => Promise.reject(new ShelflistError('unavailable')),
    change: () => Promise.reject(new ShelflistError('unavailable')),
  },
});
/** The process that keeps the codes for logins does not answer. */
const withoutCodes = await createSharingServer(
  {
    secretToken,
    authUsername: credentials.username,
    authPassword: credentials.password,
    databaseUrl: 'memory:',
    logger: collectInto([]),
  },
  {
    loginCodes: {
      create: () => Promise.reject(new ShelflistError('unavailable')),
      take: () => Promise.reject(new ShelflistError('unavailable')),
    },
  },
);
wholeFile.after(() => withoutCodes.close());
withoutCodes.listen(0, '127.0.0.1');
await once(withoutCodes, 'listening');
const { port: portWithoutCodes } = withoutCodes.address() as AddressInfo;
const refusing = await startService(wholeFile, {
  ...everything,
  databaseUrl: 'memory:',
  authorize: () => false,
});
const open = await startService(wholeFile, {
  ...everything,
  databaseUrl: 'memory:',
  publicRead: true,
  authorize: undefined,
});
const mounted = await startService(wholeFile, {
  ...everything,
  databaseUrl: 'memory:',
  prefix: '/catalogue',
});

describe('every operation responds with the errors of any request', () => {
  const table: [message: string, rest: string, port: number][] = [
    ['Bad request', `${host}${host}\r\n`, service.port],
    ['Request timeout', host, service.port],
    [
      'Request body too large',
      `${authorized(token)}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}`,
      service.port,
    ],
    ['Expectation failed', `${host}Expect: the-moon\r\n\r\n`, service.port],
    ['Request header fields too large', `${host}A: ${'x'.repeat(20_000)}\r\n\r\n`, service.port],
    ['Internal server error', `${host}\r\n`, broken],
  ];
  for (const [message, rest, port] of table) {
    test(message, async () => {
      await Promise.all(
        operations.map(async (each) => {
          const { method, path } = each;
          const accept = path === '/' ? asBrowser : ''; // Others are refused as to an unknown path.
          const got = await provoke(port, method, targetOf(each), accept + rest);
          if (method !== 'HEAD') assert.equal(got, message);
        }),
      );
    });
  }

  test('with the errors of tokens, if it needs one', async () => {
    for (const each of operations) {
      const { method, operation } = each;
      if (operation.security.length === 0) continue;
      for (const [message, rest] of [
        ['Authorization token required', host],
        ['Invalid token', authorized('x')],
      ] as const) {
        const got = await provoke(service.port, method, targetOf(each), `${rest}\r\n`);
        if (method !== 'HEAD') assert.equal(got, message);
      }
    }
  });
});

const bodiless = '\r\n';

describe('an operation responds with its own outcomes', () => {
  const other = 'If-Match: "x"\r\n\r\n';
  const encoded = withBody('{}', 'Content-Encoding: gzip\r\n');
  const table: { message: string; method: string; target: string; rest?: string; port?: number }[] = [
    {
      message: 'Token generated successfully',
      method: 'POST',
      target: '/token',
      rest: withBody(JSON.stringify(credentials)),
    },
    { message: 'Invalid request payload', method: 'POST', target: '/token', rest: withBody('{}') },
    {
      message: 'Invalid credentials',
      method: 'POST',
      target: '/token',
      rest: withBody('{"username":"a","password":"b"}'),
    },
    { message: 'Unsupported content encoding', method: 'POST', target: '/token', rest: encoded },
    { message: 'Token generated successfully', method: 'POST', target: '/token/renew' },
    { message: 'Code generated successfully', method: 'POST', target: '/token/code' },
    { message: 'Service unavailable', method: 'POST', target: '/token/code', port: portWithoutCodes },
    { message: 'Invalid request payload', method: 'POST', target: '/token/exchange', rest: withBody('{}') },
    {
      message: 'Invalid credentials',
      method: 'POST',
      target: '/token/exchange',
      rest: withBody('{"code":"a"}'),
    },
    { message: 'Unsupported content encoding', method: 'POST', target: '/token/exchange', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'POST',
      target: '/token/exchange',
      rest: withBody('{"code":"a"}'),
      port: portWithoutCodes,
    },
    {
      message: 'Password changed successfully',
      method: 'POST',
      target: '/password',
      rest: withBody(JSON.stringify({ ...credentials, newPassword: credentials.password })),
    },
    { message: 'Invalid request payload', method: 'POST', target: '/password', rest: withBody('{}') },
    {
      message: 'Invalid credentials',
      method: 'POST',
      target: '/password',
      rest: withBody(JSON.stringify({ password: 'x', newPassword: credentials.password })),
    },
    { message: 'Unsupported content encoding', method: 'POST', target: '/password', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'POST',
      target: '/password',
      rest: withBody(JSON.stringify({ ...credentials, newPassword: credentials.password })),
      port: unavailable.port,
    },
    { message: 'Settings updated successfully', method: 'PATCH', target: '/settings', rest: withBody('{}') },
    { message: 'Invalid input', method: 'PATCH', target: '/settings', rest: withBody('[]') },
    { message: 'Unsupported content encoding', method: 'PATCH', target: '/settings', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'PATCH',
      target: '/settings',
      rest: withBody('{}'),
      port: unavailable.port,
    },
    { message: 'Book created successfully', method: 'POST', target: '/book', rest: withBody('{}') },
    { message: 'Invalid input', method: 'POST', target: '/book', rest: withBody('[]') },
    { message: 'Unsupported content encoding', method: 'POST', target: '/book', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'POST',
      target: '/book',
      rest: withBody('{}'),
      port: unavailable.port,
    },
    { message: 'Books retrieved successfully', method: 'GET', target: '/books' },
    { message: 'Invalid query', method: 'GET', target: '/books?unknown=1' },
    { message: '', method: 'GET', target: '/books', rest: 'If-None-Match: *\r\n\r\n' },
    { message: 'Precondition failed', method: 'GET', target: '/books', rest: other },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/books',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Books imported', method: 'POST', target: '/books', rest: withBody('[{}]') },
    { message: 'Invalid input', method: 'POST', target: '/books', rest: withBody('{}') },
    { message: 'Unsupported content encoding', method: 'POST', target: '/books', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'POST',
      target: '/books',
      rest: withBody('[{}]'),
      port: unavailable.port,
    },
    ...(['/book', '/books'] as const).flatMap((path) => {
      const [body, other] = path === '/book' ? ['{}', '{"year":1}'] : ['[]', '[{}]'];
      const key = (value: string) => `Idempotency-Key: ${value}\r\n`;
      const message = path === '/book' ? 'Book created successfully' : 'Books imported';
      return [
        { message: 'Invalid query', method: 'POST', target: path, rest: withBody(body, key('a b')) },
        { message, method: 'POST', target: path, rest: withBody(body, key(`of-${path}`)) },
        {
          message: 'Idempotency key reused',
          method: 'POST',
          target: path,
          rest: withBody(other, key(`of-${path}`)),
        },
      ];
    }),
    {
      message: 'Books retrieved successfully',
      method: 'POST',
      target: '/books/lookup',
      rest: withBody('[{"id":1}]'),
    },
    { message: 'Invalid input', method: 'POST', target: '/books/lookup', rest: withBody('{}') },
    { message: 'Unsupported content encoding', method: 'POST', target: '/books/lookup', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'POST',
      target: '/books/lookup',
      rest: withBody('[{"id":1}]'),
      port: unavailable.port,
    },
    { message: 'Book looked up', method: 'GET', target: '/lookup?isbn=9780141439587' },
    { message: 'Invalid query', method: 'GET', target: '/lookup?isbn=9780141439588' },
    { message: 'Book not found', method: 'GET', target: '/lookup?isbn=9780140620108' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/lookup?isbn=9780141439587',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Duplicates retrieved successfully', method: 'GET', target: '/duplicates?level=year' },
    { message: 'Invalid query', method: 'GET', target: '/duplicates?level=all' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/duplicates',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Book retrieved successfully', method: 'GET', target: '/book/1' },
    { message: '', method: 'GET', target: '/book/1', rest: 'If-None-Match: *\r\n\r\n' },
    { message: 'Precondition failed', method: 'GET', target: '/book/1', rest: other },
    { message: 'Book not found', method: 'GET', target: '/book/999' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/book/1',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Book updated successfully', method: 'PUT', target: '/book/1', rest: withBody('{}') },
    { message: 'Book not found', method: 'PUT', target: '/book/999', rest: withBody('{}') },
    { message: 'Invalid input', method: 'PUT', target: '/book/1', rest: withBody('[]') },
    {
      message: 'Precondition failed',
      method: 'PUT',
      target: '/book/1',
      rest: withBody('{}', 'If-Match: "x"\r\n'),
    },
    { message: 'Unsupported content encoding', method: 'PUT', target: '/book/1', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'PUT',
      target: '/book/1',
      rest: withBody('{}'),
      port: unavailable.port,
    },
    { message: 'Precondition failed', method: 'DELETE', target: '/book/2', rest: other },
    { message: 'Book deleted successfully', method: 'DELETE', target: '/book/2' },
    { message: 'Book not found', method: 'DELETE', target: '/book/none' },
    { message: 'Invalid input', method: 'DELETE', target: '/book/1', rest: 'Batch: x\r\n\r\n' },
    { message: 'History retrieved successfully', method: 'GET', target: '/book/2/history' },
    { message: 'Book not found', method: 'GET', target: '/book/999/history' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/book/2/history',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Book reverted successfully', method: 'POST', target: '/book/2/revert' },
    { message: 'Book not found', method: 'POST', target: '/book/999/revert' },
    { message: 'Invalid input', method: 'POST', target: '/book/2/revert', rest: withBody('[]') },
    { message: 'Precondition failed', method: 'POST', target: '/book/2/revert', rest: other },
    { message: 'Unsupported content encoding', method: 'POST', target: '/book/2/revert', rest: encoded },
    {
      message: 'Service unavailable',
      method: 'POST',
      target: '/book/2/revert',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Deleted books retrieved successfully', method: 'GET', target: '/trash' },
    { message: 'Invalid query', method: 'GET', target: '/trash?q=emma' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/trash',
      rest: bodiless,
      port: unavailable.port,
    },
    {
      message: 'Books imported',
      method: 'POST',
      target: '/books',
      rest: withBody('[{}]', 'Batch: a-batch-id\r\n'),
    },
    { message: 'Batches retrieved successfully', method: 'GET', target: '/batches' },
    { message: 'Invalid query', method: 'GET', target: '/batches?q=emma' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/batches',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Batch retrieved successfully', method: 'GET', target: '/batch/a-batch-id' },
    { message: 'Invalid query', method: 'GET', target: '/batch/a-batch-id?books=0' },
    { message: 'Not found', method: 'GET', target: '/batch/none' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/batch/a-batch-id',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Batch undone successfully', method: 'POST', target: '/batch/a-batch-id/undo' },
    { message: 'Not found', method: 'POST', target: '/batch/none/undo' },
    {
      message: 'Invalid input',
      method: 'POST',
      target: '/batch/a-batch-id/undo',
      rest: withBody('{"before":0}'),
    },
    {
      message: 'Unsupported content encoding',
      method: 'POST',
      target: '/batch/a-batch-id/undo',
      rest: encoded,
    },
    {
      message: 'Service unavailable',
      method: 'POST',
      target: '/batch/a-batch-id/undo',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: 'Statistics retrieved successfully', method: 'GET', target: '/stats' },
    { message: 'Invalid query', method: 'GET', target: '/stats?unknown=1' },
    { message: 'Suggestions retrieved successfully', method: 'GET', target: '/suggest?field=author' },
    { message: 'Invalid query', method: 'GET', target: '/suggest' },
    { message: 'Corrections retrieved successfully', method: 'GET', target: '/corrections' },
    { message: 'Invalid query', method: 'GET', target: '/corrections?unknown=1' },
    { message: 'Invalid query', method: 'GET', target: '/authors?unknown=1' },
    { message: 'Alive', method: 'GET', target: '/livez' },
    { message: 'Ready', method: 'GET', target: '/readyz' },
    {
      message: 'Service unavailable',
      method: 'GET',
      target: '/readyz',
      rest: bodiless,
      port: unavailable.port,
    },
    { message: '', method: 'GET', target: '/metrics' },
    { message: '', method: 'GET', target: '/openapi.json' },
    { message: '', method: 'GET', target: '/', rest: asBrowser + bodiless },
    { message: '', method: 'GET', target: '/', rest: `${asBrowser}If-None-Match: *\r\n\r\n` },
    { message: 'Precondition failed', method: 'GET', target: '/', rest: asBrowser + other },
    { message: 'Not found', method: 'GET', target: '/' },
    { message: '', method: 'GET', target: '/', rest: asBrowser + bodiless, port: unavailable.port },
    { message: '', method: 'GET', target: '/catalogue', rest: asBrowser + bodiless, port: mounted.port },
    { message: '', method: 'GET', target: `/assets/${script}` },
    { message: '', method: 'GET', target: `/assets/${script}`, rest: 'If-None-Match: *\r\n\r\n' },
    { message: 'Precondition failed', method: 'GET', target: `/assets/${script}`, rest: other },
    { message: 'Not found', method: 'GET', target: '/assets/none' },
    { message: '', method: 'GET', target: '/sitemap.xml', port: open.port },
    { message: '', method: 'GET', target: '/sitemap.xml', rest: 'If-None-Match: *\r\n\r\n', port: open.port },
    { message: 'Precondition failed', method: 'GET', target: '/sitemap.xml', rest: other, port: open.port },
    { message: 'Invalid query', method: 'GET', target: '/sitemap.xml?part=0', port: open.port },
    { message: 'Not found', method: 'GET', target: '/sitemap.xml' },
    ...operations
      .filter(({ method }) => method === 'OPTIONS')
      .map(({ path }) => ({ message: '', method: 'OPTIONS', target: pathOf(path, '1') })),
  ];
  for (const { message, method, target, rest = bodiless, port = service.port } of table) {
    test(`${method} ${target}: ${message || 'no envelope'}`, async () => {
      const head = authorized(port === service.port ? token : unavailable.token);
      assert.equal(await provoke(port, method, target, head + rest), message);
      if (method === 'GET') await provoke(port, 'HEAD', target, head + rest);
    });
  }

  test('GET of every path: success, and an unavailable store', async () => {
    for (const each of operations.filter(({ method }) => ['GET', 'HEAD'].includes(method))) {
      const { method } = each;
      const target = targetOf(each, '1');
      await provoke(service.port, method, target, authorized(token) + bodiless);
      await provoke(unavailable.port, method, target, authorized(unavailable.token) + bodiless);
    }
  });

  for (const path of ['/book', '/books'])
    test(`POST ${path}: Request in progress`, async () => {
      const key = 'Idempotency-Key: in-progress\r\n';
      const first = connect(service.port, '127.0.0.1');
      const head = `${authorized(token)}${key}Content-Length: 9\r\nExpect: 100-continue\r\n\r\n`;
      first.write(`POST ${path} HTTP/1.1\r\n${head}`);
      await once(first, 'data');
      const rest = authorized(token) + withBody('{}', key);
      assert.equal(await provoke(service.port, 'POST', path, rest), 'Request in progress');
      first.destroy();
    });

  for (const [path, body] of [
    ['/token', '{"username":"a","password":"b"}'],
    ['/password', '{"password":"a","newPassword":"a longer one"}'],
    ['/token/exchange', '{"code":"a"}'],
  ] as const)
    test(`POST ${path}: Too many attempts`, async (t) => {
      const limited = await startService(t, { storePassword: everything.storePassword });
      const attempt = () => provoke(limited.port, 'POST', path, authorized(limited.token) + withBody(body));
      for (let i = 0; i < 20; i++) assert.equal(await attempt(), 'Invalid credentials');
      assert.equal(await attempt(), 'Too many attempts');
    });

  for (const method of ['GET', 'HEAD'])
    test(`${method} /backup: Service unavailable`, async () => {
      const busy = outcome(method, '/backup', 503, method === 'GET' ? 'Service unavailable' : '');
      const rest = authorized(token) + bodiless;
      while (!provoked.has(busy))
        await Promise.all([1, 2].map(() => provoke(service.port, method, '/backup', rest)));
    });

  test('POST /token: Service unavailable', async (t) => {
    const flooded = await startService(t, { databaseUrl: 'memory:' });
    // Unfinished logins, which take all the memory that there is for them.
    const start = 'POST /token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const sockets = Array.from({ length: 1024 }, () => {
      const socket = connect(flooded.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${start}4000\r\n"${'x'.repeat(16 * 1024 - 1)}\r\n`);
      return socket;
    });
    const rest = `${host}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    let message = '';
    while (message !== 'Service unavailable') message = await provoke(flooded.port, 'POST', '/token', rest);
    for (const socket of sockets) socket.destroy();
  });

  test('POST /token/exchange: Token generated successfully', async () => {
    const made = createClient({ url: service.url, token });
    const rest = host + withBody(JSON.stringify({ code: await made.createCode() }));
    assert.equal(
      await provoke(service.port, 'POST', '/token/exchange', rest),
      'Token generated successfully',
    );
  });

  test('POST /token: Could not generate token', async (t) => {
    t.mock.method(crypto.subtle, 'sign', () => Promise.reject(new Error('no signature')));
    const rest = host + withBody(JSON.stringify(credentials));
    assert.equal(await provoke(service.port, 'POST', '/token', rest), 'Could not generate token');
    const renewal = authorized(token) + bodiless;
    assert.equal(await provoke(service.port, 'POST', '/token/renew', renewal), 'Could not generate token');
    const change = JSON.stringify({ ...credentials, newPassword: credentials.password });
    const changing = authorized(token) + withBody(change);
    assert.equal(await provoke(service.port, 'POST', '/password', changing), 'Could not generate token');
  });
});

describe('every operation with a token refuses what its user may not do', () => {
  for (const each of operations.filter(({ operation }) => operation.security.length > 0))
    test(`${each.method} ${each.path}`, async () => {
      const rest = `${authorized(refusing.token)}\r\n`;
      const message = await provoke(refusing.port, each.method, targetOf(each), rest);
      assert.equal(message, each.method === 'HEAD' ? '' : 'Forbidden');
    });
});

test('the documented outcomes are exactly those provoked above', () => {
  const listed = new Set(documented());
  assert.deepEqual(
    {
      unlisted: [...provoked].filter((each) => !listed.has(each)),
      unseen: [...listed].filter((each) => !provoked.has(each)),
    },
    { unlisted: [], unseen: [] },
  );
});

describe('responses to unknown paths and methods are named components', () => {
  const table: [name: string, method: string, path: string][] = [
    ['NotFound', 'GET', '/nothing'],
    ['MethodNotAllowed', 'PATCH', '/books'],
  ];
  for (const [name, method, path] of table) {
    test(`${method} ${path}: ${name}`, async () => {
      const { envelope } = await service.request(method, path);
      const response = document.components.responses[name];
      assert.ok(response);
      assert.deepEqual(outcomesOf(response), { status: envelope?.status, messages: [envelope?.message] });
    });
  }
});
