import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTarget } from '../../src/server/http/request.ts';
import { createRouter } from '../../src/server/routes.ts';
import type { Route } from '../../src/server/routes/route.ts';

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  status: 200,
  message: '',
  operation: { id: '', tag: 'books', summary: '', description: '', data: {} },
  handle: () => ({ data: null }),
});
const router = createRouter([
  route('GET', '/books'),
  route('POST', '/book'),
  route('GET', '/book/{id}'),
  route('PUT', '/book/{id}'),
  route('POST', '/book/{id}/revert'),
  route('GET', '/batch/{batch}'),
]);

describe('method and path -> route and id, or an error', () => {
  const table: [method: string, path: string, expected: string][] = [
    ['GET', '/books', 'GET /books'],
    ['HEAD', '/books', 'GET /books'],
    ['POST', '/book', 'POST /book'],
    ['GET', '/book/7', 'GET /book/{id} 7'],
    ['HEAD', '/book/7', 'GET /book/{id} 7'],
    ['PUT', '/book/anything', 'PUT /book/{id} anything'],
    ['POST', '/book/7/revert', 'POST /book/{id}/revert 7'],
    ['GET', '/batch/x', 'GET /batch/{batch} x'],
    ['GET', '/book/7/revert', 'method_not_allowed POST'],
    ['POST', '/book//revert', 'not_found'],
    ['POST', '/book/7/revert/', 'not_found'],
    ['POST', '/book/7/revert/8', 'not_found'],
    ['GET', '/book/revert', 'GET /book/{id} revert'],
    ['GET', '/book//', 'not_found'],
    ['GET', '//', 'not_found'],
    ['GET', '/book', 'method_not_allowed POST'],
    ['DELETE', '/books', 'method_not_allowed GET, HEAD'],
    ['get', '/books', 'method_not_allowed GET, HEAD'],
    ['DELETE', '/book/7', 'method_not_allowed GET, HEAD, PUT'],
    ['GET', '/book/', 'not_found'],
    ['GET', '/book/7/8', 'not_found'],
    ['GET', '/', 'not_found'],
    ['GET', '', 'not_found'],
    ['GET', '/__proto__', 'not_found'],
    ['constructor', '/books', 'method_not_allowed GET, HEAD'],
  ];
  for (const [method, path, expected] of table) {
    test(`${method} ${path}: ${expected}`, () => {
      let found: string;
      try {
        const match = router(method, path);
        found = `${match.route.method} ${match.route.path} ${match.id ?? ''}`.trim();
      } catch (error) {
        const { code, headers } = error as { code: string; headers?: { Allow?: string } };
        found = `${code} ${headers?.Allow ?? ''}`.trim();
      }
      assert.equal(found, expected);
    });
  }
});

describe('a route for browsers is found only by GET and HEAD that accept HTML', () => {
  const withPage = createRouter([route('GET', '/books'), { ...route('GET', '/'), isForBrowsers: true }]);
  const table: { method: string; path: string; accept: string | undefined; expected: string }[] = [
    { method: 'GET', path: '/', accept: 'text/html', expected: 'GET /' },
    { method: 'HEAD', path: '/', accept: 'image/png, text/html;q=0.1', expected: 'GET /' },
    { method: 'GET', path: '', accept: 'text/html', expected: 'GET /' },
    { method: 'GET', path: '/', accept: undefined, expected: 'not_found' },
    { method: 'GET', path: '/', accept: '*/*', expected: 'not_found' },
    { method: 'GET', path: '/', accept: 'text/html;q=0', expected: 'not_found' },
    { method: 'POST', path: '/', accept: 'text/html', expected: 'not_found' },
    { method: 'GET', path: '/x', accept: 'text/html', expected: 'not_found' },
    { method: 'GET', path: '*', accept: 'text/html', expected: 'not_found' },
    { method: 'GET', path: '/books', accept: 'text/html', expected: 'GET /books' },
  ];
  for (const { method, path, accept, expected } of table) {
    test(`${method} ${path} ${accept ?? '(no Accept)'}: ${expected}`, () => {
      let found: string;
      try {
        const match = withPage(method, path, accept);
        found = `${match.route.method} ${match.route.path}`;
      } catch (error) {
        found = (error as { code: string }).code;
      }
      assert.equal(found, expected);
    });
  }
});

test('a browser that shows an answer to a reader gets a page for a wrong address, too; a program does not', () => {
  const router = createRouter([route('GET', '/books'), { ...route('GET', '/'), isForBrowsers: true }]);
  const { route: found, id } = router('GET', '/nothing/here', 'text/html', true);
  assert.deepEqual([found.path, id], ['/', '/nothing/here']);
  assert.throws(() => router('GET', '/nothing/here', 'text/html'), { code: 'not_found' });
  assert.throws(() => router('GET', '/nothing/here', 'application/json', true), { code: 'not_found' });
  assert.throws(() => router('POST', '/nothing/here', 'text/html', true), { code: 'not_found' });
});

describe('a target and a prefix -> path and query', () => {
  const table: { url: string; prefix: string; path: string; query: string }[] = [
    { url: '/books', prefix: '', path: '/books', query: '' },
    { url: '/books?a=b?c', prefix: '', path: '/books', query: 'a=b?c' },
    { url: 'http://host:1/books?x', prefix: '', path: '/books', query: 'x' },
    { url: 'HTTPS://host/books', prefix: '', path: '/books', query: '' },
    { url: 'http://host', prefix: '', path: '', query: '' },
    { url: '*', prefix: '', path: '*', query: '' },
    { url: '/a/books?x', prefix: '/a', path: '/books', query: 'x' },
    { url: '/ab/books', prefix: '/a', path: '*', query: '' },
    { url: '/a', prefix: '/a', path: '', query: '' },
    { url: '/books', prefix: '/a', path: '*', query: '' },
  ];
  for (const { url, prefix, path, query } of table) {
    test(`${url} below ${JSON.stringify(prefix)}`, () => {
      assert.deepEqual(parseTarget(url, prefix), { path, query });
    });
  }
});
