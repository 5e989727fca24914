import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { exchange, received, responses } from '../../support/raw.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';

let service: TestService;
const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
before(async () => {
  service = await startService(wholeFile, { requestTimeoutMs: 300 });
});
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const envelope = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ status, message, data: null }),
});
const badRequest = envelope(400, 'Bad request');

describe('malformed HTTP gets an envelope and a closed connection', () => {
  const table: { what: string; bytes: string; status: number; message: string }[] = [
    { what: 'noise', bytes: '\x16\x03\x01\x02\x00\r\n\r\n', status: 400, message: 'Bad request' },
    { what: 'no version', bytes: 'GET /books\r\n\r\n', status: 400, message: 'Bad request' },
    {
      what: 'an unknown version',
      bytes: 'GET /books HTTP/7.1\r\nHost: x\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'an unknown method',
      bytes: 'FETCH /books HTTP/1.1\r\nHost: x\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    { what: 'no Host', bytes: 'GET /books HTTP/1.1\r\n\r\n', status: 400, message: 'Bad request' },
    {
      what: 'two Hosts',
      bytes: 'GET /books HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'a Host that is none',
      bytes: 'GET /books HTTP/1.1\r\nHost: a b/c\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'a second Host behind 2,500 headers',
      bytes: `GET /books HTTP/1.1\r\nHost: a\r\n${'A:\r\n'.repeat(2500)}Host: b\r\n\r\n`,
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'two tokens',
      bytes: 'GET /books HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'HTTP/2 as text',
      bytes: 'GET /books HTTP/2.0\r\nHost: x\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'a header without a colon',
      bytes: 'GET /books HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'a folded header',
      bytes: 'GET /books HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'a space before the colon',
      bytes: 'GET /books HTTP/1.1\r\nHost : x\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'both lengths',
      bytes:
        'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'two lengths',
      bytes: 'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'a length that is none',
      bytes: 'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'a bad chunk',
      bytes: 'POST /token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'CONNECT',
      bytes: 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n',
      status: 400,
      message: 'Bad request',
    },
    {
      what: 'huge headers',
      bytes: `GET /books HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`,
      status: 431,
      message: 'Request header fields too large',
    },
    {
      what: 'a huge target',
      bytes: `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      status: 431,
      message: 'Request header fields too large',
    },
    {
      what: 'headers that do not end in time',
      bytes: 'GET /books HTTP/1.1\r\nHost: x\r\n',
      status: 408,
      message: 'Request timeout',
    },
    {
      what: 'a body that does not end in time',
      bytes: 'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
      status: 408,
      message: 'Request timeout',
    },
  ];
  for (const { what, bytes, status, message } of table) {
    test(`${what}: ${status} ${message}`, async () => {
      const text = await exchange(service.port, bytes);
      assert.deepEqual(responses(text), [envelope(status, message)]);
      assert.match(text, /^connection: close\r$/im);
      assert.match(text, /^content-type: application\/json\r$/im);
    });
  }
});

describe('on a connection with several requests', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n\r\n`;

  test('responses are sent in the order of the requests', async () => {
    const text = await exchange(
      service.port,
      `${get('/book/1')}${get('/books')}${get('/x').replace('Host: x', 'Connection: close\r\nHost: x')}`,
    );
    assert.deepEqual(
      responses(text).map(({ status }) => status),
      [404, 200, 404],
    );
  });

  test('complete requests before CONNECT get their responses first', async () => {
    const text = await exchange(service.port, `${get('/book/1')}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`);
    assert.deepEqual(
      responses(text).map(({ status }) => status),
      [404, 400],
    );
  });

  test('a request gets one response, even if its body is malformed or never ends', async () => {
    const head = 'PUT /book/1 HTTP/1.1\r\nHost: x\r\n';
    for (const rest of ['Content-Length: 9\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n']) {
      const text = await exchange(service.port, head + rest);
      assert.ok(responses(text).length === 1, text);
    }
  });

  test('complete requests before a malformed one get their responses first', async () => {
    const text = await exchange(service.port, `${get('/book/1')}${get('/books')}nonsense\r\n\r\n`);
    assert.deepEqual(
      responses(text).map(({ status }) => status),
      [404, 200, 400],
    );
  });
});

test('an absolute request target works like its path', async () => {
  const request = `GET http://any.example/books?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${service.token}\r\n\r\n`;
  assert.deepEqual(responses(await exchange(service.port, request)), [envelope(400, 'Invalid query')]);
});

test('HTTP/1.0 has no 100 Continue', async () => {
  const text = await exchange(
    service.port,
    'POST /token HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  );
  assert.deepEqual(responses(text), [envelope(400, 'Invalid request payload')]);
});

test('OPTIONS * is a 404', async () => {
  const text = await exchange(service.port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.deepEqual(responses(text), [envelope(404, 'Not found')]);
});

test('HTTP/1.0 needs no Host, and the connection is closed', async () => {
  const text = await exchange(service.port, 'GET /books HTTP/1.0\r\n\r\n');
  assert.deepEqual(responses(text), [envelope(401, 'Authorization token required')]);
});

test('an unsupported upgrade is ignored', async () => {
  const text = await exchange(
    service.port,
    'GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
  );
  assert.deepEqual(responses(text), [envelope(404, 'Not found')]);
});

describe('Expect: 100-continue', () => {
  const head = (token: string) =>
    `POST /book HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${token}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;

  test('gets 100 Continue if the token is valid', async () => {
    const socket = connect(service.port, '127.0.0.1');
    socket.write(head(service.token));
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.equal(first.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    assert.equal(responses(await received(socket))[0]?.status, 201);
  });

  test('is refused before the body if the token is invalid', async () => {
    const text = await exchange(service.port, head('wrong'));
    assert.deepEqual(responses(text), [envelope(401, 'Invalid token')]);
  });

  test('an error before 100 Continue closes the connection: the bytes that follow may be the body', async () => {
    const text = await exchange(
      service.port,
      head('wrong').replace('Connection: close\r\n', '') + 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
      (received) => received.includes('keep-alive'), // The connection would stay open.
    );
    assert.match(text, /^Connection: close\r$/im);
    assert.deepEqual(responses(text), [envelope(401, 'Invalid token')]);
  });
});

test('senders that disconnect early do no harm', async () => {
  const starts = ['', 'GET', 'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'];
  for (const start of starts) {
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(start);
    socket.resetAndDestroy();
  }
  assert.equal((await service.request('GET', '/books', { token: service.token })).status, 200);
  assert.deepEqual(service.log, []);
});

test('many bad requests get the same 400, and the next good one is served', async () => {
  const texts = await Promise.all(Array.from({ length: 50 }, () => exchange(service.port, 'x\r\n\r\n')));
  for (const text of texts) assert.deepEqual(responses(text), [badRequest]);
  assert.equal((await service.request('GET', '/books', { token: service.token })).status, 200);
});
