import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { version } from '../../../package.json';
import { createHandler } from '../../../src/index.ts';
import { ask, attribute, browse, browserAccept } from '../../support/page.ts';
import { collectInto, credentials, secretToken, startService } from '../../support/service.ts';
import { stubStore } from '../../support/stub-store.ts';
import type { Scope } from '../../support/temp.ts';
import type { AnyConfig } from '../../../src/server/config.ts';
import type { HandlerConfig } from '../../../src/index.ts';

const memory = { databaseUrl: 'memory:' };

describe('security', () => {
  const policy = new Map([
    ['default-src', "'none'"],
    ['script-src', "'self'"],
    ['style-src', "'self'"],
    ['connect-src', "'self'"],
    ['img-src', 'data:'],
    ['form-action', "'self'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', "'none'"],
  ]);
  const table: { what: string; path: string; config: Partial<AnyConfig>; status: number }[] = [
    { what: 'the shell', path: '/', config: {}, status: 200 },
    { what: 'a list', path: '/?q=x', config: { publicRead: true }, status: 200 },
    { what: 'an error', path: '/?sort=x', config: { publicRead: true }, status: 400 },
    { what: 'a missing book', path: '/?book=1', config: { publicRead: true }, status: 404 },
  ];
  for (const { what, path, config, status } of table) {
    test(`${what} may load only its own script and style, and nobody may frame it`, async (t) => {
      const { url } = await startService(t, { ...memory, page: true, ...config });
      const page = await browse(url + path);
      const { headers } = page;
      assert.equal(page.status, status);
      const directives = (headers['content-security-policy']?.toString() ?? '').split('; ');
      assert.deepEqual(
        new Map(directives.map((each) => [each.split(' ', 1)[0], each.slice(each.indexOf(' ') + 1)])),
        policy,
      );
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['set-cookie'], undefined);
    });

    test(`${what} has no inline code or style, and names no other origin`, async (t) => {
      const { url } = await startService(t, { ...memory, page: true, ...config });
      const page = await browse(url + path);
      for (const script of page.all('script')) {
        assert.deepEqual(
          script.attrs.map(({ name }) => name),
          ['type', 'src'],
        );
        assert.equal(script.childNodes.length, 0);
      }
      assert.deepEqual(page.all('style'), []);
      for (const name of ['html', 'body', 'div', 'a', 'form', 'input', 'table', 'td', 'main'])
        for (const element of page.all(name))
          for (const { name: attr } of element.attrs) assert.doesNotMatch(attr, /^(on|style$)/);
      for (const name of ['a', 'link', 'script', 'form', 'img'])
        for (const element of page.all(name)) {
          const address =
            ['href', 'src', 'action'].map((each) => attribute(element, each)).find(Boolean) ?? '';
          const { protocol, origin } = new URL(address, url);
          assert.ok(protocol === 'data:' || origin === url, address);
        }
    });
  }
});

describe('the shell', () => {
  test('tells the script what it needs, and has no book', async (t) => {
    const service = await startService(t, { ...memory, page: true });
    await service.request('POST', '/book', { token: service.token, body: { title: 'Emma' } });
    for (const path of ['/', '/?q=emma', '/?book=1', '/?anything=%ff', '/?view=stats']) {
      const page = await browse(service.url + path);
      assert.equal(page.status, 200);
      const app = page.all('div').find((each) => attribute(each, 'id') === 'app');
      assert.ok(app);
      assert.equal(attribute(app, 'data-public-read'), 'false');
      assert.equal(attribute(app, 'data-version'), version);
      assert.ok(!page.text.includes('Emma'));
    }
  });

  test('without JavaScript, says what to use instead, in the language of the reader', async (t) => {
    const { url } = await startService(t, { ...memory, page: true });
    const english = await browse(url);
    assert.equal(attribute(english.all('html')[0] ?? assert.fail(), 'lang'), 'en');
    assert.match(english.one('noscript'), /needs JavaScript.*shelflist list/);
    const german = await browse(url, { 'Accept-Language': 'de-AT, en;q=0.5' });
    assert.equal(attribute(german.all('html')[0] ?? assert.fail(), 'lang'), 'de');
    assert.match(german.one('noscript'), /braucht JavaScript.*shelflist list/);
  });

  test('does not need the store', async (t) => {
    const { url } = await startService(t, { store: stubStore(new Error('unused')), page: true });
    assert.equal((await browse(`${url}/?q=x`)).status, 200);
  });
});

describe('below a prefix', () => {
  test('the page and its files are there', async (t) => {
    const { url } = await startService(t, { ...memory, page: true, prefix: '/my/catalogue' });
    const page = await browse(`${url}/my/catalogue/`);
    const script = attribute(page.all('script')[0] ?? assert.fail(), 'src') ?? '';
    const file = await ask(new URL(script, `${url}/my/catalogue/`).href);
    assert.deepEqual([file.status, file.headers['content-type']], [200, 'text/javascript; charset=utf-8']);
    for (const path of ['/', `/${script}`, '/my/', '/my/cataloguex', '/my/catalogue//'])
      assert.equal((await ask(url + path, { headers: { Accept: browserAccept } })).status, 404, path);
  });

  test('a browser that leaves out the last slash is sent to the page, with its query', async (t) => {
    const { url } = await startService(t, { ...memory, page: true, prefix: '/my:catalogue' });
    const table: [path: string, location: string][] = [
      ['/my:catalogue', './my:catalogue/'],
      ['/my:catalogue?q=a%20b&sort=-year', './my:catalogue/?q=a%20b&sort=-year'],
      ['/my:catalogue?q="<>', './my:catalogue/?q=%22%3C%3E'],
    ];
    for (const [path, location] of table) {
      const answer = await ask(url + path, { headers: { Accept: browserAccept } });
      assert.deepEqual([answer.status, answer.headers.location, answer.text], [308, location, '']);
      const target = new URL(location, url + path);
      assert.equal(target.origin + target.pathname, `${url}/my:catalogue/`);
    }
    const other = await ask(`${url}/my:catalogue`);
    assert.deepEqual([other.status, other.text], [404, '{"status":404,"message":"Not found","data":null}']);
  });
});

describe('in an app of somebody else', () => {
  async function embed(context: Scope, config: Partial<AnyConfig>, strip = '') {
    const handler = await createHandler({
      secretToken,
      authUsername: credentials.username,
      authPassword: credentials.password,
      logger: collectInto([]),
      ...memory,
      ...config,
    } as HandlerConfig);
    // As Express does: it strips the path, and keeps the original.
    const server = http.createServer((request, response) => {
      const { url = '' } = request;
      if (!url.startsWith(strip)) return void response.end('the app');
      request.url = url.slice(strip.length).replace(/^(?!\/)/, '/');
      handler(Object.assign(request, { originalUrl: url }), response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(async () => {
      server.close();
      await handler.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('there is no page unless it is asked for', async (t) => {
    const url = await embed(t, {});
    const answer = await ask(url, { headers: { Accept: browserAccept } });
    assert.deepEqual([answer.status, answer.headers['content-type']], [404, 'application/json']);
  });

  test('the page is there if it is asked for', async (t) => {
    const page = await browse(await embed(t, { page: true }));
    assert.equal(page.status, 200);
  });

  test('that strips the path, the page is below it, and without the last slash redirected to it', async (t) => {
    const url = await embed(t, { page: true }, '/books-of-mine');
    assert.equal((await browse(`${url}/books-of-mine/`)).status, 200);
    const answer = await ask(`${url}/books-of-mine?q=x`, { headers: { Accept: browserAccept } });
    assert.deepEqual([answer.status, answer.headers.location], [308, './books-of-mine/?q=x']);
  });
});
