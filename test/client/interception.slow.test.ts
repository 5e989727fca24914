import assert from 'node:assert/strict';
import { test } from 'node:test';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import nock from 'nock';
import { fetch as undiciFetch, MockAgent } from 'undici';
import { exampleBook } from '../../src/catalogue/book.ts';
import { createClient } from '../../src/index.ts';

const origin = 'https://books.example.org';
const book = { id: 7, ...exampleBook };
const envelope = { status: 200, message: 'Book retrieved successfully', data: book };

test('MSW intercepts the client', async (t) => {
  const server = setupServer(http.get(`${origin}/book/7`, () => HttpResponse.json(envelope)));
  server.listen();
  t.after(() => {
    server.close();
  });
  assert.deepEqual(await createClient({ url: origin }).get(7), book);
});

test('nock intercepts the client', async (t) => {
  t.after(() => {
    nock.restore();
  });
  const scope = nock(origin, { reqheaders: { authorization: 'the-token' } });
  scope.get('/book/7').reply(200, envelope);
  assert.deepEqual(await createClient({ url: origin, token: 'the-token' }).get(7), book);
  assert.ok(scope.isDone());
});

test('the MockAgent of undici intercepts the client through its fetch', async (t) => {
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  t.after(() => dispatcher.close());
  dispatcher.get(origin).intercept({ path: '/book/7' }).reply(200, envelope);
  const client = createClient({
    url: origin,
    fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
  });
  assert.deepEqual(await client.get(7), book);
});
