import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Hono } from 'hono';
import { createFetchHandler, type FetchHandler } from '../../src/index.ts';
import { collectInto, credentials, secretToken } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';
import type { AnyConfig } from '../../src/server/config.ts';
import type { HandlerConfig } from '../../src/index.ts';

const address = 'http://books.example';

async function open(t: Scope, config: Partial<AnyConfig> = {}) {
  const log: string[] = [];
  const handler = await createFetchHandler({
    secretToken,
    authUsername: credentials.username,
    authPassword: credentials.password,
    databaseUrl: 'memory:',
    logger: collectInto(log),
    ...config,
  } as HandlerConfig<object, Request>);
  t.after(() => handler.close());
  const path = config.prefix ?? '';
  const login = await handler(
    new Request(`${address}${path}/token`, { method: 'POST', body: JSON.stringify(credentials) }),
  );
  const { data } = (await login.json()) as { data: { token: string } };
  return { handler, log, headers: { Authorization: data.token } };
}

async function addBooks(
  handler: FetchHandler,
  headers: Record<string, string>,
  count: number,
): Promise<void> {
  const books = Array.from({ length: count }, (_, i) => ({ title: `Book ${i}`, author: 'x'.repeat(200) }));
  const body = JSON.stringify(books);
  assert.equal(
    (await handler(new Request(`${address}/books`, { method: 'POST', headers, body }))).status,
    200,
  );
}

describe('createFetchHandler', () => {
  test('a body that arrives as a stream is stored as sent', async (t) => {
    const { handler, headers } = await open(t);
    const parts = ['{"title":"', 'Émile', '","year":', '1762}'].map((text) => new TextEncoder().encode(text));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    const request = new Request(`${address}/book`, { method: 'POST', headers, body, duplex: 'half' });
    const response = await handler(request);
    assert.equal(response.status, 201);
    const { data } = (await response.json()) as { data: unknown };
    assert.deepEqual(data, { id: 1, title: 'Émile', author: '', year: 1762 });
  });

  test('a body that other code has read is refused, and the log says why', async (t) => {
    const { handler, headers, log } = await open(t);
    const request = new Request(`${address}/book`, { method: 'POST', headers, body: '{"title":"Emma"}' });
    await request.text();
    assert.equal((await handler(request)).status, 500);
    assert.match(log.join(), /cannot recover the request body, which other code has read/);
    const { data } = (await (await handler(new Request(`${address}/books`, { headers }))).json()) as {
      data: unknown[];
    };
    assert.deepEqual(data, []);
  });

  test('a body that other code has read is refused, not taken for an empty one', async (t) => {
    const { handler, headers } = await open(t);
    const send = (method: string, path: string, body?: unknown) =>
      new Request(`${address}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    await handler(send('POST', '/book', { title: 'Emma' }));
    await handler(send('PUT', '/book/1', { title: 'Persuasion' }));
    await handler(send('PUT', '/book/1', { title: 'Mansfield Park' }));
    const { data } = (await (await handler(send('GET', '/book/1/history'))).json()) as {
      data: { version: string }[];
    };
    const requests: [method: string, path: string, body: unknown][] = [
      ['POST', '/book/1/revert', { version: data.at(-1)?.version }],
      ['POST', '/token', credentials],
      ['PUT', '/book/1', { title: 'x' }],
      ['POST', '/books', [{ title: 'x' }]],
    ];
    for (const each of requests) {
      const request = send(...each);
      await request.text();
      assert.equal((await handler(request)).status, 500, each[1]);
    }
    const { data: books } = (await (await handler(send('GET', '/books'))).json()) as {
      data: { title: string }[];
    };
    assert.deepEqual(
      books.map(({ title }) => title),
      ['Mansfield Park'],
    );
  });

  test('without the addresses of clients, trustedProxies do nothing, and the log says so once', async (t) => {
    const { handler, headers, log } = await open(t, { trustedProxies: ['127.0.0.1'] });
    await handler(new Request(`${address}/books`, { headers }));
    assert.deepEqual(
      log.map((line) => line.replace(/ \{.*/, '')),
      [
        'the fetch handler gets no remoteAddress: trustedProxies does nothing, and all clients share one limit of failed logins',
      ],
    );
  });

  test('a body above the limit is refused', async (t) => {
    const { handler, headers } = await open(t, { bodyLimitBytes: 100 });
    const body = JSON.stringify({ title: 'x'.repeat(100) });
    const response = await handler(new Request(`${address}/book`, { method: 'POST', headers, body }));
    assert.equal(response.status, 413);
  });

  test('HEAD and 304 have no body, and the headers of GET', async (t) => {
    const { handler, headers } = await open(t);
    await addBooks(handler, headers, 1);
    const got = await handler(new Request(`${address}/book/1`, { headers }));
    const tag = got.headers.get('ETag') ?? '';
    assert.match(tag, /^".+"$/);
    const head = await handler(new Request(`${address}/book/1`, { method: 'HEAD', headers }));
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('Content-Length'), got.headers.get('Content-Length'));
    const same = await handler(
      new Request(`${address}/book/1`, { headers: { ...headers, 'If-None-Match': tag } }),
    );
    assert.deepEqual([same.status, same.body], [304, null]);
  });

  test('a client that stops reading a long list ends it', async (t) => {
    const { handler, headers } = await open(t);
    await addBooks(handler, headers, 5000);
    const response = await handler(new Request(`${address}/books`, { headers }));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader?.read())?.value ?? '', /^{"status":200,/);
    await reader?.cancel();
    // `close` waits for responses in flight.
    await handler.close();
  });

  test('an abort before the response rejects', async (t) => {
    const { handler, headers } = await open(t);
    const abort = new AbortController();
    const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
    const request = new Request(`${address}/book`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      signal: abort.signal,
    });
    const answered = handler(request);
    abort.abort();
    await assert.rejects(answered, /the response ended before it was complete/);
  });

  test('changes are followed as they happen', async (t) => {
    const { handler, headers } = await open(t);
    const response = await handler(new Request(`${address}/changes`, { headers }));
    assert.equal(response.headers.get('Content-Type'), 'text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await addBooks(handler, headers, 1);
    let text = '';
    while (!/"id":1\b/.test(text)) text += (await reader?.read())?.value ?? assert.fail('the stream ended');
    await reader?.cancel();
  });

  test('failed logins are limited by the address of the client', async (t) => {
    const { handler } = await open(t);
    const logIn = (remoteAddress: string) =>
      handler(new Request(`${address}/token`, { method: 'POST', body: '{"username":"x","password":"y"}' }), {
        remoteAddress,
      });
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await logIn('192.0.2.1')).status);
    assert.deepEqual([statuses[19], statuses[20]], [401, 429]);
    assert.equal((await logIn('192.0.2.2')).status, 401);
  });

  test('is mounted below a path of a Hono app', async (t) => {
    const { handler, headers } = await open(t, { prefix: '/catalogue' });
    const app = new Hono();
    app.all('/catalogue/*', (context) => handler(context.req.raw));
    app.get('/', (context) => context.text('my own app'));
    const request = { method: 'POST', headers, body: '{"title":"Emma"}' };
    assert.equal((await app.request('/catalogue/book', request)).status, 201);
    assert.equal(await (await app.request('/')).text(), 'my own app');
  });
});
