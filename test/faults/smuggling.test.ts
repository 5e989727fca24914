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
  ['both lengths', create(`Transfer-Encoding: chunked\r\nContent-Length: ${length}`, `0\r\n\r\n${smuggled}`)],
  [
    'both, the other first',
    create('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
  ],
  ['both, and a coding of no name', create('Content-Length: 0\r\nTransfer-Encoding: xchunked', smuggled)],
  ['both, and identity', create('Content-Length: 0\r\nTransfer-Encoding: identity', smuggled)],
  ['two lengths', create(`Content-Length: 0\r\nContent-Length: ${length}`, smuggled)],
  ['one length twice', create('Content-Length: 2\r\nContent-Length: 2', `{}${smuggled}`)],
  ['one length twice, in one header', create('Content-Length: 2, 2', `{}${smuggled}`)],
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
  ['a space before the name', create(' Transfer-Encoding: chunked', `0\r\n\r\n${smuggled}`)],
  [
    'folded into another header',
    create('A: b\r\n\tTransfer-Encoding: chunked\r\nContent-Length: 0', smuggled),
  ],
  ['behind a bare line feed', create('A: b\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`)],
  ['behind a bare carriage return', create('A: b\rTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`)],
  ['chunks in HTTP/1.0', coded(' chunked').replace('HTTP/1.1', 'HTTP/1.0')],
  [
    'chunks and a length in HTTP/1.0',
    create('Content-Length: 0\r\nTransfer-Encoding: chunked', smuggled).replace('1.1', '1.0'),
  ],
  ['line ends without carriage returns', `POST /book HTTP/1.1\nHost: x\nContent-Length: 0\n\n${smuggled}`],
  ['one empty line of the other kind', `GET /x HTTP/1.1\r\nHost: x\r\n\n${smuggled}`],
  ...['+2', '-2', '0x2', ' 2', '2 ', '2\t', '2_', '2\0', '', 'g', '10000000000000002', '2;a\n', '2;a\rb'].map(
    (size): [string, string] => [
      `the chunk size ${JSON.stringify(size)}`,
      chunks(`${size}\r\n{}\r\n0\r\n\r\n`),
    ],
  ),
  ['a chunk that is longer than it says', chunks('1\r\n{}\r\n0\r\n\r\n')],
  ['one that is shorter', chunks('5\r\n{}\r\n0\r\n\r\n')],
  ['chunks without carriage returns', chunks('2\n{}\n0\n\n')],
  ['one line feed behind a size', chunks('2\n{}\r\n0\r\n\r\n')],
  ['one line feed behind a chunk', chunks('2\r\n{}\n0\r\n\r\n')],
  ['one line feed at the end', chunks('2\r\n{}\r\n0\r\n\n')],
  ['an extension that never ends', chunks(`2;${'a'.repeat(20_000)}`)],
  ['extensions without end', chunks(`2;${'a'.repeat(500)}\r\n{}\r\n`.repeat(100))],
  ['trailers that never end', chunks(`2\r\n{}\r\n0\r\nA: ${'x'.repeat(100_000)}`)],
  ['a length in a trailer', chunks('2\r\n{}\r\n0\r\nContent-Length: 90\r\n\r\n')],
  ['a coding in a trailer', chunks('2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n')],
  ['a folded trailer', chunks('2\r\n{}\r\n0\r\nA: b\r\n c\r\n\r\n')],
  ['a trailer without a colon', chunks('2\r\n{}\r\n0\r\nA\r\n\r\n')],
];

describe('where a body ends is not clear: one answer, a 4xx or none, and nothing behind it is a request', () => {
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

  test('no book was made of any of them', async () => {
    const { envelope } = await service.request('GET', '/books', { token: service.token });
    assert.deepEqual(envelope?.data, []);
    assert.deepEqual(service.log, []);
  });
});

describe('where it is clear, it ends there', { concurrency: true }, () => {
  const rows: [what: string, bytes: string, statuses: number[]][] = [
    ['a request in a body is a part of it', create(`Content-Length: ${length}`, smuggled), [400]],
    [
      'so it is in a body of GET',
      `GET /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${smuggled}`,
      [404],
    ],
    [
      'a length under another name is none',
      create('Content_Length: 99\r\nContent-Length: 2', `{}${smuggled}`),
      [201, 404],
    ],
    ['a coding in capitals', coded(' CHUNKED'), [201, 404]],
    ['a tab before it', coded('\tchunked'), [201, 404]],
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

  test('a token in a trailer is none', async () => {
    const head = 'POST /book HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const bytes = `${head}2\r\n{}\r\n0\r\nAuthorization: ${service.token}\r\n\r\n`;
    const answers = responses(await exchange(service.port, bytes));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401],
    );
  });
});

describe('what comes behind the last request of a connection is none', () => {
  const rows: [what: string, bytes: string, status: number][] = [
    ['after Connection: close', 'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['after HTTP/1.0', 'GET /x HTTP/1.0\r\n\r\n', 404],
    ['after what is refused', 'GET /x HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
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
