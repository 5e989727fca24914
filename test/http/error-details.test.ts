import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFetchHandler, openStore, ShelflistError, type BookStore } from '../../src/index.ts';
import { storeGroups } from '../../src/store/contract/store.ts';
import { connect } from '../support/client.ts';
import { credentials, startService, type TestService } from '../support/service.ts';

interface Detailed {
  readonly error: { readonly code: string; readonly details: string | null };
}

/** Sends a request; the support for tests refuses members beside `data`. */
async function ask({ url, token }: TestService, request: string, body?: unknown): Promise<Detailed> {
  const [method = '', path = ''] = request.split(' ');
  const sent = {
    method,
    headers: { Authorization: token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return (await (await fetch(url + path, sent)).json()) as Detailed;
}

describe('with ERROR_DETAILS, an error has a member beside data', () => {
  const table: [request: string, body: unknown, error: object][] = [
    ['GET /books?limit=0', undefined, { code: 'invalid_query', details: /limit/ }],
    ['POST /book', { title: 1 }, { code: 'invalid_input', details: /^title is not a string$/ }],
    ['GET /book/9', undefined, { code: 'book_not_found', details: null }],
    ['GET /nowhere', undefined, { code: 'not_found', details: null }],
  ];
  for (const [request, body, { code, details }] of table as [
    string,
    unknown,
    { code: string; details: RegExp | null },
  ][])
    test(`${request}: ${code}`, async (t) => {
      const service = await startService(t, { errorDetails: true });
      const { error, ...others } = await ask(service, request, body);
      assert.deepEqual(Object.keys(others), ['status', 'message', 'data']);
      assert.equal(error.code, code);
      if (details === null) assert.equal(error.details, null);
      else assert.match(error.details ?? '', details);
    });

  test('a store of an embedder tells the client why it refuses a book', async (t) => {
    const store = await openStore('memory:');
    const refuse = () => Promise.reject(new ShelflistError('invalid_input', { message: 'no books of 1815' }));
    const own = { ...store, create: refuse, createMany: refuse };
    for (const [errorDetails, message] of [
      [true, 'no books of 1815'],
      [false, 'Invalid input'],
    ] as const) {
      const { url } = await startService(t, { store: own, errorDetails });
      const client = connect(t, url);
      await client.login(credentials.username, credentials.password);
      await assert.rejects(client.create({ year: 1815 }), { code: 'invalid_input', message });
    }
  });

  test('the reason of a failure of the service stays in its log', async (t) => {
    const store = await openStore('memory:');
    for (const [failure, answer] of [
      [new Error('s3cret'), { status: 500, message: 'Internal server error', code: 'internal' }],
      [
        new ShelflistError('unavailable', { message: 's3cret' }),
        { status: 503, message: 'Service unavailable', code: 'unavailable' },
      ],
    ] as const) {
      const fail = () => Promise.reject(failure);
      const service = await startService(t, { store: { ...store, get: fail }, errorDetails: true });
      const { code, ...others } = answer;
      assert.deepEqual(await ask(service, 'GET /book/1'), {
        ...others,
        data: null,
        error: { code, details: null },
      });
    }
  });
});

test('without a history, its requests are 501, and the others work', async (t) => {
  const whole = await openStore('memory:');
  const isHistory = (name: string) => storeGroups.history.some((each) => each === name);
  const store = Object.fromEntries(
    Object.entries(whole).filter(([name]) => !isHistory(name)),
  ) as unknown as BookStore;
  const identify = () => ({ name: 'jane' });
  const handler = await createFetchHandler({ store, identify });
  t.after(() => handler.close());
  const send = async (request: string, body?: string) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await handler(
      new Request(`http://x${path}`, { method, ...(body !== undefined && { body }) }),
    );
    return { status: response.status, envelope: await response.json() };
  };
  assert.equal((await send('POST /book', '{}')).status, 201);
  const requests = [
    'GET /book/1/history',
    'POST /book/1/revert',
    'GET /trash',
    'GET /batches',
    'GET /batch/12345678',
  ];
  for (const request of [...requests, 'POST /batch/12345678/undo'])
    assert.deepEqual(
      (await send(request)).envelope,
      { status: 501, message: 'Not implemented', data: null },
      request,
    );
  assert.equal((await send('DELETE /book/1')).status, 200);
});
