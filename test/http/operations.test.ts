import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createClient, openStore, ShelflistError } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { storedBook } from '../support/books.ts';
import { shelflist } from '../support/cli.ts';
import { exchange } from '../support/raw.ts';
import { credentials, startService, type RequestOptions, type TestService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';
import { fakeTime } from '../support/time.ts';

let service: TestService;
const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
before(async () => {
  service = await startService(wholeFile);
  const client = createClient({ url: service.url, token: service.token });
  await client.create({ title: 'Emma' });
  client.close();
});
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('health checks', () => {
  const never = new Promise<never>(() => undefined);
  const damage = new ShelflistError('store_damaged', { message: 's3cret' });
  const none = () => Promise.resolve({ books: [], isLast: true });
  const ready = { find: none, checkWrites: () => Promise.resolve() };
  const refuse = () => Promise.reject(new ShelflistError('unavailable', { message: 'a full disk' }));
  const failing = (replaced: Partial<CompleteStore>) => stubStore(new Error('s3cret'), replaced);
  const table: { what: string; store: CompleteStore; status: number; isDamaged?: boolean }[] = [
    { what: 'a list, a search and a write would succeed', store: failing(ready), status: 200 },
    {
      what: 'the first book is damaged',
      store: failing({ ...ready, find: () => Promise.reject(damage) }),
      status: 200,
    },
    { what: 'the store is damaged', store: stubStore(damage), status: 503, isDamaged: true },
    { what: 'the store is unreachable', store: stubStore(new ShelflistError('unavailable')), status: 503 },
    { what: 'the store throws an unexpected error', store: failing({}), status: 503 },
    { what: 'the store does not answer', store: failing({ ...ready, find: () => never }), status: 503 },
    {
      what: 'only lists fail',
      store: failing({ ...ready, find: ({ q }) => (q === undefined ? refuse() : none()) }),
      status: 503,
    },
    {
      what: 'only searches fail',
      store: failing({ ...ready, find: ({ q }) => (q === undefined ? none() : refuse()) }),
      status: 503,
    },
    { what: 'only writes fail', store: failing({ ...ready, checkWrites: refuse }), status: 503 },
  ];
  for (const { what, store, status, isDamaged = false } of table) {
    test(`${what}: ${status}, and alive`, async (t) => {
      const asked = await startService(t, { store });
      const answer = await asked.request('GET', '/readyz');
      const message = status === 200 ? 'Ready' : 'Service unavailable';
      assert.deepEqual(answer.envelope, { status, message, data: null });
      assert.equal(answer.headers['retry-after'], status === 503 ? '5' : undefined);
      assert.equal(answer.headers['x-store'], isDamaged ? 'damaged' : undefined);
      assert.equal(asked.log.length, status === 503 ? 1 : 0);
      const alive = await asked.request('GET', '/livez');
      assert.deepEqual(alive.envelope, { status: 200, message: 'Alive', data: null });
    });
  }

  test('detect that the store of an embedder cannot write, by an update that changes nothing', async (t) => {
    const { checkWrites, ...store } = await openStore('memory:');
    assert.equal(typeof checkWrites, 'function', 'it is left out of the store of the embedder');
    const updates: unknown[][] = [];
    const update = (...args: unknown[]) => {
      updates.push(args);
      return refuse();
    };
    const asked = await startService(t, { store: { ...store, update } });
    assert.equal((await asked.request('GET', '/readyz')).status, 503);
    assert.deepEqual(updates, [[Number.MAX_SAFE_INTEGER, {}]]);
  });

  test('ask the store once a second, whatever comes, for a word that is rare', async (t) => {
    const time = fakeTime(t);
    const asks: (string | undefined)[] = [];
    const find: CompleteStore['find'] = ({ q }) => {
      asks.push(q);
      return none();
    };
    const asked = await startService(t, { store: failing({ ...ready, find }) });
    const ask = async () => (await asked.request('GET', '/readyz')).status;
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [200, 200, 200]);
    assert.equal(await ask(), 200);
    assert.deepEqual(asks, [undefined, 'readyz']);
    time.pass(1000);
    assert.equal(await ask(), 200);
    assert.equal(asks.length, 4);
  });

  test('support HEAD, and refuse other methods', async () => {
    for (const path of ['/livez', '/readyz']) {
      const head = await service.request('HEAD', path);
      assert.deepEqual([head.status, head.text], [200, '']);
      const post = await service.request('POST', path);
      assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('work below the prefix only', async (t) => {
    const mounted = await startService(t, { prefix: '/catalogue' });
    for (const path of ['/livez', '/readyz']) {
      assert.equal((await mounted.request('GET', `/catalogue${path}`)).status, 200);
      assert.equal((await mounted.request('GET', path)).status, 404);
    }
  });
});

describe('X-Request-Id', () => {
  const table: [what: string, given: string | undefined, isKept: boolean][] = [
    ['one character', 'a', true],
    ['every kind of character', 'Az09._~-', true],
    ['128 characters', 'x'.repeat(128), true],
    ['129 characters', 'x'.repeat(129), false],
    ['none', undefined, false],
    ['an empty one', '', false],
    ['a space', 'a b', false],
    ['a quote', 'a"b', false],
    ['a letter beyond ASCII', 'é', false],
  ];
  for (const [what, given, isKept] of table) {
    test(`${what} is ${isKept ? 'kept' : 'replaced'}`, async () => {
      const headers = given === undefined ? {} : { 'X-Request-Id': given };
      const { 'x-request-id': id = '' } = (await service.request('GET', '/livez', { headers })).headers;
      if (isKept) assert.equal(id, given);
      else assert.match(id as string, uuid);
    });
  }

  test('two headers are ignored', async () => {
    const two = 'X-Request-Id: a\r\nX-Request-Id: b\r\n';
    const text = await exchange(
      service.port,
      `GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${two}\r\n`,
    );
    assert.match(/^x-request-id: (.*)\r$/im.exec(text)?.[1] ?? '', uuid);
  });

  test('is in the log line of a failure', async (t) => {
    const failing = await startService(t, { store: stubStore(new Error('a failure')) });
    const headers = { 'X-Request-Id': 'the-id-of-this-test' };
    await failing.request('GET', '/books', { token: failing.token, headers });
    assert.equal(failing.log.length, 1);
    assert.match(failing.log[0] ?? '', /"requestId":"the-id-of-this-test"/);
  });
});

describe('headers of every response', () => {
  const table: { method: string; path: string; status: number; cache: string; options?: RequestOptions }[] = [
    { method: 'POST', path: '/token', status: 200, cache: 'no-store', options: { body: credentials } },
    {
      method: 'POST',
      path: '/token',
      status: 401,
      cache: 'no-store',
      options: { body: { ...credentials, password: 'wrong' } },
    },
    { method: 'POST', path: '/book', status: 201, cache: 'private, no-cache', options: { body: {} } },
    { method: 'POST', path: '/book', status: 400, cache: 'no-store', options: { body: '[' } },
    { method: 'GET', path: '/books', status: 200, cache: 'private, no-cache' },
    { method: 'GET', path: '/books', status: 401, cache: 'no-store', options: { token: 'wrong' } },
    { method: 'GET', path: '/book/1', status: 200, cache: 'private, no-cache' },
    { method: 'HEAD', path: '/book/1', status: 200, cache: 'private, no-cache' },
    { method: 'GET', path: '/book/999', status: 404, cache: 'no-store' },
    { method: 'HEAD', path: '/book/999', status: 404, cache: 'no-store' },
    { method: 'PUT', path: '/book/1', status: 200, cache: 'private, no-cache', options: { body: {} } },
    { method: 'DELETE', path: '/book/1', status: 200, cache: 'private, no-cache' },
    { method: 'PATCH', path: '/book/1', status: 405, cache: 'no-store' },
    { method: 'GET', path: '/nothing', status: 404, cache: 'no-store' },
    { method: 'GET', path: '/livez', status: 200, cache: 'no-store' },
    { method: 'GET', path: '/readyz', status: 200, cache: 'no-store' },
  ];
  for (const { method, path, status, cache, options } of table) {
    test(`${method} ${path}, ${status}: ${cache}`, async () => {
      const answer = await service.request(method, path, { token: service.token, ...options });
      assert.equal(answer.status, status);
      assert.equal(answer.headers['cache-control'], cache);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.match(answer.headers['x-request-id'] as string, uuid);
    });
  }

  test('of a list of several pages', async (t) => {
    const store = stubStore(new Error('unused'), {
      version: () => Promise.resolve('1'),
      events: () => Promise.resolve({ events: [], position: '1', isCurrent: true }),
      async *iterate() {
        for (const id of [1, 2, 3]) yield Promise.resolve([storedBook(id)]);
      },
    });
    const listing = await startService(t, { store });
    const { headers } = await listing.request('GET', '/books', { token: listing.token });
    assert.equal(headers['transfer-encoding'], 'chunked');
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.match(headers['x-request-id'] as string, uuid);
  });

  test('of malformed HTTP', async () => {
    const text = await exchange(service.port, 'nonsense\r\n\r\n');
    assert.match(text, /^cache-control: no-store\r$/im);
    assert.match(text, /^x-content-type-options: nosniff\r$/im);
  });
});

describe('CORS', () => {
  const origin = 'https://books.example';
  const exposed =
    'Date, ETag, Link, X-Match, X-Total-Count, X-Request-Id, Retry-After, X-Progress, X-Store, X-Error-Code, Idempotency-Replayed';
  let some: TestService;
  let all: TestService;
  before(async () => {
    some = await startService(wholeFile, { corsOrigins: [origin, 'http://localhost:3000'] });
    all = await startService(wholeFile, { corsOrigins: ['*'] });
  });

  test('off: without its headers; OPTIONS lists the methods, without a token', async () => {
    const { status, headers, text } = await service.request('OPTIONS', '/books', {
      headers: { Origin: origin },
    });
    assert.deepEqual([status, text, headers.vary], [204, '', undefined]);
    assert.equal(headers.allow, 'GET, HEAD, POST, OPTIONS');
    assert.ok(!Object.keys(headers).some((name) => name.startsWith('access-control-')));
  });

  const table: {
    what: string;
    to: () => TestService;
    given: string | undefined;
    allowed: string | undefined;
    vary: string | undefined;
  }[] = [
    { what: 'an origin that is named', to: () => some, given: origin, allowed: origin, vary: 'Origin' },
    {
      what: 'another one',
      to: () => some,
      given: 'http://localhost:3000',
      allowed: 'http://localhost:3000',
      vary: 'Origin',
    },
    {
      what: 'one that is not named',
      to: () => some,
      given: 'https://evil.example',
      allowed: undefined,
      vary: 'Origin',
    },
    {
      what: 'one that begins with it',
      to: () => some,
      given: `${origin}.evil.example`,
      allowed: undefined,
      vary: 'Origin',
    },
    { what: 'null', to: () => some, given: 'null', allowed: undefined, vary: 'Origin' },
    { what: 'none', to: () => some, given: undefined, allowed: undefined, vary: 'Origin' },
    {
      what: 'any, where every one may',
      to: () => all,
      given: 'https://evil.example',
      allowed: '*',
      vary: undefined,
    },
  ];
  for (const { what, to, given, allowed, vary } of table) {
    test(`${what}: ${allowed ?? 'refused'}`, async () => {
      const headers = given === undefined ? {} : { Origin: given };
      for (const path of ['/books', '/book/999', '/nothing', '/livez']) {
        const answer = await to().request('GET', path, { headers, token: to().token });
        assert.equal(answer.headers['access-control-allow-origin'], allowed);
        assert.equal(answer.headers['access-control-expose-headers'], allowed && exposed);
        // The list depends on `Accept` as well.
        const varies = [vary, path === '/books' ? 'Accept' : undefined].filter((name) => name !== undefined);
        assert.equal(answer.headers.vary, varies.length === 0 ? undefined : varies.join(', '));
        assert.equal(answer.headers['access-control-allow-credentials'], undefined);
      }
    });
  }

  const preflights: [path: string, methods: string][] = [
    ['/token', 'POST'],
    ['/books', 'GET, HEAD, POST'],
    ['/book', 'POST'],
    ['/book/7', 'GET, HEAD, PUT, DELETE'],
    // Otherwise the page would not see the 404, but a refused preflight.
    ['/book/none', 'GET, HEAD, PUT, DELETE'],
    ['/livez', 'GET, HEAD'],
  ];
  for (const [path, methods] of preflights) {
    test(`OPTIONS ${path}: ${methods}, without a token`, async () => {
      const { status, text, headers } = await some.request('OPTIONS', path, {
        headers: { Origin: origin, 'Access-Control-Request-Method': 'PUT' },
      });
      assert.deepEqual([status, text], [204, '']);
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.equal(headers['access-control-allow-methods'], methods);
      assert.equal(
        headers['access-control-allow-headers'],
        'Authorization, Batch, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id',
      );
      assert.equal(headers['access-control-max-age'], '600');
      assert.equal(headers.allow, `${methods}, OPTIONS`);
      assert.equal(headers.vary, 'Origin');
    });
  }

  test('OPTIONS from another origin is refused', async () => {
    const { headers } = await some.request('OPTIONS', '/books', {
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' },
    });
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  test('OPTIONS of an unknown path is a 404, and other methods work as before', async () => {
    assert.equal((await some.request('OPTIONS', '/nothing')).status, 404);
    const { status, headers } = await some.request('PATCH', '/books');
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, POST, OPTIONS']);
  });
});

describe('the access log has a line per request', () => {
  const table: { method: string; path: string; status: number; logged: string; options?: RequestOptions }[] =
    [
      { method: 'GET', path: '/books', status: 200, logged: '/books' },
      { method: 'GET', path: '/books?s3cret=1', status: 400, logged: '/books' },
      { method: 'GET', path: '/book/999', status: 404, logged: '/book/999' },
      {
        method: 'POST',
        path: '/token',
        status: 401,
        logged: '/token',
        options: { body: { username: 's3cret', password: 's3cret' } },
      },
      { method: 'GET', path: '/books', status: 401, logged: '/books', options: { token: 's3cret' } },
    ];
  for (const { method, path, status, logged, options } of table) {
    test(`${method} ${path}, ${status}`, async () => {
      service.requests.length = 0;
      const headers = { 'X-Request-Id': 'an-id' };
      await service.request(method, path, { token: service.token, headers, ...options });
      const [line = '', ...more] = service.requests;
      assert.deepEqual(more, []);
      const { durationMs, ...fields } = JSON.parse(line.replace(/^request /, '')) as Record<string, unknown>;
      assert.ok(typeof durationMs === 'number' && durationMs > 0 && durationMs < 10_000);
      assert.deepEqual(fields, { requestId: 'an-id', address: '127.0.0.1', method, path: logged, status });
      assert.doesNotMatch(line, new RegExp(`s3cret|${service.token}`));
    });
  }
});

describe('a request with a traceparent', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

  test('has its trace in the log, and how long it took in Server-Timing, also in an error', async () => {
    for (const [path, status] of [
      ['/books', 200],
      ['/book/999', 404],
    ] as const) {
      service.requests.length = 0;
      const answer = await service.request('GET', path, { token: service.token, headers });
      assert.equal(answer.status, status);
      assert.match(String(answer.headers['server-timing']), /^total;dur=\d+\.\d$/);
      assert.match(service.requests[0] ?? '', new RegExp(`"traceId":"${traceId}"`));
    }
  });

  test('is in the log line of a failure', async (t) => {
    const failing = await startService(t, { store: stubStore(new Error('a failure')) });
    await failing.request('GET', '/books', { token: failing.token, headers });
    assert.match(failing.log[0] ?? '', new RegExp(`"traceId":"${traceId}"`));
  });

  test('others get no Server-Timing', async () => {
    const answer = await service.request('GET', '/books', { token: service.token });
    assert.equal(answer.headers['server-timing'], undefined);
  });
});

describe('GET /metrics', () => {
  test('off: a 404', async () => {
    assert.equal((await service.request('GET', '/metrics')).status, 404);
  });

  test('counts responses by method, route and status, without labels from requests', async (t) => {
    const counted = await startService(t, { metrics: true });
    const { token } = counted;
    const uses: [method: string, path: string, times: number][] = [
      ['GET', '/books', 3],
      ['HEAD', '/books', 1],
      ['GET', '/book/7', 1],
      ['GET', '/book/8', 1],
      ['PATCH', '/books', 1],
      ['GET', '/a-strangers-path', 1],
    ];
    for (const [method, path, times] of uses)
      for (let i = 0; i < times; i++) await counted.request(method, path, { token });
    const answer = await fetch(`${counted.url}/metrics`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const text = await answer.text();
    assert.match(text, /^(# (HELP|TYPE) \S+ .+\n|\w+(\{(\w+="[^"\n]*",?)+\})? [0-9.e+-]+\n)+$/);
    const requests = text.split('\n').filter((line) => line.startsWith('shelflist_requests_total{'));
    const line = (method: string, route: string, status: number, value: number) =>
      `shelflist_requests_total{method="${method}",route="${route}",status="${status}"} ${value}`;
    assert.deepEqual(requests, [
      line('POST', '/token', 200, 1),
      line('GET', '/books', 200, 3),
      line('HEAD', '/books', 200, 1),
      line('GET', '/book/{id}', 404, 2),
      line('none', 'none', 405, 1),
      line('none', 'none', 404, 1),
    ]);
    const labels = 'method="GET",route="/books"';
    assert.ok(text.includes(`\nshelflist_request_duration_seconds_bucket{${labels},le="+Inf"} 3\n`));
    assert.ok(text.includes(`\nshelflist_request_duration_seconds_count{${labels}} 3\n`));
    const buckets = text
      .split('\n')
      .filter((each) => each.startsWith(`shelflist_request_duration_seconds_bucket{${labels}`))
      .map((each) => Number(each.split(' ')[1]));
    assert.equal(buckets.length, 14);
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
    );
    assert.match(text, /^shelflist_store_duration_seconds_count\{operation="get"\} 2$/m);
    assert.match(text, /^process_resident_memory_bytes [1-9]\d+$/m);
    assert.match(text, /^process_cpu_seconds_total [0-9.]+$/m);
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds [0-9.e-]+$/m);
    const start = Number(/^process_start_time_seconds (\d+)$/m.exec(text)?.[1]);
    assert.ok(Math.abs(start - performance.timeOrigin / 1000) < 2, `${start}`);
    assert.match(text, /^shelflist_failed_logins_total 0$/m);
    assert.doesNotMatch(text, /stranger/);
  });

  test('counts the books and the failed logins', async (t) => {
    const counted = await startService(t, { metrics: true });
    const { token } = counted;
    for (const title of ['Emma', 'Persuasion'])
      await counted.request('POST', '/book', { token, body: { title } });
    for (const password of ['a', 'b', 'c'])
      await counted.request('POST', '/token', { body: { username: 'librarian', password } });
    const text = await (await fetch(`${counted.url}/metrics`)).text();
    assert.match(text, /^shelflist_books 2$/m);
    assert.match(text, /^shelflist_failed_logins_total 3$/m);
  });

  test('has no number of books while the store does not answer', async (t) => {
    const store = stubStore(new ShelflistError('unavailable'));
    const counted = await startService(t, { metrics: true, store });
    const response = await fetch(`${counted.url}/metrics`);
    assert.equal(response.status, 200);
    const text = await response.text();
    assert.doesNotMatch(text, /^shelflist_books/m);
    assert.match(text, /^shelflist_build_info\{version="[^"]+",node="[^"]+"\} 1$/m);
  });

  test('has the sizes of an embedded store and its disk, and the time of its last backup', async (t) => {
    const cwd = await temporaryFolder(t);
    const databaseUrl = `file:${join(cwd, 'data')}`;
    const counted = await startService(t, { metrics: true, databaseUrl });
    const read = async () => {
      const text = await (await fetch(`${counted.url}/metrics`)).text();
      return (name: string) => {
        const value = new RegExp(`^shelflist_${name} ([0-9.e+]+)$`, 'm').exec(text)?.[1];
        return value === undefined ? undefined : Number(value);
      };
    };
    const { token } = counted;
    await counted.request('POST', '/book', { token, body: { title: 'Emma' } });
    const before = await read();
    assert.equal(before('last_backup_timestamp_seconds'), undefined);
    assert.equal(before('history_size_bytes'), 0);
    assert.ok((before('database_size_bytes') ?? 0) > 1000);
    assert.ok((before('wal_size_bytes') ?? 0) > 0);
    assert.ok((before('disk_free_bytes') ?? 0) <= (before('disk_size_bytes') ?? 0));
    await counted.request('PUT', '/book/1', { token, body: { year: 1815 } });
    const begun = Math.floor(Date.now() / 1000);
    // A backup that cannot be written is none.
    const failed = await shelflist(['backup', 'none/x.backup', '--database-url', databaseUrl], { cwd });
    assert.equal(failed.code, 1);
    assert.equal((await read())('last_backup_timestamp_seconds'), undefined);
    const { code, stderr } = await shelflist(['backup', 'x.backup', '--database-url', databaseUrl], { cwd });
    assert.equal(code, 0, stderr);
    const after = await read();
    assert.ok((after('history_size_bytes') ?? 0) > 0);
    assert.ok((after('last_backup_timestamp_seconds') ?? 0) >= begun);
    // A copy of the folder that gives its files another time makes no other backup.
    const mark = join(cwd, 'data/.last-backup');
    await utimes(mark, 1, 1);
    assert.ok(((await read())('last_backup_timestamp_seconds') ?? 0) >= begun);
    // Another user may make the backups.
    if (process.platform !== 'win32') assert.equal((await stat(mark)).mode & 0o444, 0o444);
    // A link in its place is replaced, not followed: root may make the backup.
    const other = join(cwd, 'other');
    await writeFile(other, 'mine');
    await rm(mark);
    await symlink(other, mark);
    await shelflist(['backup', 'y.backup', '--database-url', databaseUrl], { cwd });
    assert.equal((await lstat(mark)).isFile(), true);
    assert.equal(await readFile(other, 'utf8'), 'mine');
    assert.ok(((await read())('last_backup_timestamp_seconds') ?? 0) >= begun);
    // A restored store has no backup yet, whatever was in its folder.
    await mkdir(join(cwd, 'new'));
    await writeFile(join(cwd, 'new/.last-backup'), '1\n');
    await shelflist(['restore', 'x.backup', '--database-url', `file:${join(cwd, 'new')}`], { cwd });
    assert.deepEqual(await readdir(join(cwd, 'new')), ['shelflist.db']);
  });

  test('omits what a store of an embedder does not measure as it should', async (t) => {
    const memory = await openStore('memory:');
    for (const measure of [
      () => {
        throw new Error('a store that throws');
      },
      () => Promise.resolve({ databaseBytes: 'x"\ny 1', walBytes: Number.NaN } as object),
    ]) {
      const counted = await startService(t, { metrics: true, store: { ...memory, measure } });
      const text = await (await fetch(`${counted.url}/metrics`)).text();
      assert.match(text, /^shelflist_books 0$/m);
      assert.doesNotMatch(text, /^(?:shelflist_(?:database|wal)_size_bytes|y) /m);
    }
  });

  test('HEAD has no body', async (t) => {
    const counted = await startService(t, { metrics: true });
    const head = await counted.request('HEAD', '/metrics');
    assert.deepEqual([head.status, head.text], [200, '']);
  });
});
