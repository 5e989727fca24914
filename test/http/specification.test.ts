import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { emptyBook } from '../support/books.ts';
import {
  credentials,
  embeddedStore,
  secretToken,
  startService,
  type RequestOptions,
  type TestService,
} from '../support/service.ts';
import type { Scope } from '../support/temp.ts';
import { exampleBook as emma } from '../../src/catalogue/book.ts';

let service: TestService;
const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
before(async () => {
  service = await startService(wholeFile, await embeddedStore(wholeFile));
});
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const asUser = (options: RequestOptions = {}): RequestOptions => ({ ...options, token: service.token });

async function created(fields: object = emma): Promise<number> {
  const { envelope } = await service.request('POST', '/book', asUser({ body: fields }));
  return (envelope?.data as { id: number }).id;
}

describe('section 4: the table of endpoints', () => {
  test('POST /token, no token: 200 Token generated successfully, the token object', async () => {
    const { envelope } = await service.request('POST', '/token', { body: credentials });
    assert.deepEqual([envelope?.status, envelope?.message], [200, 'Token generated successfully']);
    const { token, ...rest } = envelope?.data as { token: string };
    assert.deepEqual(rest, {});
    const { iat = 0, exp = 0 } = decodeJwt(token);
    assert.equal(exp - iat, 15 * 60);
    assert.ok(Math.abs(iat - Date.now() / 1000) < 5);
  });

  test('POST /book: 201 Book created successfully, the created book, including its id', async () => {
    const { envelope } = await service.request('POST', '/book', asUser({ body: emma }));
    const { id } = envelope?.data as { id: number };
    assert.ok(Number.isInteger(id) && id > 0);
    assert.deepEqual(envelope, { status: 201, message: 'Book created successfully', data: { id, ...emma } });
  });

  test('GET /books: 200 Books retrieved successfully, array of books', async () => {
    const empty = await startService(wholeFile);
    const expected = (data: unknown) => ({ status: 200, message: 'Books retrieved successfully', data });
    const list = async () => (await empty.request('GET', '/books', { token: empty.token })).envelope;
    assert.deepEqual(await list(), expected([]));
    for (const title of ['b', 'a'])
      await empty.request('POST', '/book', { token: empty.token, body: { title } });
    assert.deepEqual(
      await list(),
      expected([
        { id: 1, ...emptyBook, title: 'b' },
        { id: 2, ...emptyBook, title: 'a' },
      ]),
    );
  });

  test('GET /book/{id}: 200 Book retrieved successfully, one book', async () => {
    const id = await created();
    const { envelope } = await service.request('GET', `/book/${id}`, asUser());
    assert.deepEqual(envelope, {
      status: 200,
      message: 'Book retrieved successfully',
      data: { id, ...emma },
    });
  });

  test('PUT /book/{id}: 200 Book updated successfully, the updated book', async () => {
    const id = await created();
    const { envelope } = await service.request('PUT', `/book/${id}`, asUser({ body: { year: 1816 } }));
    const data = { id, ...emma, year: 1816 };
    assert.deepEqual(envelope, { status: 200, message: 'Book updated successfully', data });
  });

  test('DELETE /book/{id}: 200 Book deleted successfully, null; afterwards the book is not found', async () => {
    const id = await created();
    const { envelope } = await service.request('DELETE', `/book/${id}`, asUser());
    assert.deepEqual(envelope, { status: 200, message: 'Book deleted successfully', data: null });
    assert.equal((await service.request('GET', `/book/${id}`, asUser())).envelope?.message, 'Book not found');
  });

  test('DELETE does not check beforehand that the book exists', async () => {
    assert.equal((await service.request('DELETE', '/book/999999', asUser())).status, 200);
  });
});

describe('section 2.1: bodies', () => {
  const bodies: [what: string, body: unknown, data: object][] = [
    ['a missing field is the empty value of its type', {}, emptyBook],
    [
      'an id is not honoured, an unknown field ignored',
      { id: 777, unknown: 1, year: 5 },
      { ...emptyBook, year: 5 },
    ],
    ['1965.0 is the integer 1965', '{"year":1965.0}', { ...emptyBook, year: 1965 }],
    ['space around JSON is JSON', ' \n{"title":"x"}\t', { ...emptyBook, title: 'x' }],
    ['escapes are text', '{"title":"\\u0000\\ud83d\\udcda"}', { ...emptyBook, title: '\u0000\u{1f4da}' }],
  ];
  for (const [what, body, data] of bodies) {
    test(`create: ${what}`, async () => {
      const { envelope } = await service.request('POST', '/book', asUser({ body }));
      const { id, ...fields } = envelope?.data as { id: number };
      assert.deepEqual(fields, data);
      assert.notEqual(id, 777);
      assert.deepEqual((await service.request('GET', `/book/${id}`, asUser())).envelope?.data, {
        id,
        ...data,
      });
    });
  }

  test('update: a missing field keeps its value, an id never changes', async () => {
    const id = await created();
    const update = (body: unknown) => service.request('PUT', `/book/${id}`, asUser({ body }));
    assert.deepEqual((await update({})).envelope?.data, { id, ...emma });
    assert.deepEqual((await update({ id: 1, author: '' })).envelope?.data, { id, ...emma, author: '' });
  });

  test('any Content-Type is read as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', '']) {
      const headers = type === '' ? {} : { 'Content-Type': type };
      assert.equal((await service.request('POST', '/book', asUser({ headers, body: emma }))).status, 201);
    }
  });
});

/** Bodies that are neither book fields nor a login. */
const unreadable: [what: string, body: string | Buffer][] = [
  ['no body', ''],
  ['not JSON', '{title: Emma}'],
  ['cut off', '{"title":"Emma"'],
  ['two values', '{}{}'],
  ['an array', '[]'],
  ['a string', '"Emma"'],
  ['null', 'null'],
  ['not UTF-8', Buffer.from([0x7b, 0x22, 0x74, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', Buffer.from('{"title":"Emma"}', 'utf16le')],
  ['a byte order mark', '\ufeff{}'],
];

describe('section 7: the table of errors', () => {
  const wrongTypes: [what: string, body: string | Buffer][] = [
    ['title a number', '{"title":1}'],
    ['author null', '{"author":null}'],
    ['year a string', '{"year":"1815"}'],
    ['year a fraction', '{"year":1815.5}'],
    ['year too large', '{"year":9007199254740992}'],
    ['half a surrogate pair', '{"title":"\\ud800"}'],
  ];
  for (const [what, body] of [...unreadable, ...wrongTypes]) {
    test(`400 Invalid input: POST /book, ${what}`, async () => {
      await assertError(service.request('POST', '/book', asUser({ body })), 400, 'Invalid input');
    });
    test(`400 Invalid input: PUT /book/{id}, ${what}`, async () => {
      const id = await created();
      await assertError(service.request('PUT', `/book/${id}`, asUser({ body })), 400, 'Invalid input');
      assert.deepEqual((await service.request('GET', `/book/${id}`, asUser())).envelope?.data, {
        id,
        ...emma,
      });
    });
  }

  const noLogin: [what: string, body: string | Buffer][] = [
    ['no username', '{"password":"x"}'],
    ['no password', '{"username":"x"}'],
    ['a password that is not a string', '{"username":"x","password":1}'],
  ];
  for (const [what, body] of [...unreadable, ...noLogin]) {
    test(`400 Invalid request payload: POST /token, ${what}`, async () => {
      await assertError(service.request('POST', '/token', { body }), 400, 'Invalid request payload');
    });
  }

  const { username, password } = credentials;
  for (const body of [
    { username: 'x', password },
    { username, password: 'x' },
    { username: '', password: '' },
  ]) {
    test(`401 Invalid credentials: POST /token, ${JSON.stringify(body).replace(credentials.password, '…')}`, async () => {
      await assertError(service.request('POST', '/token', { body }), 401, 'Invalid credentials');
    });
  }

  const protectedEndpoints: [method: string, path: string][] = [
    ['POST', '/book'],
    ['GET', '/books'],
    ['GET', '/book/1'],
    ['PUT', '/book/1'],
    ['DELETE', '/book/1'],
  ];
  const key = new TextEncoder().encode(secretToken);
  const expired = () => new SignJWT().setProtectedHeader({ alg: 'HS256' }).setExpirationTime('-1s').sign(key);
  for (const [method, path] of protectedEndpoints) {
    test(`401 Authorization token required: ${method} ${path}`, async () => {
      await assertError(service.request(method, path), 401, 'Authorization token required');
      await assertError(service.request(method, path, { token: '' }), 401, 'Authorization token required');
    });
    test(`401 Invalid token: ${method} ${path}`, async () => {
      for (const token of ['nonsense', `Bearer ${service.token}`, `${service.token}x`, await expired()]) {
        await assertError(service.request(method, path, { token }), 401, 'Invalid token');
      }
    });
  }

  for (const [method, path] of protectedEndpoints.slice(2, 4)) {
    test(`404 Book not found: ${method} ${path.replace('1', '{id}')}`, async () => {
      const options = asUser(method === 'PUT' ? { body: '{}' } : {});
      await assertError(service.request(method, '/book/888888', options), 404, 'Book not found');
    });
  }
  for (const id of [
    '0',
    '07',
    '7.0',
    '+7',
    '-7',
    '1e1',
    'abc',
    '%37',
    '9007199254740992',
    '99999999999999999999',
  ]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      test(`404 Book not found: ${method} /book/${id}, which is not an id`, async () => {
        await assertError(service.request(method, `/book/${id}`, asUser()), 404, 'Book not found');
      });
    }
  }
});

describe('the order of checks', () => {
  test('the token is checked before anything else', async () => {
    await assertError(
      service.request('PUT', '/book/abc', { body: 'nonsense' }),
      401,
      'Authorization token required',
    );
    await assertError(
      service.request('POST', '/book', { body: 'nonsense', token: 'x' }),
      401,
      'Invalid token',
    );
    await assertError(service.request('GET', '/books?x=1'), 401, 'Authorization token required');
  });

  test('PUT: a missing book before a bad body', async () => {
    await assertError(service.request('PUT', '/book/888888', asUser({ body: 'x' })), 404, 'Book not found');
  });

  test('POST /token: the body before the credentials', async () => {
    const body = { username: 'wrong' };
    await assertError(service.request('POST', '/token', { body }), 400, 'Invalid request payload');
  });
});

export async function assertError(
  answer: ReturnType<TestService['request']>,
  status: number,
  message: string,
): Promise<void> {
  assert.deepEqual((await answer).envelope, { status, message, data: null });
}
