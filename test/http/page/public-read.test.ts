import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { documentText, operationsOf, parseDocument, type Parameter } from '../../support/document.ts';
import { openStream } from '../../support/event-stream.ts';
import { ask } from '../../support/page.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';
import type { AnyConfig } from '../../../src/server/config.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

/** What everybody may read. Everything else needs a token, or never needs one. */
const reading = ['/books', '/book/{id}', '/stats', '/suggest', '/corrections', '/authors', '/changes'];
const always = [
  '/',
  '/assets/{asset}',
  '/robots.txt',
  '/sitemap.xml',
  '/opensearch.xml',
  '/token',
  '/token/exchange',
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
];

const options = { metrics: true, page: true } satisfies Partial<AnyConfig>;
const operations = operationsOf(parseDocument(await documentText(options)));

let open: TestService;
let closed: TestService;
before(async () => {
  open = await startService(wholeFile, { ...options, databaseUrl: 'memory:', publicRead: true });
  closed = await startService(wholeFile, { ...options, databaseUrl: 'memory:' });
  for (const service of [open, closed]) {
    const { status } = await service.request('POST', '/book', {
      token: service.token,
      body: { title: 'Emma' },
    });
    assert.equal(status, 201);
  }
});

/** The status of a request that reads no further than the head. */
async function statusOf(url: string, method: string, token?: string): Promise<number> {
  const abort = new AbortController();
  const headers = token === undefined ? {} : { Authorization: token };
  const { status } = await fetch(url, { method, headers, signal: abort.signal });
  abort.abort(); // The stream of changes does not end.
  return status;
}

const queryOf = (parameters: Parameter[] = []) => {
  const required = parameters.filter((each) => each.in === 'query' && each.required);
  return required.map(({ name, schema }) => `?${name}=${String((schema.enum as unknown[])[0])}`).join('');
};

describe('who may do what, for each operation', () => {
  for (const { method, path, operation } of operations) {
    const isReading = reading.includes(path) && ['GET', 'HEAD'].includes(method);
    const isAlways = always.includes(path) || method === 'OPTIONS';
    const target =
      path.replace('{id}', '1').replace('{batch}', 'a-batch-id').replace('{asset}', 'none') +
      queryOf(operation.parameters);
    const who = isAlways ? 'anybody, with any token' : isReading ? 'anybody, by PUBLIC_READ' : 'with a token';
    test(`${method} ${path}: ${who}`, async () => {
      const refused = async (url: string, token?: string) =>
        (await statusOf(url + target, method, token)) === 401;
      if (path === '/token' || path === '/token/exchange') return; // Their bodies decide.
      assert.equal(await refused(open.url), !isAlways && !isReading, 'PUBLIC_READ, without a token');
      assert.equal(await refused(closed.url), !isAlways, 'without a token');
      for (const { url } of [open, closed])
        assert.equal(await refused(url, 'invalid'), !isAlways, 'with an invalid token');
      if (isReading) assert.equal(await refused(open.url, open.token), false, 'with a token');
    });
  }

  test('the table above has every path of the page and of the API', () => {
    const paths = new Set(operations.map(({ path }) => path));
    for (const path of [...reading, ...always]) assert.ok(paths.has(path), path);
  });
});

test('an answer without a token is the same as with one, and is cached the same', async () => {
  for (const path of [
    '/books',
    '/books?q=emma&limit=1&count=true',
    '/book/1',
    '/stats',
    '/suggest?field=title',
  ]) {
    const [anonymous, known] = await Promise.all(
      [undefined, open.token].map((token) =>
        ask(open.url + path, {
          headers: { 'X-Request-Id': 'same', ...(token !== undefined && { Authorization: token }) },
        }),
      ),
    );
    assert.equal(anonymous?.status, 200);
    assert.equal(anonymous.text, known?.text);
    const withoutDate = ({ date: _, ...headers }: Record<string, unknown>) => headers;
    assert.deepEqual(withoutDate(anonymous.headers), withoutDate(known?.headers ?? {}));
    assert.equal(anonymous.headers['cache-control'], 'private, no-cache');
  }
});

test('an empty Authorization counts as none', async () => {
  const { status } = await open.request('GET', '/books', { token: '' });
  assert.equal(status, 200);
});

test('changes reach a reader without a token', async (t) => {
  const stream = await openStream(t, open.url);
  await open.request('PUT', '/book/1', { token: open.token, body: { year: 1815 } });
  const [event] = await stream.until(1);
  assert.deepEqual(event?.data, { id: 1, change: 'updated' });
});

test('the stream of a reader without a token ends after 15 minutes', async (t) => {
  const service = await startService(t, { databaseUrl: 'memory:', publicRead: true });
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  const stream = await openStream(t, service.url);
  let hasEnded = false;
  const ended = stream.ended.then(() => {
    hasEnded = true;
  });
  t.mock.timers.tick(15 * 60_000 - 1000);
  await service.request('GET', '/livez');
  assert.equal(hasEnded, false);
  t.mock.timers.tick(1001);
  await ended;
});

test('the login of a proxy does not count as a token of a reader; tokens are checked, and writes need one', async () => {
  const statusOf = async (method: string, path: string, token: string) =>
    (await open.request(method, path, { token, body: method === 'POST' ? {} : undefined })).status;
  assert.equal(await statusOf('GET', '/books', 'Basic dXNlcjpwYXNz'), 200);
  assert.equal(await statusOf('GET', '/book/1', 'Digest username="x"'), 200);
  for (const token of ['garbage', 'Bearer garbage', `Bearer ${open.token}`])
    assert.equal(await statusOf('GET', '/books', token), 401, token);
  assert.equal(await statusOf('POST', '/book', 'Basic dXNlcjpwYXNz'), 401);
  assert.equal((await closed.request('GET', '/books', { token: 'Basic dXNlcjpwYXNz' })).status, 401);
});
