import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FetchInit } from '../../src/client/index.ts';
import { connect } from '../support/client.ts';

const scope = { after: () => undefined };
const url = 'https://books.example.org/catalogue/';

/** A `fetch` that records its calls. */
function recorder(status = 200, data: unknown = []) {
  const calls: [url: string, init: FetchInit][] = [];
  const fetch = (address: string, init: FetchInit) => {
    calls.push([address, init]);
    const message = status === 401 ? 'Invalid token' : 'x';
    return Promise.resolve(new Response(JSON.stringify({ status, message, data }), { status }));
  };
  return { calls, fetch };
}

test('fetch, headers and credentials are those of the options', async () => {
  const { calls, fetch } = recorder();
  const headers = { 'X-Trace': '7' };
  await connect(scope, url, { fetch, headers, credentials: 'include', token: 'the-token' }).list();
  const [call] = calls;
  assert.ok(call !== undefined);
  const [address, { signal, ...init }] = call;
  assert.ok(signal instanceof AbortSignal);
  assert.equal(address, 'https://books.example.org/catalogue/books');
  assert.deepEqual(init, {
    method: 'GET',
    headers: { 'X-Trace': '7', Accept: 'application/json', Authorization: 'the-token' },
    redirect: 'manual',
    credentials: 'include',
  });
});

test('without the option, the global fetch of the moment is used', async (t) => {
  const client = connect(scope, url, { fetch: undefined, headers: undefined });
  const { calls, fetch } = recorder();
  t.mock.method(globalThis, 'fetch', fetch);
  await client.list();
  assert.equal(calls.length, 1);
});

describe('a token function', () => {
  const sent = (calls: [string, FetchInit][]) => calls.map(([, { headers }]) => headers.Authorization);

  test('returns the token of each request', async () => {
    const { calls, fetch } = recorder();
    let count = 0;
    const client = connect(scope, url, { fetch, token: () => Promise.resolve(`token-${++count}`) });
    await client.list();
    await client.list();
    assert.deepEqual(sent(calls), ['token-1', 'token-2']);
  });

  test('is called once more for a refused token, and the request is repeated if it returns another', async () => {
    const { calls, fetch } = recorder(401, null);
    let count = 0;
    const other = connect(scope, url, { fetch, token: () => `token-${++count}` });
    await assert.rejects(other.list(), { code: 'invalid_token' });
    assert.deepEqual(sent(calls.splice(0)), ['token-1', 'token-2']);
    const same = connect(scope, url, { fetch, token: () => 'token' });
    await assert.rejects(same.list(), { code: 'invalid_token' });
    assert.deepEqual(sent(calls), ['token']);
  });

  test('that returns a token with other characters is a TypeError without them, and nothing is sent', async () => {
    const { calls, fetch } = recorder();
    const client = connect(scope, url, { fetch, token: () => 's3cret\n' });
    await assert.rejects(client.list(), { name: 'TypeError', message: /^token: expected visible ASCII/ });
    assert.equal(calls.length, 0);
  });

  test('gives way to the token of a login', async () => {
    const { calls, fetch } = recorder(200, { token: 'of-login' });
    const client = connect(scope, url, { fetch, token: () => 'given' });
    await client.login('ada', 'secret');
    await client.list().catch(() => undefined);
    assert.deepEqual(sent(calls), [undefined, 'of-login']);
  });
});
