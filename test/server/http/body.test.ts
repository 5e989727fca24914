import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { exampleBook as emma, fieldsOf } from '../../../src/catalogue/book.ts';
import { createHandler, openStore } from '../../../src/index.ts';
import {
  emptyObject,
  json,
  multipart,
  nextPages,
  raw,
  text,
  urlencoded,
  type BodyParser,
} from './body-parsers.ts';
import { bookOf } from '../../support/books.ts';
import { collectInto, credentials, secretToken, sendRequest, type Answer } from '../../support/service.ts';

const before = bookOf({ title: 'before' });

const curlsType = 'application/x-www-form-urlencoded';
const jsonType = 'application/json';

const store = await openStore('memory:');
const log: string[] = [];
const books = await createHandler({
  secretToken,
  authUsername: credentials.username,
  authPassword: credentials.password,
  store,
  bodyLimitBytes: 200_000,
  bulkLimitBytes: 400_000,
  logger: collectInto(log),
});
after(() => books.close());

/** Another server, with parsers in front of the handler. */
async function mount(parsers: readonly BodyParser[]): Promise<string> {
  const run = async (request: http.IncomingMessage) => {
    for (const parser of parsers) await parser(request);
  };
  const server = http.createServer((request, response) => {
    run(request).then(
      () => {
        books(request, response);
      },
      () => {
        response.writeHead(400).end('{"status":400,"message":"of the parser","data":null}');
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const bare = await mount([]);
const login = await sendRequest(bare, 'POST', '/token', { body: credentials });
const { token } = login.envelope?.data as { token: string };

interface Sent {
  body: string | Buffer;
  type: string;
  headers?: Record<string, string>;
}

/** One operation with a body: how it is sent, and what it has changed. */
interface Operation {
  body: unknown;
  success: number;
  send: (url: string, sent: Sent) => Promise<{ answer: Answer; stored: unknown }>;
  /** What is stored after a success, and otherwise. */
  expected: { sent: unknown; nothing: unknown };
}

async function newest(count: number): Promise<unknown[]> {
  const all = [];
  for await (const page of store.iterate()) all.push(...page);
  return all.slice(-count).map(fieldsOf);
}

const post =
  (path: string) =>
  async (url: string, { body, type, headers }: Sent) => {
    await store.create(before);
    const answer = await sendRequest(url, 'POST', path, {
      token,
      body,
      headers: { 'Content-Type': type, ...headers },
    });
    return { answer, stored: await newest(1) };
  };

const operations: Record<string, Operation> = {
  create: {
    body: emma,
    success: 201,
    send: post('/book'),
    expected: { sent: [emma], nothing: [before] },
  },
  bulk: {
    body: [emma],
    success: 200,
    send: post('/books'),
    expected: { sent: [emma], nothing: [before] },
  },
  update: {
    body: emma,
    success: 200,
    async send(url, { body, type, headers }) {
      const { id } = await store.create(before);
      const answer = await sendRequest(url, 'PUT', `/book/${id}`, {
        token,
        body,
        headers: { 'Content-Type': type, ...headers },
      });
      return { answer, stored: await newest(1) };
    },
    expected: { sent: [emma], nothing: [before] },
  },
  login: {
    body: credentials,
    success: 200,
    async send(url, { body, type, headers }) {
      const answer = await sendRequest(url, 'POST', '/token', {
        body,
        headers: { 'Content-Type': type, ...headers },
      });
      return { answer, stored: typeof (answer.envelope?.data as { token?: string } | null)?.token };
    },
    expected: { sent: 'string', nothing: 'undefined' },
  },
};

const setups: [name: string, parsers: BodyParser[], readsCurlsType: boolean][] = [
  ['no parser', [], true],
  ['json', [json], true],
  ['json, version 1', [json, emptyObject], true],
  ['urlencoded', [urlencoded], false],
  ['json and urlencoded', [json, urlencoded], false],
  ['raw', [raw], true],
  ['text', [text], true],
  ['the pages API of Next', [nextPages], false],
];

for (const [name, parsers, readsCurlsType] of setups) {
  describe(`behind ${name}, a body is used unchanged or refused`, async () => {
    const url = await mount(parsers);
    for (const [what, { body, success, send, expected }] of Object.entries(operations)) {
      const whole = JSON.stringify(body);

      test(`${what}: as JSON`, async () => {
        const { answer, stored } = await send(url, { body: whole, type: `${jsonType}; charset=utf-8` });
        assert.equal(answer.status, success);
        assert.deepEqual(stored, expected.sent);
      });

      test(`${what}: as curl's default type`, async () => {
        log.length = 0;
        const { answer, stored } = await send(url, { body: whole, type: curlsType });
        assert.equal(answer.status, readsCurlsType ? success : 500);
        assert.deepEqual(stored, readsCurlsType ? expected.sent : expected.nothing);
        if (!readsCurlsType) assert.match(log.join(), /mount shelflist before body parsers/);
      });

      for (const type of [jsonType, curlsType]) {
        for (const headers of [{ 'Content-Length': '0' }, { 'Transfer-Encoding': 'chunked' }]) {
          test(`${what}: empty, as ${type} with ${Object.keys(headers).join()}`, async () => {
            const { answer, stored } = await send(url, { body: '', type, headers });
            // A JSON parser makes `{}` of it, which was not sent.
            const isUnsure =
              'Transfer-Encoding' in headers &&
              [json, nextPages].some((parser) => parsers.includes(parser)) &&
              type === jsonType;
            const isForm =
              'Transfer-Encoding' in headers &&
              [urlencoded, nextPages].some((parser) => parsers.includes(parser)) &&
              type === curlsType;
            assert.equal(answer.status, isUnsure || isForm ? 500 : 400);
            assert.deepEqual(stored, expected.nothing);
          });
        }
      }

      test(`${what}: as JSON that is longer than the limit`, async () => {
        const long =
          what === 'bulk' ? Array(8).fill({ title: 'x'.repeat(60_000) }) : { title: 'x'.repeat(300_000) };
        for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
          const { answer, stored } = await send(url, { body: JSON.stringify(long), type: jsonType, headers });
          assert.equal(answer.status, 413);
          assert.deepEqual(stored, expected.nothing);
        }
      });

      test(`${what}: bytes that are not UTF-8`, async () => {
        const broken = Buffer.from(whole.replace(/Emma|librarian/, 'Emm\xe9'), 'latin1');
        const { answer, stored } = await send(url, { body: broken, type: jsonType });
        assert.ok(answer.status >= 400);
        assert.deepEqual(stored, expected.nothing);
      });
    }
  });
}

describe('a body may be as long as the limit, and no longer', () => {
  const padded = (length: number, wrap: (title: string) => unknown) => {
    const bare = JSON.stringify(wrap('')).length;
    return JSON.stringify(wrap('x'.repeat(length - bare)));
  };
  const paths: [path: string, limit: number, wrap: (title: string) => unknown, success: number][] = [
    ['/book', 200_000, (title) => ({ title }), 201],
    ['/books', 400_000, (title) => [{ title }], 200],
  ];
  for (const [name, parsers] of setups.slice(0, 2))
    for (const [path, limit, wrap, success] of paths)
      for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }])
        test(`${path} behind ${name}, ${Object.values(headers).join() || 'of a known length'}`, async () => {
          const url = await mount(parsers);
          for (const [length, status] of [
            [limit, success],
            [limit + 1, 413],
          ] as const) {
            const { answer } = await post(path)(url, { body: padded(length, wrap), type: jsonType, headers });
            assert.equal(answer.status, status, `${length} bytes`);
          }
        });
});

test('a declared length of one byte more than the limit is refused before the body is sent', async () => {
  const headers = { Authorization: token, 'Content-Length': 200_001, 'Content-Type': jsonType };
  const request = http.request(`${bare}/book`, { method: 'POST', headers });
  request.on('error', () => undefined); // It is ended before its body is sent.
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  assert.equal(response.statusCode, 413);
  request.destroy();
});

describe('a body that other code has read is refused', () => {
  const refused: [what: string, parsers: BodyParser[], sent: Sent][] = [
    [
      'as an empty object of another type',
      [multipart],
      { body: '{"title":"A"}', type: 'multipart/form-data' },
    ],
    ['as an empty object that was not empty', [multipart], { body: '{"title":"A"}', type: jsonType }],
    [
      'as an empty object of unknown length',
      [json],
      { body: '{}', type: jsonType, headers: { 'Transfer-Encoding': 'chunked' } },
    ],
    [
      'when nothing is left of it',
      [
        async (request) => {
          await once(request.resume(), 'end');
        },
      ],
      { body: '{}', type: jsonType },
    ],
    [
      'when it was changed',
      [
        raw,
        (request) => {
          request.body = Buffer.from('[]');
          return Promise.resolve();
        },
      ],
      { body: '{"title":"A"}', type: jsonType },
    ],
    [
      'as text of another charset',
      [text],
      { body: '{"title":"é"}', type: 'application/json; charset=iso-8859-1' },
    ],
    ['as text with U+FFFD', [text], { body: '{"title":"\ufffd"}', type: 'text/plain' }],
    [
      'as a value that is not JSON',
      [
        json,
        (request) => {
          request.body = { title: 1n };
          return Promise.resolve();
        },
      ],
      { body: '{"title":"A"}', type: jsonType },
    ],
  ];
  for (const [what, parsers, sent] of refused) {
    test(what, async () => {
      const url = await mount(parsers);
      for (const { send, expected } of [operations.create, operations.update].flatMap((each) => each ?? [])) {
        log.length = 0;
        const { answer, stored } = await send(url, sent);
        assert.deepEqual(answer.envelope, { status: 500, message: 'Internal server error', data: null });
        assert.deepEqual(stored, expected.nothing);
        assert.match(log.join(), /cannot recover the request body.*mount shelflist before/);
      }
    });
  }

  test('while other code reads it', async () => {
    const url = await mount([
      async (request) => {
        request.on('data', () => undefined);
        await once(request, 'data');
      },
    ]);
    const create = operations.create ?? assert.fail();
    const { answer } = await create.send(url, { body: `{"title":"${'x'.repeat(190_000)}"}`, type: jsonType });
    assert.equal(answer.status, 500);
  });
});

test('an empty object sent as JSON is a book, behind a JSON parser, too', async () => {
  const url = await mount([json]);
  for (const body of ['{}', '{}\n']) {
    const { answer } = await (operations.create ?? assert.fail()).send(url, { body, type: jsonType });
    assert.equal(answer.status, 201);
  }
});
