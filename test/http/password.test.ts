import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient, ShelflistError } from '../../src/index.ts';
import type { StorePassword } from '../../src/server/routes/access.ts';
import { credentials, startService, type TestService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';
import type { AnyConfig } from '../../src/server/config.ts';

const { username, password } = credentials;
const newPassword = 'the new password of this test';

/** A service that stores passwords in an array. */
async function start(scope: Scope, storePassword?: StorePassword, options: Partial<AnyConfig> = {}) {
  const stored: (readonly [password: string, previous: string])[] = [];
  const service = await startService(scope, {
    databaseUrl: 'memory:',
    storePassword: storePassword ?? ((...change) => void stored.push(change)),
    ...options,
  });
  const change = (body: unknown, token = service.token) =>
    service.request('POST', '/password', { token, body });
  const logIn = async (tried: string) =>
    (await service.request('POST', '/token', { token: '', body: { username, password: tried } })).envelope
      ?.status;
  const send = (...request: Parameters<TestService['request']>) => service.request(...request);
  return { ...service, send, change, logIn, stored };
}

const silentLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Without the password, which no output may contain. */
const describeBody = (body: unknown) =>
  body === undefined ? 'nothing' : JSON.stringify(body).replace(password, '…');

const refusal = (status: number, message: string) => ({ status, message, data: null });

describe('POST /password', () => {
  test('stores the new password, and gives a token of a login with it, which no cache may keep', async (t) => {
    const { change, send, stored } = await start(t);
    const { envelope, headers } = await change({ password, newPassword });
    assert.deepEqual([envelope?.status, envelope?.message], [200, 'Password changed successfully']);
    assert.deepEqual(stored, [[newPassword, password]]);
    assert.equal(headers['cache-control'], 'no-store');
    const { token } = envelope?.data as { token: string };
    assert.equal((await send('POST', '/token/renew', { token })).envelope?.status, 200);
  });

  test('lets the new password log in from then on, and not the old one', async (t) => {
    const { change, logIn } = await start(t);
    await change({ password, newPassword });
    assert.deepEqual([await logIn(newPassword), await logIn(password)], [200, 401]);
  });

  test('leaves older tokens valid until they expire, but they cannot be renewed', async (t) => {
    const { change, send, token } = await start(t);
    await change({ password, newPassword });
    assert.equal((await send('GET', '/books', { token })).envelope?.status, 200);
    const renewal = await send('POST', '/token/renew', { token });
    assert.deepEqual(renewal.envelope, refusal(401, 'Invalid token'));
  });

  test('needs a token, and the password of now, whose failures count as failed logins', async (t) => {
    const { change, logIn, stored } = await start(t);
    const body = { password, newPassword };
    assert.deepEqual((await change(body, '')).envelope, refusal(401, 'Authorization token required'));
    assert.deepEqual((await change(body, 'x')).envelope, refusal(401, 'Invalid token'));
    const wrong = { ...body, password: 'wrong' };
    for (let i = 0; i < 20; i++)
      assert.deepEqual((await change(wrong)).envelope, refusal(401, 'Invalid credentials'));
    assert.deepEqual((await change(body)).envelope, refusal(429, 'Too many attempts'));
    assert.equal(await logIn(password), 429);
    assert.deepEqual(stored, []);
  });

  for (const body of [
    undefined,
    'x',
    {},
    { password },
    { newPassword },
    { password, newPassword: '' },
    { password, newPassword: 'nine char' },
    { password, newPassword: '\u{1f4d6}'.repeat(9) },
    { password, newPassword: 1 },
  ])
    test(`refuses a body with ${describeBody(body)}`, async (t) => {
      const { change, logIn, stored } = await start(t);
      assert.deepEqual((await change(body)).envelope, refusal(400, 'Invalid request payload'));
      assert.deepEqual([stored, await logIn(password)], [[], 200]);
    });

  const failures: [what: string, error: Error, envelope: object][] = [
    ['any error', new Error('the disk is full'), refusal(500, 'Internal server error')],
    [
      'a ShelflistError',
      new ShelflistError('unavailable', { message: 'the disk is full' }),
      refusal(503, 'Service unavailable'),
    ],
  ];
  for (const [what, error, envelope] of failures)
    test(`keeps the old password if it cannot be stored: ${what}`, async (t) => {
      const storePassword = () => Promise.reject(error);
      const { change, logIn } = await start(t, storePassword, { logger: silentLogger });
      assert.deepEqual((await change({ password, newPassword })).envelope, envelope);
      assert.deepEqual([await logIn(newPassword), await logIn(password)], [401, 200]);
    });

  test('is refused by authorize', async (t) => {
    const asked: unknown[] = [];
    const { change, stored } = await start(t, undefined, {
      authorize: (request) => asked.push(request) < 0,
    });
    assert.deepEqual((await change({ password, newPassword })).envelope, refusal(403, 'Forbidden'));
    assert.deepEqual(asked, [{ user: { name: username, claims: {} }, action: 'password', id: undefined }]);
    assert.deepEqual(stored, []);
  });

  test('accepts one of two concurrent changes of the same password, however long storing it takes', async (t) => {
    const stored: (readonly string[])[] = [];
    const { change, logIn } = await start(t, async (...passwords) => {
      for (let i = 0; i < 100; i++) await new Promise(setImmediate);
      stored.push(passwords);
    });
    const answers = await Promise.all(
      ['first', 'second'].map((each) => change({ password, newPassword: `${newPassword}, ${each}` })),
    );
    assert.deepEqual(answers.map(({ envelope }) => envelope?.status).sort(), [200, 401]);
    assert.equal(stored.length, 1);
    assert.equal(await logIn(stored[0]?.[0] ?? ''), 200);
  });

  test('is unknown to a service that stores no password', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:' });
    const { envelope } = await service.request('POST', '/password', { body: { password, newPassword } });
    assert.deepEqual(envelope, refusal(404, 'Not found'));
  });
});

test('client.changePassword() continues with the new token', async (t) => {
  const { url, token } = await start(t);
  const client = createClient({ url, token });
  t.after(() => {
    client.close();
  });
  await assert.rejects(client.changePassword('wrong', newPassword), { code: 'invalid_credentials' });
  const changed = await client.changePassword(password, newPassword);
  assert.notEqual(changed, token);
  await client.renew();
});
