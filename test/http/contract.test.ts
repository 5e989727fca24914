import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hasCode } from '../../src/catalogue/errors.ts';
import { createClient, ShelflistError } from '../../src/index.ts';
import { storedBook } from '../support/books.ts';
import { isOwnServer } from '../support/faces.ts';
import {
  credentials,
  embeddedStore,
  startService,
  type RequestOptions,
  type TestService,
} from '../support/service.ts';
import type { Scope } from '../support/temp.ts';
import { stubStore } from '../support/stub-store.ts';

let service: TestService;
const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
before(async () => {
  service = await startService(wholeFile, { bodyLimitBytes: 1000, ...(await embeddedStore(wholeFile)) });
});
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

describe('errors that the specification does not list', () => {
  const table: { status: number; message: string; method: string; path: string; options?: RequestOptions }[] =
    [
      { status: 400, message: 'Invalid query', method: 'GET', path: '/books?x=1' },
      { status: 400, message: 'Invalid query', method: 'GET', path: '/books?limit' },
      { status: 404, message: 'Not found', method: 'GET', path: '/' },
      { status: 404, message: 'Not found', method: 'GET', path: '/books/' },
      { status: 404, message: 'Not found', method: 'GET', path: '/book/' },
      { status: 404, message: 'Not found', method: 'GET', path: '/book/1/' },
      { status: 404, message: 'Not found', method: 'GET', path: '/Books' },
      { status: 404, message: 'Not found', method: 'GET', path: '//books' },
      { status: 404, message: 'Not found', method: 'POST', path: '/token/1' },
      { status: 405, message: 'Method not allowed', method: 'GET', path: '/token' },
      { status: 405, message: 'Method not allowed', method: 'DELETE', path: '/books' },
      { status: 405, message: 'Method not allowed', method: 'GET', path: '/book' },
      { status: 405, message: 'Method not allowed', method: 'PATCH', path: '/book/1' },
      { status: 405, message: 'Method not allowed', method: 'TRACE', path: '/books' },
      {
        status: 413,
        message: 'Request body too large',
        method: 'POST',
        path: '/book',
        options: { body: `{"title":"${'x'.repeat(1000)}"}` },
      },
      {
        status: 413,
        message: 'Request body too large',
        method: 'POST',
        path: '/token',
        options: { body: 'x'.repeat(2_000_000) },
      },
      {
        status: 415,
        message: 'Unsupported content encoding',
        method: 'POST',
        path: '/book',
        options: { body: gzipSync('{}'), headers: { 'Content-Encoding': 'gzip' } },
      },
      {
        status: 415,
        message: 'Unsupported content encoding',
        method: 'POST',
        path: '/book',
        options: { body: gzipSync('{}'), headers: { 'Transfer-Encoding': 'gzip, chunked' } },
      },
    ];
  // In the server of an embedder, node:http answers these.
  if (isOwnServer)
    table.push(
      {
        status: 417,
        message: 'Expectation failed',
        method: 'POST',
        path: '/book',
        options: { body: '{}', headers: { Expect: 'the-moon' } },
      },
      {
        status: 431,
        message: 'Request header fields too large',
        method: 'GET',
        path: '/books',
        options: { headers: { 'X-Long': 'x'.repeat(20_000) } },
      },
    );
  for (const { status, message, method, path, options } of table) {
    test(`${status} ${message}: ${method} ${path}`, async () => {
      const answer = await service.request(method, path, { token: service.token, ...options });
      assert.deepEqual(answer.envelope, { status, message, data: null });
    });
  }

  test('405 lists the supported methods in Allow', async () => {
    const allow = async (path: string) => (await service.request('PATCH', path)).headers.allow;
    assert.equal(await allow('/token'), 'POST, OPTIONS');
    assert.equal(await allow('/book'), 'POST, OPTIONS');
    assert.equal(await allow('/books'), 'GET, HEAD, POST, OPTIONS');
    assert.equal(await allow('/book/7'), 'GET, HEAD, PUT, DELETE, OPTIONS');
  });

  test('413 also for a body without a length, sent in chunks', async () => {
    const headers = { 'Transfer-Encoding': 'chunked' };
    const answer = await service.request('POST', '/book', {
      token: service.token,
      headers,
      body: 'x'.repeat(5000),
    });
    assert.equal(answer.status, 413);
  });

  test('PUT of a missing book is 404 even when its body is too large', async () => {
    const answer = await service.request('PUT', '/book/999', {
      token: service.token,
      body: 'x'.repeat(5000),
    });
    assert.equal(answer.status, 404);
  });

  test('an empty query string on /books is ignored', async () => {
    for (const path of ['/books?', '/books?&']) {
      assert.equal((await service.request('GET', path, { token: service.token })).status, 200);
    }
  });

  test('429 Too many attempts, with Retry-After, after 20 failed logins; tokens stay valid', async () => {
    const limited = await startService(wholeFile);
    const login = (password: string) =>
      limited.request('POST', '/token', { body: { ...credentials, password } });
    for (let i = 0; i < 20; i++) assert.equal((await login('wrong')).status, 401);
    for (const password of ['wrong', credentials.password]) {
      const { envelope, headers } = await login(password);
      assert.deepEqual(envelope, { status: 429, message: 'Too many attempts', data: null });
      assert.match(headers['retry-after'] ?? '', /^[1-3]$/);
    }
    assert.equal((await limited.request('GET', '/books', { token: limited.token })).status, 200);
  });
});

describe('a store that fails', () => {
  const failures: { what: string; error: Error; status: number; message: string }[] = [
    {
      what: 'cannot be reached',
      error: new ShelflistError('unavailable', { cause: new Error('the disk is full: s3cret') }),
      status: 503,
      message: 'Service unavailable',
    },
    {
      what: 'holds a record that is not a book',
      error: new ShelflistError('store_damaged', { message: 's3cret' }),
      status: 500,
      message: 'Internal server error',
    },
    {
      what: 'throws an unexpected error',
      error: new Error('s3cret'),
      status: 500,
      message: 'Internal server error',
    },
  ];
  for (const { what, error, status, message } of failures) {
    test(`${what}: ${status} ${message}; DELETE keeps its 404; details only in the log`, async (t) => {
      const failing = await startService(t, { store: stubStore(error) });
      const uses: [method: string, path: string, body?: unknown][] = [
        ['POST', '/book', {}],
        ['GET', '/books'],
        ['GET', '/book/1'],
        ['PUT', '/book/1', {}],
      ];
      for (const [method, path, body] of uses) {
        const { envelope, headers } = await failing.request(method, path, { token: failing.token, body });
        assert.deepEqual(envelope, { status, message, data: null });
        assert.equal(headers['retry-after'], status === 503 ? '5' : undefined);
        assert.equal(headers['x-store'], hasCode(error, 'store_damaged') ? 'damaged' : undefined);
      }
      const { envelope } = await failing.request('DELETE', '/book/1', { token: failing.token });
      assert.deepEqual(envelope, { status: 404, message: 'Book not found', data: null });
      assert.equal(failing.log.length, uses.length + 1);
      for (const line of failing.log) assert.match(line, /s3cret/);
    });
  }

  test('while a list is sent breaks the connection', async (t) => {
    const failing = await startService(t, {
      store: stubStore(new Error('never'), {
        version: () => Promise.resolve('1'),
        events: () => Promise.resolve({ events: [], position: '1', isCurrent: true }),
        async *iterate() {
          for (let id = 1; id <= 2; id++) yield Promise.resolve([storedBook(id)]);
          throw new ShelflistError('unavailable');
        },
      }),
    });
    await assert.rejects(failing.request('GET', '/books', { token: failing.token }), { code: 'ECONNRESET' });
  });

  test('a book deleted between lookup and save is a 404', async (t) => {
    const store = stubStore(new Error('never'), {
      get: () => Promise.resolve(storedBook(1)),
      update: () => Promise.resolve(undefined),
    });
    const racing = await startService(t, { store });
    const { envelope } = await racing.request('PUT', '/book/1', { token: racing.token, body: {} });
    assert.deepEqual(envelope, { status: 404, message: 'Book not found', data: null });
  });
});

describe('HEAD', () => {
  test('works wherever GET does, without a body', async () => {
    await service.request('POST', '/book', { token: service.token, body: { title: 'Emma' } });
    for (const path of ['/books', '/book/1', '/book/999', '/books?x=1', '/nothing']) {
      const get = await service.request('GET', path, { token: service.token });
      const head = await service.request('HEAD', path, { token: service.token });
      assert.deepEqual([head.status, head.text], [get.status, '']);
      assert.equal(head.headers['content-length'], get.headers['content-length']);
    }
    assert.equal((await service.request('HEAD', '/token')).status, 405);
  });
});

test('with ACCEPT_BEARER, Bearer and the bare token are accepted', async (t) => {
  const lenient = await startService(t, { acceptBearer: true });
  for (const token of [lenient.token, `Bearer ${lenient.token}`, `bearer  ${lenient.token}`]) {
    assert.equal((await lenient.request('GET', '/books', { token })).status, 200);
  }
  assert.equal((await lenient.request('GET', '/books', { token: 'Bearer' })).status, 401);
});

test('a list longer than a page is one array, by id', async (t) => {
  const service = await startService(t);
  const { url, token } = service;
  const count = 2500;
  const client = createClient({ url, token });
  const books = Array.from({ length: count }, (_, year) => ({ title: '', author: '', year }));
  await Promise.all(books.slice(0, 300).map((book) => client.create(book)));
  await service.request('POST', '/books', { token, body: books.slice(300) });
  const { envelope, headers, text } = await service.request('GET', '/books', { token });
  const ids = (envelope?.data as { id: number }[]).map((book) => book.id);
  assert.deepEqual(
    ids,
    Array.from({ length: count }, (_, i) => i + 1),
  );
  const length = String(Buffer.byteLength(text));
  assert.equal(headers['content-length'], length);
  const head = await service.request('HEAD', '/books', { token });
  assert.deepEqual([head.text, head.headers['content-length']], ['', length]);
  client.close();
});
