import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { createHandler, createClient, ShelflistError } from '../../src/index.ts';
import { everything, operationsOf, outcomesOf, parseDocument } from '../support/document.ts';
import { exchange, responses } from '../support/raw.ts';
import { collectInto, credentials, secretToken, startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';
import type { Scope } from '../support/temp.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const service = await startService(wholeFile, { ...everything, requestTimeoutMs: 300 });
const client = createClient(service);
for (const title of ['Emma', 'Persuasion']) await client.create({ title });
client.close();
const { token } = service;
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

const provoked = new Set<Outcome>();

/** Sends a request byte by byte; gives the message of the answer, and remembers the outcome. */
async function provoke(port: number, method: string, target: string, rest: string): Promise<string> {
  const text = await exchange(port, `${method} ${target} HTTP/1.1\r\nConnection: close\r\n${rest}`);
  const [answer] = responses(text);
  assert.ok(answer, 'there is an answer');
  const path = target.replace(/\?.*/, '').replace(/^\/book\/.*/, '/book/{id}');
  let message = '';
  if (method !== 'HEAD' && text.includes('"data":'))
    ({ message = '' } = JSON.parse(answer.body) as { message?: string });
  provoked.add(outcome(method, path, answer.status, message));
  return message;
}

const host = 'Host: x\r\n';
const authorized = (value: string) => `${host}Authorization: ${value}\r\n`;
const withBody = (body: string, headers = '') =>
  `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** A server in which every request meets a fault. */
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
    const faults = [new Error('a fault')];
    Object.defineProperty(request, 'url', {
      get() {
        const fault = faults.pop();
        if (fault) throw fault;
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
  store: stubStore(new ShelflistError('unavailable')),
});

describe('every operation answers what any request can meet', () => {
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
        operations.map(async ({ method, path }) => {
          const got = await provoke(port, method, path.replace('{id}', '2'), rest);
          if (method !== 'HEAD') assert.equal(got, message);
        }),
      );
    });
  }

  test('and what a request without a token can meet, where one is needed', async () => {
    for (const { method, path, operation } of operations) {
      if (operation.security.length === 0) continue;
      for (const [message, rest] of [
        ['Authorization token required', host],
        ['Invalid token', authorized('x')],
      ] as const) {
        const got = await provoke(service.port, method, path.replace('{id}', '2'), `${rest}\r\n`);
        if (method !== 'HEAD') assert.equal(got, message);
      }
    }
  });
});

describe('an operation answers its own', () => {
  const bodiless = '\r\n';
  const other = 'If-Match: "x"\r\n\r\n';
  const encoded = withBody('{}', 'Content-Encoding: gzip\r\n');
  const table: [message: string, method: string, target: string, rest?: string, port?: number][] = [
    ['Token generated successfully', 'POST', '/token', withBody(JSON.stringify(credentials))],
    ['Invalid request payload', 'POST', '/token', withBody('{}')],
    ['Invalid credentials', 'POST', '/token', withBody('{"username":"a","password":"b"}')],
    ['Unsupported content encoding', 'POST', '/token', encoded],
    ['Book created successfully', 'POST', '/book', withBody('{}')],
    ['Invalid input', 'POST', '/book', withBody('[]')],
    ['Unsupported content encoding', 'POST', '/book', encoded],
    ['Service unavailable', 'POST', '/book', withBody('{}'), unavailable.port],
    ['Books retrieved successfully', 'GET', '/books'],
    ['Invalid query', 'GET', '/books?unknown=1'],
    ['', 'GET', '/books', 'If-None-Match: *\r\n\r\n'],
    ['Precondition failed', 'GET', '/books', other],
    ['Service unavailable', 'GET', '/books', bodiless, unavailable.port],
    ['Books imported', 'POST', '/books', withBody('[{}]')],
    ['Invalid input', 'POST', '/books', withBody('{}')],
    ['Unsupported content encoding', 'POST', '/books', encoded],
    ['Service unavailable', 'POST', '/books', withBody('[{}]'), unavailable.port],
    ['Book retrieved successfully', 'GET', '/book/1'],
    ['', 'GET', '/book/1', 'If-None-Match: *\r\n\r\n'],
    ['Precondition failed', 'GET', '/book/1', other],
    ['Book not found', 'GET', '/book/999'],
    ['Service unavailable', 'GET', '/book/1', bodiless, unavailable.port],
    ['Book updated successfully', 'PUT', '/book/1', withBody('{}')],
    ['Book not found', 'PUT', '/book/999', withBody('{}')],
    ['Invalid input', 'PUT', '/book/1', withBody('[]')],
    ['Precondition failed', 'PUT', '/book/1', withBody('{}', 'If-Match: "x"\r\n')],
    ['Unsupported content encoding', 'PUT', '/book/1', encoded],
    ['Service unavailable', 'PUT', '/book/1', withBody('{}'), unavailable.port],
    ['Precondition failed', 'DELETE', '/book/2', other],
    ['Book deleted successfully', 'DELETE', '/book/2'],
    ['Book not found', 'DELETE', '/book/none'],
    ['Alive', 'GET', '/livez'],
    ['Ready', 'GET', '/readyz'],
    ['Service unavailable', 'GET', '/readyz', bodiless, unavailable.port],
    ['', 'GET', '/metrics'],
    ['', 'GET', '/openapi.json'],
    ['Methods listed', 'OPTIONS', '/token'],
    ['Methods listed', 'OPTIONS', '/book'],
    ['Methods listed', 'OPTIONS', '/books'],
    ['Methods listed', 'OPTIONS', '/book/1'],
    ['Methods listed', 'OPTIONS', '/livez'],
    ['Methods listed', 'OPTIONS', '/readyz'],
    ['Methods listed', 'OPTIONS', '/metrics'],
    ['Methods listed', 'OPTIONS', '/openapi.json'],
  ];
  for (const [message, method, target, rest = bodiless, port = service.port] of table) {
    test(`${method} ${target}: ${message || 'no envelope'}`, async () => {
      const head = authorized(port === service.port ? token : unavailable.token);
      assert.equal(await provoke(port, method, target, head + rest), message);
      if (method === 'GET') await provoke(port, 'HEAD', target, head + rest);
    });
  }

  test('POST /token: Too many attempts', async (t) => {
    const limited = await startService(t);
    const attempt = () =>
      provoke(limited.port, 'POST', '/token', host + withBody('{"username":"a","password":"b"}'));
    for (let i = 0; i < 20; i++) assert.equal(await attempt(), 'Invalid credentials');
    assert.equal(await attempt(), 'Too many attempts');
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

  test('POST /token: Could not generate token', async (t) => {
    t.mock.method(crypto.subtle, 'sign', () => Promise.reject(new Error('no signature')));
    const rest = host + withBody(JSON.stringify(credentials));
    assert.equal(await provoke(service.port, 'POST', '/token', rest), 'Could not generate token');
  });
});

test('each documented status and message was answered above, and each that was answered is documented', () => {
  const listed = new Set(documented());
  assert.deepEqual(
    {
      unlisted: [...provoked].filter((each) => !listed.has(each)),
      unseen: [...listed].filter((each) => !provoked.has(each)),
    },
    { unlisted: [], unseen: [] },
  );
});

describe('what belongs to no operation', () => {
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
