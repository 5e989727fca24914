import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { decodeJwt, SignJWT } from 'jose';
import { connect } from '../support/client.ts';
import { fakeTime } from '../support/time.ts';
import { secretToken, startService, type TestService } from '../support/service.ts';
import { startStranger } from '../support/session.ts';

/** A token of the same login as that of the service, with this age and remaining time in seconds. */
async function aged({ token }: TestService, age: number, left: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...decodeJwt(token), iat: now - age, exp: now + left })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secretToken));
}

const startMemory = (t: TestContext) => startService(t, { databaseUrl: 'memory:' });
/** The paths of the requests in the access log, without the login of the helper. */
const pathsOf = ({ requests }: TestService) =>
  requests.map((line) => (JSON.parse(line.slice('request '.length)) as { path: string }).path).slice(1);

test('renew() exchanges the token, which the client sends from now on', async (t) => {
  const service = await startMemory(t);
  const token = await aged(service, 60, 840);
  const renewals: string[][] = [];
  const client = connect(t, service.url, {
    token,
    onRenewed: (renewed: string, previous: string) => void renewals.push([renewed, previous]),
  });
  const renewed = await client.renew();
  assert.deepEqual(renewals, [[renewed, token]]);
  assert.deepEqual(await client.list(), []);
  const { iat = 0, exp = 0, auth_time: loginAt } = decodeJwt(renewed);
  assert.equal(exp - iat, 900);
  assert.equal(loginAt, decodeJwt(token).auth_time);
});

describe('requests renew the token', () => {
  test('again ten seconds after the service could not', async (t) => {
    const service = await startMemory(t);
    const time = fakeTime(t);
    let renewals = 0;
    const failing = (address: string, init: RequestInit) =>
      address.endsWith('/token/renew') && ++renewals === 1
        ? Promise.resolve(
            Response.json({ status: 503, message: 'Service unavailable', data: null }, { status: 503 }),
          )
        : fetch(address, init);
    const client = connect(t, service.url, { token: await aged(service, 310, 590), fetch: failing });
    for (const [ms, expected] of [
      [0, 1],
      [9000, 1],
      [1000, 2],
      [20_000, 2],
    ] as const) {
      time.pass(ms);
      assert.deepEqual(await client.list(), []);
      assert.equal(renewals, expected);
    }
  });

  test('when a third of its time is over: once for all requests at the same moment', async (t) => {
    const service = await startMemory(t);
    const renewals: string[] = [];
    const token = await aged(service, 310, 590);
    const client = connect(t, service.url, {
      token,
      onRenewed: (renewed: string) => void renewals.push(renewed),
    });
    await Promise.all(Array.from({ length: 20 }, () => client.list()));
    await client.list();
    assert.equal(renewals.length, 1);
    assert.deepEqual(pathsOf(service), ['/token/renew', ...Array.from({ length: 21 }, () => '/books')]);
  });

  test('also when as many requests as may be in flight are waiting for it', async (t) => {
    const service = await startMemory(t);
    const client = connect(t, service.url, { token: await aged(service, 310, 590), timeoutMs: 3000 });
    await Promise.all(Array.from({ length: 64 }, () => client.list()));
    assert.equal(pathsOf(service).filter((path) => path === '/token/renew').length, 1);
  });

  for (const [what, age, left] of [
    ['is young', 100, 800],
    ['has expired', 900, -1],
  ] as const)
    test(`not when it ${what}`, async (t) => {
      const service = await startMemory(t);
      const client = connect(t, service.url, { token: await aged(service, age, left) });
      await client.list().catch(() => undefined);
      assert.deepEqual(pathsOf(service), ['/books']);
    });

  test('not when it has no session', async (t) => {
    const service = await startMemory(t);
    const now = Math.floor(Date.now() / 1000);
    const token = await new SignJWT({ iat: now - 800, exp: now + 100 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secretToken));
    await connect(t, service.url, { token }).list();
    assert.deepEqual(pathsOf(service), ['/books']);
  });

  test('not again after the service has refused to renew it', async (t) => {
    const service = await startService(t, { databaseUrl: 'memory:', sessionHours: 0 });
    const client = connect(t, service.url, { token: await aged(service, 800, 100) });
    for (let i = 0; i < 3; i++) assert.deepEqual(await client.list(), []);
    assert.deepEqual(pathsOf(service), ['/token/renew', '/books', '/books', '/books']);
  });
});

test('a token that is refused after a failed renewal is replaced by onUnauthorized', async (t) => {
  const service = await startService(t, { databaseUrl: 'memory:', sessionHours: 0 });
  const { token: good } = service;
  const stale = (await aged(service, 800, 100)).replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
  const client = connect(t, service.url, { token: stale, onUnauthorized: () => Promise.resolve(good) });
  assert.deepEqual(await client.list(), []);
  assert.deepEqual(pathsOf(service), ['/token/renew', '/books', '/books']);
});

test('a renewal never replaces the token of a later login', async (t) => {
  const service = await startMemory(t);
  const [given, ofLogin] = [await aged(service, 800, 100), await aged(service, 0, 900)];
  let answerRenewal: () => void = () => undefined;
  const used: string[] = [];
  const peer = await startStranger(t, (request, response) => {
    const answer = (data: unknown) => response.end(JSON.stringify({ status: 200, message: 'x', data }));
    if (request.url === '/token/renew') answerRenewal = () => answer({ token: service.token });
    else if (request.url === '/token') {
      answer({ token: ofLogin });
      answerRenewal();
    } else {
      used.push(request.headers.authorization ?? '');
      answer([]);
    }
  });
  const renewals: string[] = [];
  const client = connect(t, peer.url, {
    token: given,
    onRenewed: (token: string) => void renewals.push(token),
  });
  const renewal = client.renew();
  while (peer.requests.length === 0) await setImmediate();
  await client.login('a', 'b');
  assert.equal(await renewal, ofLogin);
  await client.list();
  assert.deepEqual({ used, renewals }, { used: [ofLogin], renewals: [] });
});
