import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { SignJWT } from 'jose';
import {
  createFetchHandler,
  createHandler,
  createClient,
  createServer,
  openStore,
  type HandlerConfig,
  type RequestHandler,
  type ServerConfig,
} from '../../src/index.ts';
import { newCertificate } from '../support/certificate.ts';
import { received, responses } from '../support/raw.ts';
import { collectInto, credentials, secretToken, sendRequest, startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';
import { temporaryFolder } from '../support/temp.ts';

const config = { secretToken, authUsername: credentials.username, authPassword: credentials.password };

describe('createServer', () => {
  test('returns an http.Server that does not listen yet', async (t) => {
    const server = await createServer({ ...config, databaseUrl: `file:${await temporaryFolder(t)}` });
    assert.ok(server instanceof Server);
    assert.equal(server.listening, false);
    await new Promise<void>((resolve, reject) => {
      server.close((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  });

  test('rejects when the store cannot be opened', async () => {
    await assert.rejects(createServer({ ...config, databaseUrl: 'mongodb://127.0.0.1:1/x' }), {
      code: 'store_unusable',
    });
    await assert.rejects(createServer({ ...config, databaseUrl: `file:${import.meta.filename}` }), {
      code: 'store_unusable',
    });
  });

  const mistakes: [field: string, config: object][] = [
    ['secretToken', { ...config, secretToken: undefined }],
    ['secretToken', { ...config, secretToken: '' }],
    ['secretToken', { ...config, secretToken: 5 }],
    ['secretTokenPrevious', { ...config, secretTokenPrevious: '' }],
    ['authUsername', { ...config, authUsername: '' }],
    ['authPassword', { ...config, authPassword: null }],
    ['databaseUrl', { ...config, databaseUrl: 'postgres://u:s3cret@x/' }],
    ['databaseUrl', { ...config, databaseUrl: 7 }],
    ['store', { ...config, store: {} }],
    ['store', { ...config, store: null }],
    ['prefix', { ...config, prefix: 'catalogue' }],
    ['prefix', { ...config, prefix: '/catalogue//' }],
    ['acceptBearer', { ...config, acceptBearer: 'yes' }],
    ['corsOrigins', { ...config, corsOrigins: 'https://a.example' }],
    ['corsOrigins', { ...config, corsOrigins: ['https://a.example/'] }],
    ['corsOrigins', { ...config, corsOrigins: [7] }],
    ['sortNames', { ...config, sortNames: 'first' }],
    ['sortArticles', { ...config, sortArticles: 'the' }],
    ['sortArticles', { ...config, sortArticles: ["l'e"] }],
    ['sortArticles', { ...config, sortArticles: ['of the'] }],
    ['sortArticles', { ...config, sortArticles: Array(17).fill('the') }],
    ['trustedProxies', { ...config, trustedProxies: '127.0.0.1' }],
    ['trustedProxies', { ...config, trustedProxies: ['localhost'] }],
    ['trustedProxies', { ...config, trustedProxies: ['10.0.0.0/33'] }],
    ['trustedProxies', { ...config, trustedProxies: [7] }],
    ['metrics', { ...config, metrics: 'true' }],
    ['bodyLimitBytes', { ...config, bodyLimitBytes: 0 }],
    ['bodyLimitBytes', { ...config, bodyLimitBytes: 2 ** 30 }],
    ['requestTimeoutMs', { ...config, requestTimeoutMs: Infinity }],
    ['logger', { ...config, logger: {} }],
    ['databaseURL', { ...config, databaseURL: 'file:x' }],
  ];
  for (const [field, wrong] of mistakes) {
    const value = JSON.stringify((wrong as Record<string, unknown>)[field]);
    test(`a TypeError names the field: ${field} ${value}`, async () => {
      for (const create of [createServer, createHandler]) {
        await assert.rejects(create(wrong as ServerConfig), (error: Error) => {
          assert.ok(error instanceof TypeError && 'code' in error);
          assert.equal(error.code, 'invalid_argument');
          assert.match(error.message, new RegExp(`^config\\.${field}: `));
          assert.doesNotMatch(error.message, /s3cret/);
          return true;
        });
      }
    });
  }

  const alone: [what: string, config: object, message: RegExp][] = [
    [
      'a secret without a login',
      { secretToken: 'x', databaseUrl: 'memory:' },
      /^config.authUsername: missing/,
    ],
    [
      'a store with half a history',
      { ...config, store: { ...stubStore(new Error()), trash: undefined } },
      /^config.store: expected all of history/,
    ],
    [
      'a store, and days of its history',
      { ...config, store: stubStore(new Error()), historyDays: 1 },
      /openStore/,
    ],
  ];
  for (const [what, wrong, message] of alone)
    test(`refuses ${what}`, async () => {
      await assert.rejects(createHandler(wrong as HandlerConfig), { name: 'TypeError', message });
    });

  test('takes a prefix that ends with a slash, a URL as an address, and no logger', async (t) => {
    const url = pathToFileURL(await temporaryFolder(t));
    const handler = await createHandler({
      ...config,
      prefix: '/catalogue/',
      databaseUrl: url,
      logger: false,
    });
    t.after(() => handler.close());
    const server = http.createServer(handler).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createClient({ url: new URL(`http://127.0.0.1:${port}/catalogue/`) });
    t.after(() => {
      client.close();
    });
    await client.login(config.authUsername, config.authPassword);
    assert.equal((await client.create({})).id, 1);
  });

  test('a handler refuses what its server has: a certificate, and the time for a request to arrive', async () => {
    for (const [name, value] of [
      ['tls', await newCertificate()],
      ['requestTimeoutMs', 1000],
    ] as const)
      for (const create of [createHandler, createFetchHandler])
        await assert.rejects(create({ ...config, [name]: value }), {
          name: 'TypeError',
          message: `config.${name}: only for createServer; set it on the server that has the handler`,
        });
  });

  test('a secret under 32 bytes causes a warning that does not contain it', async (t) => {
    const service = await startService(t, { secretToken: 's3cret' });
    assert.equal(service.log.length, 1);
    assert.match(service.log[0] ?? '', /fewer than 32 bytes/);
    assert.doesNotMatch(service.log[0] ?? '', /s3cret/);
  });
});

test('a previous secret is accepted, with a warning if it is short', async (t) => {
  const secretTokenPrevious = 's3cret';
  const service = await startService(t, { secretTokenPrevious });
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(secretTokenPrevious));
  assert.equal((await service.request('GET', '/books', { token })).status, 200);
  assert.equal(service.log.length, 1);
  assert.match(service.log[0] ?? '', /^the previous token secret is too short/);
  assert.doesNotMatch(service.log[0] ?? '', /s3cret/);
});

/** Lets the deadline of `close` never pass: a close that would wait for it does not end. */
function removeDeadline(t: TestContext): void {
  const start = globalThis.setTimeout;
  const withoutDeadline = (run: () => void, ms = 0) => start(run, ms >= 5000 ? 2 ** 31 - 1 : ms);
  t.mock.method(globalThis, 'setTimeout', withoutDeadline as typeof start);
}

describe('close', () => {
  test('stops accepting, finishes requests in flight, then closes the store it opened', async (t) => {
    const service = await startService(t);
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    const body = '{"title":"in flight"}';
    socket.write(
      `POST /book HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: ${service.token}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await once(socket, 'data'); // 100 Continue: the request is in flight.
    const closed = service.close();
    await assert.rejects(service.request('GET', '/books'), { code: 'ECONNREFUSED' });
    socket.write(body);
    const [answer] = responses(await received(socket));
    assert.equal(answer?.status, 201);
    await closed;
  });

  test('does not wait for idle connections', async (t) => {
    const service = await startService(t);
    const agent = new http.Agent({ keepAlive: true });
    const [response] = (await once(http.get(`${service.url}/books`, { agent }), 'response')) as [
      http.IncomingMessage,
    ];
    await once(response.resume(), 'end');
    const silent = connect(service.port, '127.0.0.1');
    await once(silent, 'connect');
    const halfOpen = connect(service.port, '127.0.0.1');
    await once(halfOpen, 'connect');
    halfOpen.write('GET /books HTTP/1.1\r\n');
    removeDeadline(t);
    await service.close();
    agent.destroy();
    silent.destroy();
    halfOpen.destroy();
  });

  test('serves a request on its way on a kept connection', async (t) => {
    const service = await startService(t);
    const socket = connect(service.port, '127.0.0.1');
    const request = `GET /book/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n\r\n`;
    socket.write(request);
    await once(socket, 'data');
    const closed = service.close();
    socket.write(request);
    const text = await received(socket);
    assert.match(text, /^HTTP\/1\.1 404 .*connection: close/is);
    await closed;
  });

  test('sends every response of several requests on one connection', async (t) => {
    const service = await startService(t);
    const socket = connect(service.port, '127.0.0.1');
    const request = `POST /book HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\nContent-Length: 2\r\n\r\n{}`;
    let arrived = 0;
    const all = new Promise<void>((resolve) => {
      service.server.on('request', () => {
        if (++arrived === 5) resolve();
      });
    });
    socket.write(request.repeat(5));
    await all;
    const closed = service.close();
    const answers = responses(await received(socket));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    );
    await closed;
  });

  test('does not wait for senders that disconnected', async (t) => {
    const service = await startService(t);
    const key = new TextEncoder().encode(secretToken);
    for (let i = 0; i < 50; i++) {
      // A token that was not seen before is verified first: meanwhile the sender is gone.
      const token = await new SignJWT({ i })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('1m')
        .sign(key);
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => undefined);
      const arrived = once(service.server, 'request').then(() => socket.resetAndDestroy());
      socket.write(`POST /book HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Length: 9\r\n\r\n{`);
      await arrived;
    }
    removeDeadline(t);
    await service.close();
  });

  test('does not wait for long lists whose reader disconnected', async (t) => {
    const service = await startService(t);
    const title = 'x'.repeat(500_000);
    for (let i = 0; i < 20; i++)
      await service.request('POST', '/book', { token: service.token, body: { title } });
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const request = `GET /books HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n\r\n`;
    socket.write(request.repeat(3));
    await once(socket, 'data');
    socket.resetAndDestroy();
    removeDeadline(t);
    await service.close();
  });

  test('does not close a store that was passed in', async (t) => {
    const store = await openStore(`file:${await temporaryFolder(t)}`);
    t.after(() => store.close());
    const service = await startService(t, { store });
    await service.close();
    assert.equal((await store.create({ title: '', author: '', year: 0 })).id, 1);
  });

  test('a second close fails like that of node:http', async (t) => {
    const service = await startService(t);
    await service.close();
    const error = await new Promise((resolve) => service.server.close(resolve));
    assert.equal((error as NodeJS.ErrnoException).code, 'ERR_SERVER_NOT_RUNNING');
  });
});

describe('createHandler', () => {
  test('works with a replaced `writeHead` that accepts objects only', async (t) => {
    const books = await createHandler({ ...config, databaseUrl: `file:${await temporaryFolder(t)}` });
    let isReplaced = false;
    const server = http.createServer((request, response) => {
      const writeHead = response.writeHead.bind(response);
      response.writeHead = ((status: number, headers: Record<string, string>) => {
        isReplaced = !Array.isArray(headers);
        return writeHead(status, headers);
      }) as typeof response.writeHead;
      books(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(async () => {
      server.close();
      await books.close();
    });
    const { port } = server.address() as AddressInfo;
    for (const [path, status] of [
      ['/livez', 200],
      ['/books', 401],
      ['/openapi.json', 200],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      assert.equal(answer.status, status);
      assert.ok(isReplaced);
      assert.deepEqual(
        ['content-type', 'cache-control'].map((name) => answer.headers.get(name)),
        ['application/json', 'no-store'],
      );
      isReplaced = false;
      await answer.json();
    }
  });

  test('serves below a prefix of another server', async (t) => {
    const books = await createHandler({
      ...config,
      databaseUrl: `file:${await temporaryFolder(t)}`,
      prefix: '/catalogue',
    });
    const server = http.createServer((request, response) => {
      if (request.url?.startsWith('/catalogue/')) books(request, response);
      else response.end('{"status":200,"message":"ours","data":null}');
    });
    const url = await mount(t, server, books);
    const login = await sendRequest(url, 'POST', '/catalogue/token', { body: credentials });
    const { token } = login.envelope?.data as { token: string };
    assert.equal((await sendRequest(url, 'POST', '/catalogue/book', { token, body: {} })).status, 201);
    assert.equal((await sendRequest(url, 'GET', '/catalogue/books', { token })).status, 200);
    assert.equal(
      (await sendRequest(url, 'GET', '/catalogue/nothing', { token })).envelope?.message,
      'Not found',
    );
    assert.equal((await sendRequest(url, 'GET', '/elsewhere', { token })).envelope?.message, 'ours');
  });

  test('responds with 404 outside its prefix', async (t) => {
    const service = await startService(t, { prefix: '/a/b' });
    for (const path of ['/books', '/a/books', '/a/bbooks', '/a/b', '/a/b/']) {
      assert.equal(
        (await service.request('GET', path, { token: service.token })).envelope?.message,
        'Not found',
      );
    }
    assert.equal((await service.request('GET', '/a/b/books', { token: service.token })).status, 200);
  });

  test('logs that other code has read the body, and does not hang', async (t) => {
    const log: string[] = [];
    const path = join(await temporaryFolder(t), 'data');
    const books = await createHandler({ ...config, databaseUrl: `file:${path}`, logger: collectInto(log) });
    const server = http.createServer((request, response) => {
      request.resume().on('end', () => {
        books(request, response);
      });
    });
    const url = await mount(t, server, books);
    const answer = await sendRequest(url, 'POST', '/token', { body: credentials });
    assert.deepEqual(answer.envelope, { status: 500, message: 'Internal server error', data: null });
    assert.match(log.join(), /cannot recover the request body/);
  });

  test('uses the body of a body parser', async (t) => {
    const books = await createHandler({ ...config, databaseUrl: `file:${await temporaryFolder(t)}` });
    const server = http.createServer((request, response) => {
      void json(request).then((body) => {
        books(Object.assign(request, { body }), response);
      });
    });
    const url = await mount(t, server, books);
    const headers = { 'Content-Type': 'application/json' };
    assert.equal((await sendRequest(url, 'POST', '/token', { body: credentials, headers })).status, 200);
    assert.equal((await sendRequest(url, 'POST', '/token', { body: [], headers })).status, 400);
  });

  test('leaves a response alone that other code has sent', async (t) => {
    const books = await createHandler({ ...config, databaseUrl: `file:${await temporaryFolder(t)}` });
    const server = http.createServer((request, response) => {
      response.end('{"status":200,"message":"ours","data":null}');
      books(request, response);
    });
    const url = await mount(t, server, books);
    assert.equal((await sendRequest(url, 'GET', '/books')).envelope?.message, 'ours');
  });

  test('responds even if the logger throws', async (t) => {
    const broken = () => {
      throw new Error('broken');
    };
    const logger = { info: broken, warn: broken, error: broken };
    const service = await startService(t, { store: stubStore(new Error('a failure')), logger });
    assert.equal((await service.request('GET', '/books', { token: service.token })).status, 500);
  });

  test('close waits for the responses in flight', async (t) => {
    const order: string[] = [];
    let finish = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (finish = resolve));
    const store = stubStore(new Error('unused'), {
      get: async () => {
        await waiting;
        order.push('answered');
        return undefined;
      },
    });
    const service = await startService(t, { store });
    const request = service.request('GET', '/book/1', { token: service.token });
    await once(service.server, 'request');
    const closed = service.close().then(() => order.push('closed'));
    finish();
    assert.equal((await request).status, 404);
    await closed;
    assert.deepEqual(order, ['answered', 'closed']);
  });
});

/** Lets another server listen until the test ends; returns its address. */
async function mount(t: TestContext, server: Server, books: RequestHandler): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    await books.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an idle connection releases the body of its last request', async (t) => {
  const service = await startService(t);
  const agent = new http.Agent({ keepAlive: true });
  t.after(() => {
    agent.destroy();
  });
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const body = Buffer.alloc(1_000_000, 'x');
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const headers = { Authorization: service.token };
      const request = http.request(`${service.url}/book`, { method: 'POST', agent, headers }).end(body);
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      assert.equal(response.statusCode, 400);
      await json(response);
    }),
  );
  let kept = Infinity;
  for (let turn = 0; turn < 400 && kept >= 10_000_000; turn++) {
    await new Promise(setImmediate);
    collectGarbage();
    kept = process.memoryUsage().arrayBuffers - before;
  }
  assert.ok(kept < 10_000_000, `${kept} bytes are kept`);
});
