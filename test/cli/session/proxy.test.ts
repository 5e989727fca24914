import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { proxyFor, supportsProxies } from '../../../src/cli/session/proxy.ts';

const proxy = 'http://proxy.test:3128';

describe('the proxy for an address', () => {
  const table: [url: string, env: Record<string, string>, expected: string | undefined][] = [
    ['https://books.test', { HTTPS_PROXY: proxy }, proxy],
    ['https://books.test', { https_proxy: proxy, HTTPS_PROXY: 'http://other.test' }, proxy],
    ['https://books.test', {}, undefined],
    ['https://books.test', { HTTPS_PROXY: '' }, undefined],
    // It would read the token.
    ['http://books.test', { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, undefined],
    ['https://localhost:8080', { HTTPS_PROXY: proxy }, undefined],
    ['https://127.0.0.1:8080', { HTTPS_PROXY: proxy }, undefined],
    ['https://[::1]:8080', { HTTPS_PROXY: proxy }, undefined],
    ['https://books.test', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
    ['https://books.test', { HTTPS_PROXY: proxy, NO_PROXY: 'other.test, books.test' }, undefined],
    ['https://a.books.test', { HTTPS_PROXY: proxy, NO_PROXY: '.books.test' }, undefined],
    ['https://a.books.test', { HTTPS_PROXY: proxy, no_proxy: '*.BOOKS.test' }, undefined],
    ['https://mybooks.test', { HTTPS_PROXY: proxy, NO_PROXY: 'books.test' }, proxy],
    ['https://books.test', { HTTPS_PROXY: proxy, NO_PROXY: 'books.test:443' }, undefined],
    ['https://books.test:8443', { HTTPS_PROXY: proxy, NO_PROXY: 'books.test:443' }, proxy],
    ['https://books.test', { HTTPS_PROXY: proxy, NO_PROXY: ',' }, proxy],
  ];
  for (const [url, env, expected] of table) {
    test(`${url} with ${JSON.stringify(env)}: ${expected ?? 'none'}`, () => {
      assert.equal(proxyFor(url, env), expected);
    });
  }
});

test('Node can use it from 22.21 and 24.5 on', () => {
  const known = ['20.20.2', '22.20.0', '22.21.0', '23.9.0', '24.4.1', '24.5.0', '26.0.0'];
  assert.deepEqual(known.map(supportsProxies), [false, false, true, false, false, true, true]);
});
