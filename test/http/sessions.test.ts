import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { startService } from '../support/service.ts';

const tokenOf = (data: unknown) => (data as { token: string }).token;

test('POST /token/renew gives a valid token of the same login, which no cache may keep', async (t) => {
  const service = await startService(t, { databaseUrl: 'memory:' });
  const { envelope, headers } = await service.request('POST', '/token/renew', { token: service.token });
  assert.equal(envelope?.status, 200);
  assert.equal(envelope.message, 'Token generated successfully');
  assert.deepEqual(Object.keys(envelope.data as object), ['token']);
  assert.equal(headers['cache-control'], 'no-store');
  const renewed = tokenOf(envelope.data);
  assert.equal(decodeJwt(renewed).auth_time, decodeJwt(service.token).auth_time);
  assert.equal((await service.request('GET', '/books', { token: renewed })).status, 200);
});

test('a token is renewed behind "Bearer" where the service accepts that', async (t) => {
  const service = await startService(t, { databaseUrl: 'memory:', acceptBearer: true });
  for (const scheme of ['', 'Bearer ', 'bearer '])
    assert.equal(
      (await service.request('POST', '/token/renew', { token: scheme + service.token })).status,
      200,
    );
});

describe('a token is not renewed', () => {
  test('without one, or with one that is not valid', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:' });
    const without = await service.request('POST', '/token/renew');
    assert.deepEqual(without.envelope, { status: 401, message: 'Authorization token required', data: null });
    const invalid = await service.request('POST', '/token/renew', { token: 'x' });
    assert.deepEqual(invalid.envelope, { status: 401, message: 'Invalid token', data: null });
    assert.equal((await service.request('GET', '/token/renew', { token: service.token })).status, 405);
  });

  test('where sessionHours is 0', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:', sessionHours: 0 });
    const { envelope } = await service.request('POST', '/token/renew', { token: service.token });
    assert.deepEqual(envelope, { status: 401, message: 'Invalid token', data: null });
  });
});
