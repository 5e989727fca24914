import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ask, browse, browserAccept, type RawAnswer } from '../../support/page.ts';
import { startService } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const config = { databaseUrl: 'memory:', corsOrigins: ['https://other.example'], metrics: true };
const withPage = await startService(wholeFile, { ...config, page: true });
const without = await startService(wholeFile, config);

/** The bytes of a response, except its date. */
const bytesOf = ({ status, rawHeaders, text }: RawAnswer) => [
  status,
  rawHeaders.filter((name, i) => name !== 'Date' && rawHeaders[i - 1] !== 'Date'),
  text,
];

describe('a request that a page does not answer gets the same bytes as from a service without a page', () => {
  const table: [method: string, path: string, headers: Record<string, string>][] = [
    ['GET', '/', {}],
    ['GET', '/', { Accept: '*/*' }],
    ['GET', '/', { Accept: 'application/json' }],
    ['GET', '/', { Accept: 'text/html;q=0' }],
    ['GET', '/', { Accept: 'text/html; q=0.000, */*' }],
    ['GET', '/', { Accept: 'text/*' }],
    ['GET', '/', { Accept: 'application/xhtml+xml' }],
    ['GET', '/', { Accept: 'text/html5' }],
    ['GET', '/', { Accept: 'x-text/html' }],
    ['GET', '/?q=harry', {}],
    ['HEAD', '/', {}],
    ['HEAD', '/', { Accept: 'application/json' }],
    ['POST', '/', { Accept: browserAccept }],
    ['PUT', '/', { Accept: browserAccept }],
    ['DELETE', '/', { Accept: browserAccept }],
    ['OPTIONS', '/', { Accept: browserAccept }],
    ['OPTIONS', '/', { Origin: 'https://other.example', 'Access-Control-Request-Method': 'GET' }],
    ['GET', '//', { Accept: browserAccept }],
    ['GET', '/index.html', { Accept: browserAccept }],
    ['GET', '/nothing', { Accept: browserAccept }],
    ['GET', '/book/1', { Accept: browserAccept }],
    ['GET', '/books', { Accept: browserAccept }],
    ['GET', '/livez', { Accept: browserAccept }],
    ['GET', '/token', { Accept: browserAccept }],
    ['GET', '/assets', {}],
    ['GET', '/assets/', {}],
    ['GET', '/assets/nothing.js', { Accept: browserAccept }],
    ['GET', '/assets/../books', {}],
    ['GET', '/assets/a/b', {}],
  ];
  for (const [method, path, headers] of table) {
    test(`${method} ${path} ${JSON.stringify(headers)}`, async () => {
      const options = { method, headers: { 'X-Request-Id': 'same', ...headers } };
      const expected = await ask(without.url + path, options);
      assert.deepEqual(bytesOf(await ask(withPage.url + path, options)), bytesOf(expected));
      assert.equal(expected.text === '' || expected.headers['content-type'] === 'application/json', true);
    });
  }

  test('without a page, a browser gets it too', async () => {
    const { status, text } = await ask(without.url, { headers: { Accept: browserAccept } });
    assert.deepEqual([status, text], [404, '{"status":404,"message":"Not found","data":null}']);
  });
});

describe('a request whose Accept includes text/html gets the page', () => {
  for (const accept of [
    browserAccept,
    'text/html',
    'TEXT/HTML',
    'application/json, text/html;q=0.1',
    'text/html;level=1',
    'text/html;charset=utf-8;q=0.5',
    '*/*,\ttext/html',
  ]) {
    test(accept, async () => {
      const page = await browse(withPage.url, { Accept: accept });
      assert.equal(page.status, 200);
      assert.match(page.text, /^<!doctype html>/);
    });
  }

  test('HEAD has the same headers', async () => {
    const headers = { Accept: 'text/html', 'X-Request-Id': 'same' };
    const get = await ask(withPage.url, { headers });
    const head = await ask(withPage.url, { method: 'HEAD', headers });
    assert.deepEqual(bytesOf(head), [200, bytesOf(get)[1], '']);
  });

  test('a cache keeps the answers for each Accept and Accept-Language apart, and asks again', async () => {
    const { headers } = await browse(withPage.url);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers.vary, 'Origin, Accept, Accept-Encoding, Accept-Language');
    const again = await ask(withPage.url, {
      headers: { Accept: 'text/html', 'If-None-Match': headers.etag },
    });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', headers.etag]);
    const german = await browse(withPage.url, { 'Accept-Language': 'de' });
    assert.notEqual(german.headers.etag, headers.etag);
  });
});

test('metrics name the paths of the page, not those that clients invent', async () => {
  const service = await startService(wholeFile, { ...config, page: true });
  await browse(service.url);
  for (const name of ['a.js', 'b.js']) await ask(`${service.url}/assets/${name}`);
  for (const path of ['/', '/invented']) await ask(service.url + path);
  const { text } = await ask(`${service.url}/metrics`);
  const labels = [...text.matchAll(/^shelflist_requests_total\{(.*)\} (\d+)$/gm)].map(
    ([, a, b]) => `${a} ${b}`,
  );
  assert.deepEqual(labels.sort(), [
    'method="GET",route="/",status="200" 1',
    'method="GET",route="/assets/{asset}",status="404" 2',
    'method="POST",route="/token",status="200" 1',
    'method="none",route="none",status="404" 2',
  ]);
});
