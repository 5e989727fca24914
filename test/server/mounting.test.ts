import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createHandler, openStore } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { browse } from '../support/page.ts';
import { collectInto, credentials, secretToken, sendRequest, startService } from '../support/service.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';
import type { AnyConfig } from '../../src/server/config.ts';
import type { HandlerConfig } from '../../src/index.ts';

/** A request after the middleware of an app. */
type AppRequest = http.IncomingMessage & { id?: unknown; originalUrl?: string };

/** The service as middleware of an app, which answers what the service passes on. */
async function mount(
  t: Scope,
  config: Partial<AnyConfig>,
  prepare: (request: AppRequest) => void = () => undefined,
) {
  const books = await createHandler({
    secretToken,
    authUsername: credentials.username,
    authPassword: credentials.password,
    databaseUrl: 'memory:',
    logger: collectInto([]),
    ...config,
  } as HandlerConfig);
  const server = http.createServer((request, response) => {
    prepare(request);
    books(request, response, () => response.end('{"status":200,"message":"of the app","data":null}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    await books.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('next', () => {
  const table: [path: string, prefix: string, message: string][] = [
    ['/catalogue/readyz', '/catalogue', 'Ready'],
    ['/catalogue/nothing', '/catalogue', 'Not found'],
    ['/catalogue', '/catalogue', 'Not found'],
    ['/catalogues', '/catalogue', 'of the app'],
    ['/', '/catalogue', 'of the app'],
    ['*', '/catalogue', 'Not found'],
    ['/nothing', '', 'Not found'],
  ];
  for (const [path, prefix, message] of table)
    test(`${path} with the prefix ${JSON.stringify(prefix)}: ${message}`, async (t) => {
      const url = await mount(t, { prefix });
      const method = path === '*' ? 'OPTIONS' : 'GET';
      const request = http.request(url, { method, path });
      request.end();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      assert.equal((JSON.parse(Buffer.concat(chunks).toString()) as { message: string }).message, message);
    });
});

describe('the id of a request', () => {
  const table: { what: string; id: unknown; header: string | undefined; expected: RegExp }[] = [
    { what: 'of the app', id: 'app-7', header: undefined, expected: /^app-7$/ },
    { what: 'of the app, a number', id: 7, header: undefined, expected: /^7$/ },
    { what: 'of the app, before the header', id: 'app-7', header: 'header-8', expected: /^app-7$/ },
    { what: 'of the header', id: undefined, header: 'header-8', expected: /^header-8$/ },
    {
      what: 'is new when that of the app is not safe in a header',
      id: 'a\r\nb',
      header: 'header-8',
      expected: /^[0-9a-f-]{36}$/,
    },
    { what: 'is new without one', id: undefined, header: undefined, expected: /^[0-9a-f-]{36}$/ },
  ];
  for (const { what, id, header, expected } of table)
    test(what, async (t) => {
      const url = await mount(t, {}, (request) => {
        if (id !== undefined) request.id = id;
      });
      const headers = header === undefined ? {} : { 'X-Request-Id': header };
      const answer = await sendRequest(url, 'GET', '/readyz', { headers });
      assert.match(String(answer.headers['x-request-id']), expected);
    });
});

describe('publicPath, behind a proxy that strips it', () => {
  /** The addresses in the answers of a service. */
  async function addressesOf(t: Scope, config: Partial<AnyConfig>) {
    const service = await startService(t, { databaseUrl: 'memory:', page: true, ...config });
    const { token, url } = service;
    const below = config.prefix ?? '';
    for (let i = 0; i < 2; i++) await service.request('POST', `${below}/book`, { token, body: {} });
    const list = await service.request('GET', `${below}/books?limit=1`, { token });
    const document = (await (await fetch(`${url}${below}/openapi.json`)).json()) as { servers: object[] };
    const page = await browse(`${url}${below}/`);
    return {
      link: String(list.headers.link).replace(/after=[^>]*/, 'after=…'),
      servers: document.servers,
      base: /<base [^>]*>/.exec(page.text)?.[0],
      policy: /base-uri [^;]*/.exec(String(page.headers['content-security-policy']))?.[0],
    };
  }

  const table: [config: Partial<AnyConfig>, path: string, base: boolean][] = [
    [{}, '', false],
    [{ prefix: '/own' }, '/own', false],
    [{ publicPath: '/catalogue' }, '/catalogue', true],
    [{ publicPath: '/catalogue', prefix: '/own' }, '/catalogue', true],
    [{ publicPath: '', prefix: '/own' }, '', true],
  ];
  for (const [config, path, hasBase] of table)
    test(`${JSON.stringify(config)}: the page begins with "${path}", links are relative`, async (t) => {
      assert.deepEqual(await addressesOf(t, config), {
        link: '<books?limit=1&after=…>; rel="next"',
        servers: [{ url: '.' }],
        base: hasBase ? `<base href="${path}/" />` : undefined,
        policy: hasBase ? "base-uri 'self'" : "base-uri 'none'",
      });
    });
});

test('the OpenAPI document names the scheme Bearer when the service accepts it', async (t) => {
  for (const acceptBearer of [false, true]) {
    const { url } = await startService(t, { databaseUrl: 'memory:', acceptBearer });
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      components: { securitySchemes: Record<string, object> };
      paths: Record<string, { get: { security: object[] } }>;
    };
    const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
    assert.deepEqual(document.components.securitySchemes.bearer, acceptBearer ? bearer : undefined);
    const either = [{ token: [] }, { bearer: [] }];
    assert.deepEqual(document.paths['/books']?.get.security, acceptBearer ? either : either.slice(0, 1));
  }
});

describe('a store may be decorated', () => {
  const decorators: Record<string, (store: CompleteStore, seen: string[]) => CompleteStore> = {
    'by a copy with another method': (store, seen) => ({
      ...store,
      create: (fields, options) => {
        seen.push('create');
        return store.create(fields, options);
      },
    }),
    'by a Proxy': (store, seen) =>
      new Proxy(store, {
        get(target, name, receiver): unknown {
          seen.push(String(name));
          return Reflect.get(target, name, receiver);
        },
      }),
    'by an object that inherits from it': (store, seen) =>
      Object.assign(Object.create(store) as CompleteStore, {
        create: (...args: Parameters<CompleteStore['create']>) => {
          seen.push('create');
          return store.create(...args);
        },
      }),
  };
  for (const [how, decorate] of Object.entries(decorators))
    for (const databaseUrl of ['memory:', 'file:'])
      test(`${how}, over ${databaseUrl}`, async (t) => {
        const url = databaseUrl === 'file:' ? `file:${join(await temporaryFolder(t), 'data')}` : databaseUrl;
        const store = await openStore(url);
        const seen: string[] = [];
        const service = await startService(t, { store: decorate(store, seen), metrics: true });
        const { token } = service;
        assert.equal((await service.request('POST', '/book', { token, body: { title: 'a' } })).status, 201);
        assert.equal((await service.request('GET', '/books?q=a', { token })).status, 200);
        assert.equal((await service.request('DELETE', '/book/1', { token })).status, 200);
        assert.equal((await service.request('POST', '/book/1/revert', { token })).status, 200);
        assert.ok(seen.includes('create'));
        await service.close();
        await store.close();
      });
});
