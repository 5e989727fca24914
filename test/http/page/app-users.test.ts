import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFetchHandler, type HandlerConfig } from '../../../src/index.ts';
import { browserAccept } from '../../support/page.ts';
import { secretToken } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';

const session = { Cookie: 'session=jane' };

/** A service whose app knows who has the cookie. */
async function open(t: Scope, config: Partial<HandlerConfig<object, Request>> = {}) {
  const handler = await createFetchHandler({
    databaseUrl: 'memory:',
    page: true,
    logger: false,
    identify: ({ headers }) => (headers.cookie === session.Cookie ? { name: 'jane' } : undefined),
    ...config,
  } as HandlerConfig<object, Request>);
  t.after(() => handler.close());
  return async (request: string, headers: Record<string, string> = {}, body?: string) => {
    const [method = '', path = ''] = request.split(' ');
    const all = { Accept: browserAccept, ...headers };
    const response = await handler(
      new Request(`http://x${path}`, { method, headers: all, ...(body && { body }) }),
    );
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

const loginOf = (text: string) => /data-login="(\w*)"/.exec(text)?.[1];

describe('the page of an app with users of its own', () => {
  test('is shown to whom the app knows, without a login', async (t) => {
    const send = await open(t);
    const page = await send('GET /', session);
    assert.deepEqual([page.status, loginOf(page.text)], [200, 'app']);
    assert.match(page.text, /<script type="module"/);
  });

  test('is 401 for everybody else, without the script; its files are not secret', async (t) => {
    const send = await open(t);
    for (const headers of [{}, { Cookie: 'session=other' }] as const) {
      const page = await send('GET /', { ...headers, 'Accept-Language': 'de' });
      assert.deepEqual([page.status, loginOf(page.text)], [401, 'none']);
      assert.match(page.headers.get('Content-Type') ?? '', /^text\/html/);
      assert.match(page.text, /Melden Sie sich bei der Website an/);
      assert.doesNotMatch(page.text, /<script/);
    }
    const [, asset = ''] = /src="(assets\/[^"]+)"/.exec((await send('GET /', session)).text) ?? [];
    assert.equal((await send(`GET /${asset}`)).status, 200);
  });

  test('is not taken from the cache of a browser whose user has logged out', async (t) => {
    const send = await open(t);
    const tag = (await send('GET /', session)).headers.get('ETag') ?? '';
    assert.equal((await send('GET /', { ...session, 'If-None-Match': tag })).status, 304);
    assert.equal((await send('GET /', { 'If-None-Match': tag })).status, 401);
  });

  test('is read by everybody with publicRead, and names whether the app knows the reader', async (t) => {
    const send = await open(t, { publicRead: true });
    await send('POST /book', session, '{"title":"Emma"}');
    for (const [headers, login] of [
      [session, 'app'],
      [{}, 'none'],
    ] as const) {
      const page = await send('GET /', headers);
      assert.deepEqual([page.status, loginOf(page.text)], [200, login]);
      assert.match(page.text, /Emma/);
    }
  });

  test('beside a login, logs in those whom the app does not know', async (t) => {
    const send = await open(t, { secretToken, authenticate: () => undefined });
    assert.equal(loginOf((await send('GET /', session)).text), 'app');
    const other = await send('GET /');
    assert.deepEqual([other.status, loginOf(other.text)], [200, 'own']);
  });

  test('fails if the app fails, and shows no login to somebody who may need none', async (t) => {
    const identify = () => {
      throw new Error('the sessions cannot be read');
    };
    const send = await open(t, { identify, secretToken, authenticate: () => undefined });
    const { status, text } = await send('GET /', session);
    assert.deepEqual([status, loginOf(text)], [500, undefined]);
  });

  test('may write, and a page of another origin may not', async (t) => {
    const send = await open(t);
    const own = { ...session, 'Sec-Fetch-Site': 'same-origin' };
    assert.equal((await send('POST /book', own, '{}')).status, 201);
    const foreign = { ...session, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    assert.equal((await send('POST /book', foreign, '{}')).status, 403);
  });
});
