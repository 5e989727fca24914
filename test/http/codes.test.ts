import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createClient, ShelflistError } from '../../src/index.ts';
import type { AnyConfig } from '../../src/server/config.ts';
import { createSharingServer } from '../../src/server/server.ts';
import { credentials, secretToken, sendRequest, startService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

const refusal = (status: number, message: string) => ({ status, message, data: null });

async function start(scope: Scope, config: Partial<AnyConfig> = {}) {
  const service = await startService(scope, { databaseUrl: 'memory:', ...config });
  const make = async (token = service.token) => service.request('POST', '/token/code', { token });
  const exchange = async (body: unknown) => service.request('POST', '/token/exchange', { body });
  const code = async () => ((await make()).envelope?.data as { code: string }).code;
  return { ...service, service, make, exchange, code };
}

describe('POST /token/code and POST /token/exchange', () => {
  test('a code gives the token that made it, once, and no cache may keep either', async (t) => {
    const { make, exchange, token } = await start(t);
    const made = await make();
    assert.equal(made.envelope?.message, 'Code generated successfully');
    assert.equal(made.headers['cache-control'], 'no-store');
    const data = made.envelope.data as { code: string };
    assert.deepEqual(Object.keys(data), ['code']);
    const { envelope, headers } = await exchange(data);
    assert.deepEqual(envelope, { status: 200, message: 'Token generated successfully', data: { token } });
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual((await exchange(data)).envelope, refusal(401, 'Invalid credentials'));
  });

  test('of two exchanges at once, one gets the token', async (t) => {
    const { exchange, code } = await start(t);
    const body = { code: await code() };
    const answers = await Promise.all([exchange(body), exchange(body), exchange(body)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
  });

  test('a code of another service with the same secret is refused', async (t) => {
    const other = await start(t);
    const { exchange } = await start(t);
    assert.deepEqual(
      (await exchange({ code: await other.code() })).envelope,
      refusal(401, 'Invalid credentials'),
    );
  });

  test('only a valid token makes a code', async (t) => {
    const { make } = await start(t);
    assert.deepEqual((await make('')).envelope, refusal(401, 'Authorization token required'));
    assert.deepEqual((await make('x')).envelope, refusal(401, 'Invalid token'));
  });

  test('only whoever may stay logged in makes a code', async (t) => {
    const { make } = await start(t, { authorize: ({ action }) => action !== 'renew' });
    assert.deepEqual((await make()).envelope, refusal(403, 'Forbidden'));
  });

  test('a body without a code is an invalid payload, and is no failed login', async (t) => {
    const { exchange, log } = await start(t);
    for (const body of [undefined, 'x', '[]', {}, { code: 1 }])
      assert.deepEqual((await exchange(body)).envelope, refusal(400, 'Invalid request payload'));
    assert.deepEqual(log, []);
  });

  test('wrong codes are failed logins: after twenty the address waits, and a right code is not used up', async (t) => {
    const { exchange, code, service, log } = await start(t);
    const body = { code: await code() };
    for (let i = 0; i < 20; i++) assert.equal((await exchange({ code: `guess ${i}` })).status, 401);
    const over = await exchange(body);
    assert.deepEqual(over.envelope, refusal(429, 'Too many attempts'));
    assert.ok(Number(over.headers['retry-after']) > 0);
    assert.equal((await service.request('POST', '/token', { body: credentials })).status, 429);
    assert.equal(log.length, 20);
    assert.ok(log.every((line) => line.startsWith('failed login') && !line.includes('guess')));
    const elsewhere = await sendRequest(service.url, 'POST', '/token/exchange', {
      body,
      localAddress: '127.0.0.2',
    });
    assert.equal(elsewhere.status, 200);
  });

  test('a token that cannot be renewed can be handed over', async (t) => {
    const { exchange, code, token } = await start(t, { sessionHours: 0 });
    assert.deepEqual((await exchange({ code: await code() })).envelope?.data, { token });
  });

  test('the client makes a code, and logs in with it', async (t) => {
    const { url, token } = await start(t);
    const code = await createClient({ url, token }).createCode();
    const other = createClient({ url });
    assert.equal(await other.exchangeCode(code), token);
    assert.deepEqual(await other.list(), []);
    await assert.rejects(createClient({ url }).exchangeCode(code), { code: 'invalid_credentials' });
  });

  test('are unavailable while the process that keeps the codes does not answer', async (t) => {
    const fail = () => Promise.reject(new ShelflistError('unavailable'));
    const server = await createSharingServer(
      {
        secretToken,
        authUsername: credentials.username,
        authPassword: credentials.password,
        databaseUrl: 'memory:',
      },
      { loginCodes: { create: fail, take: fail }, warn: false },
    );
    t.after(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createClient({ url });
    await client.login(credentials.username, credentials.password);
    await assert.rejects(client.createCode(), { code: 'unavailable' });
    await assert.rejects(client.exchangeCode('x'), { code: 'unavailable' });
  });
});
