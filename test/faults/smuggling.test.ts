import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { exchange, responses } from '../support/raw.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const service: TestService = await startService(wholeFile, { requestTimeoutMs: 1000 });
service.server.keepAliveTimeout = 100; // So that a connection ends where nothing more is answered.

/** What an attacker would have a proxy take for a part of a body, and the service for a request. */
const smuggled = 'DELETE /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
const { length } = smuggled;

const create = (head: string, body: string) =>
  `POST /book HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.token}\r\n${head}\r\n\r\n${body}`;
/** A body that has ended, if the coding is chunked. */
const coded = (coding: string) => create(`Transfer-Encoding:${coding}`, `2\r\n{}\r\n0\r\n\r\n${smuggled}`);
const chunks = (body: string) => create('Transfer-Encoding: chunked', body + smuggled);

const table: [what: string, bytes: string][] = [
  [
    'Transfer-Encoding before Content-Length',
    create(`Transfer-Encoding: chunked\r\nContent-Length: ${length}`, `0\r\n\r\n${smuggled}`),
  ],
  [
    'both, the other first',
    create('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
  ],
  [
    'Content-Length and an unknown transfer coding',
    create('Content-Length: 0\r\nTransfer-Encoding: xchunked', smuggled),
  ],
  [
    'Content-Length and the transfer coding identity',
    create('Content-Length: 0\r\nTransfer-Encoding: identity', smuggled),
  ],
  [
    'two different values of Content-Length',
    create(`Content-Length: 0\r\nContent-Length: ${length}`, smuggled),
  ],
  [
    'Content-Length twice with the same value',
    create('Content-Length: 2\r\nContent-Length: 2', `{}${smuggled}`),
  ],
  ['Content-Length with the same value twice in one header', create('Content-Length: 2, 2', `{}${smuggled}`)],
  ...['+2', '-2', '0x2', '2e0', '2.0', '2 2', '2;', '2_', "'2'", '', '18446744073709551618'].map(
    (each): [string, string] => [`the length ${each}`, create(`Content-Length: ${each}`, `{}${smuggled}`)],
  ),
  ...[
    ' xchunked',
    ' chunkedx',
    ' chunked, identity',
    ' identity, chunked',
    ' identity',
    ' chunked, chunked',
    ' chunked,',
    ' ,chunked',
    ' "chunked"',
    ' chunked;q=1',
    ' chunked\0',
    '\x0bchunked',
    '\x0cchunked',
    ' gzip',
    ' chunked, gzip',
    ' chunked\r\nTransfer-Encoding: chunked',
    ' chunked\r\nTransfer-Encoding: identity',
    ' identity\r\nTransfer-Encoding: chunked',
    '\r\n chunked',
    '\r\n\tchunked',
    ' \nTransfer-Encoding: chunked',
  ].map((coding): [string, string] => [`the coding ${JSON.stringify(coding)}`, coded(coding)]),
  ...[' ', '\t', '\x0b', '\0', '\r'].map((space): [string, string] => [
    `${JSON.stringify(space)} before the colon`,
    create(`Transfer-Encoding${space}: chunked`, `0\r\n\r\n${smuggled}`),
  ]),
  [
    'a space before the name of Transfer-Encoding',
    create(' Transfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
  ],
  [
    'Transfer-Encoding on a folded line of another header',
    create('A: b\r\n\tTransfer-Encoding: chunked\r\nContent-Length: 0', smuggled),
  ],
  [
    'Transfer-Encoding after a bare line feed',
    create('A: b\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
  ],
  [
    'Transfer-Encoding after a bare carriage return',
    create('A: b\rTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
  ],
  ['a chunked body in HTTP/1.0', coded(' chunked').replace('HTTP/1.1', 'HTTP/1.0')],
  [
    'a chunked body with Content-Length in HTTP/1.0',
    create('Content-Length: 0\r\nTransfer-Encoding: chunked', smuggled).replace('1.1', '1.0'),
  ],
  [
    'header lines that end with a line feed only',
    `POST /book HTTP/1.1\nHost: x\nContent-Length: 0\n\n${smuggled}`,
  ],
  ['an empty line that ends with a line feed only', `GET /x HTTP/1.1\r\nHost: x\r\n\n${smuggled}`],
  ...['+2', '-2', '0x2', ' 2', '2 ', '2\t', '2_', '2\0', '', 'g', '10000000000000002', '2;a\n', '2;a\rb'].map(
    (size): [string, string] => [
      `the chunk size ${JSON.stringify(size)}`,
      chunks(`${size}\r\n{}\r\n0\r\n\r\n`),
    ],
  ),
  ['a chunk longer than its size', chunks('1\r\n{}\r\n0\r\n\r\n')],
  ['a chunk shorter than its size', chunks('5\r\n{}\r\n0\r\n\r\n')],
  ['chunk lines that end with a line feed only', chunks('2\n{}\n0\n\n')],
  ['a chunk size that ends with a line feed only', chunks('2\n{}\r\n0\r\n\r\n')],
  ['a chunk that ends with a line feed only', chunks('2\r\n{}\n0\r\n\r\n')],
  ['a last line that ends with a line feed only', chunks('2\r\n{}\r\n0\r\n\n')],
  ['a chunk extension that does not end', chunks(`2;${'a'.repeat(20_000)}`)],
  ['chunk extensions of 50 kB in all', chunks(`2;${'a'.repeat(500)}\r\n{}\r\n`.repeat(100))],
  ['a trailer of 100 kB that does not end', chunks(`2\r\n{}\r\n0\r\nA: ${'x'.repeat(100_000)}`)],
  ['Content-Length in a trailer', chunks('2\r\n{}\r\n0\r\nContent-Length: 90\r\n\r\n')],
  ['Transfer-Encoding in a trailer', chunks('2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n')],
  ['a folded trailer', chunks('2\r\n{}\r\n0\r\nA: b\r\n c\r\n\r\n')],
  ['a trailer without a colon', chunks('2\r\n{}\r\n0\r\nA\r\n\r\n')],
];

describe('a request with an ambiguous end gets at most one response, a 4xx, and nothing after it is a request', () => {
  for (const [what, bytes] of table) {
    test(what, async () => {
      const logged = service.requests.length;
      const answers = responses(await exchange(service.port, bytes));
      assert.ok(answers.length <= 1, JSON.stringify(answers));
      for (const { status, body } of answers) {
        assert.ok(status >= 400 && status < 500, body);
        const { status: same, data } = JSON.parse(body) as { status: number; data: unknown };
        assert.deepEqual([same, data], [status, null]);
      }
      const seen = service.requests.slice(logged).filter((line) => line.includes('/smuggled'));
      assert.deepEqual(seen, []);
    });
  }

  test('none of these requests created a book', async () => {
    const { envelope } = await service.request('GET', '/books', { token: service.token });
    assert.deepEqual(envelope?.data, []);
    assert.deepEqual(service.log, []);
  });
});

describe('a request with an unambiguous end', { concurrency: true }, () => {
  const rows: [what: string, bytes: string, statuses: number[]][] = [
    ['a body that looks like a request is a body', create(`Content-Length: ${length}`, smuggled), [400]],
    [
      'a body of GET that looks like a request is a body',
      `GET /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${smuggled}`,
      [404],
    ],
    [
      'Content_Length is another header',
      create('Content_Length: 99\r\nContent-Length: 2', `{}${smuggled}`),
      [201, 404],
    ],
    ['CHUNKED in capitals', coded(' CHUNKED'), [201, 404]],
    ['a tab before chunked', coded('\tchunked'), [201, 404]],
    ['a chunk with an extension', chunks('2;a=b\r\n{}\r\n0\r\n\r\n'), [201, 404]],
  ];
  for (const [what, bytes, statuses] of rows) {
    test(what, async () => {
      const answers = responses(await exchange(service.port, bytes));
      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
      );
    });
  }

  test('a token in a trailer is ignored', async () => {
    const head = 'POST /book HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const bytes = `${head}2\r\n{}\r\n0\r\nAuthorization: ${service.token}\r\n\r\n`;
    const answers = responses(await exchange(service.port, bytes));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401],
    );
  });
});

describe('bytes after the last request of a connection are not a request', () => {
  const rows: [what: string, bytes: string, status: number][] = [
    [
      'after a request with Connection: close',
      'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
    ],
    ['after a request in HTTP/1.0', 'GET /x HTTP/1.0\r\n\r\n', 404],
    ['after a refused request', 'GET /x HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
  ];
  for (const [what, bytes, status] of rows) {
    test(what, async () => {
      const logged = service.requests.length;
      const answers = responses(await exchange(service.port, bytes + smuggled));
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [status],
      );
      assert.equal(service.requests.slice(logged).filter((line) => line.includes('/smuggled')).length, 0);
    });
  }
});
