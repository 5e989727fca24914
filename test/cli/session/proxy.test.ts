import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { createHttpFetch } from '../../../src/cli/session/connection.ts';
import { createTunnelAgent, noteOnProxy, proxyFor } from '../../../src/cli/session/proxy.ts';
import { startProxy } from '../../support/tunnels.ts';

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
    ['https://BOOKS.test', { HTTPS_PROXY: proxy, NO_PROXY: 'Books.Test' }, undefined],
    ['https://192.0.2.7', { HTTPS_PROXY: proxy, NO_PROXY: '192.0.2.7' }, undefined],
    ['https://192.0.2.7', { HTTPS_PROXY: proxy, NO_PROXY: '192.0.2.0/24' }, undefined],
    ['https://192.0.3.7', { HTTPS_PROXY: proxy, NO_PROXY: '192.0.2.0/24,192.0.2.7' }, proxy],
    ['https://[2001:db8::7]', { HTTPS_PROXY: proxy, NO_PROXY: '2001:DB8::/32' }, undefined],
    ['https://[2001:db8::7]:8443', { HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::7]:8443' }, undefined],
    ['https://[2001:db8::7]', { HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::7]:8443,[2001:db8::8]' }, proxy],
  ];
  for (const [url, env, expected] of table) {
    test(`${url} with ${JSON.stringify(env)}: ${expected ?? 'none'}`, () => {
      assert.equal(proxyFor(url, env), expected);
    });
  }
});

describe('an error of a connection says what the environment names', () => {
  const table: [url: string, env: Record<string, string>, expected: RegExp | undefined][] = [
    ['https://books.test', { HTTPS_PROXY: proxy }, /goes through the proxy .+ add the host to NO_PROXY/],
    ['https://books.test', { HTTP_PROXY: proxy }, undefined],
    ['http://books.test', { HTTP_PROXY: proxy }, /HTTP_PROXY is not used, .+ use an https:\/\/ address/],
    ['http://books.test', { http_proxy: proxy }, /HTTP_PROXY is not used/],
    ['http://books.test', { http_proxy: proxy, NO_PROXY: 'books.test:80' }, undefined],
    ['http://127.0.0.1:8080', { http_proxy: proxy }, undefined],
  ];
  for (const [url, env, expected] of table)
    test(`${url} with ${JSON.stringify(env)}`, () => {
      const note = noteOnProxy(url, env);
      if (expected === undefined) assert.equal(note, undefined);
      else assert.match(note ?? '', expected);
    });
});

describe('the error of a proxy says what to set, without its password', () => {
  const get = (HTTPS_PROXY: string, signal?: AbortSignal) =>
    createHttpFetch({ HTTPS_PROXY })('https://books.test/livez', {
      method: 'GET',
      headers: {},
      redirect: 'manual',
      ...(signal && { signal }),
    });
  const login = 'me:hush-of-this-test';

  test('a proxy that wants a login', async (t) => {
    const { host } = await startProxy(t, { login: 'me:another' });
    const says = new RegExp(
      `^the proxy ${host} needs another login; write it into HTTPS_PROXY, as in \\S+; the connection goes`,
    );
    for (const address of [`http://${host}`, `http://${login}@${host}`])
      await assert.rejects(get(address), ({ message, cause }: Error) => {
        assert.match(message, says);
        assert.doesNotMatch(`${message} ${String(cause)}`, /hush/);
        return true;
      });
  });

  test('a proxy that refuses the service', async (t) => {
    const { host } = await startProxy(t, { status: 403 });
    await assert.rejects(get(`http://${login}@${host}`), {
      message: new RegExp(
        `^the proxy ${host} refuses to connect to books\\.test:443 \\(403\\); .+ add the host to NO_PROXY$`,
      ),
    });
  });

  test('a proxy that is not there', async (t) => {
    const proxy = await startProxy(t);
    await proxy.stop();
    await assert.rejects(get(`http://${login}@${proxy.host}`), {
      message: new RegExp(`^cannot connect to the proxy ${proxy.host}: ECONNREFUSED; correct HTTPS_PROXY; `),
    });
  });

  test('every status of success opens a tunnel', async (t) => {
    const { host } = await startProxy(t, { status: 201 }); // It ends the tunnel at once.
    await assert.rejects(get(`http://${host}`), /^Error: the connection broke before/);
  });

  test(
    'a proxy that does not answer keeps no connection after the request',
    { timeout: 10_000 },
    async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] }); // The proxy gets all the time it wants.
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      const connection = once(server, 'connection') as Promise<[Socket]>;
      const stop = new AbortController();
      const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop.signal);
      const [socket] = await connection;
      t.after(() => socket.destroy());
      const closed = once(socket.resume(), 'close');
      stop.abort();
      await assert.rejects(request);
      await closed;
    },
  );

  for (const address of [
    `socks5://${login}@proxy.test`,
    `http://me:%hush@proxy.test`,
    'http://',
    `${login}@@:x`,
  ])
    test(`${address} is no address of a proxy`, async () => {
      assert.throws(
        () => createTunnelAgent(address),
        ({ message, cause }: Error) =>
          message.startsWith('HTTPS_PROXY is not the address') && cause === undefined,
      );
      await assert.rejects(get(address), /^Error: HTTPS_PROXY is not the address/);
    });
});
