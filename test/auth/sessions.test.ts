import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { createTokens, type Tokens, type TokensOptions } from '../../src/auth/tokens.ts';

const secret = 'a-secret-for-tests-only-with-40-bytes!!!';
const login = { username: 'librarian', password: 'correct horse' };
const startMs = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;

/** A clock that a test moves, and tokens of that time. */
async function createSession(options: TokensOptions = {}, ownSecret = secret) {
  const clock = { now: startMs };
  const session = { login, sessionHours: 12 };
  const tokens = await createTokens(ownSecret, { session, now: () => clock.now, ...options });
  return { clock, tokens };
}

const refused = async (tokens: Tokens, token: string) => {
  await assert.rejects(tokens.renew(token), { code: 'invalid_token' });
};

test('a renewed token lasts 15 minutes from then, and keeps the time of the login', async () => {
  const { clock, tokens } = await createSession();
  const first = await tokens.issue();
  const { auth_time: loginAt, exp } = decodeJwt(first);
  assert.equal(loginAt, startMs / 1000);
  assert.equal(exp, startMs / 1000 + 900);
  clock.now += 899_000;
  const second = await tokens.renew(first);
  assert.deepEqual(decodeJwt(second), {
    ...decodeJwt(first),
    iat: clock.now / 1000,
    exp: clock.now / 1000 + 900,
  });
  clock.now += 1000;
  await refused(tokens, first);
  await tokens.verify(second);
});

test('a session that is always renewed ends when its hours are over, and its last token 15 minutes later', async () => {
  const { clock, tokens } = await createSession();
  let token = await tokens.issue();
  for (clock.now += 600_000; clock.now < startMs + 12 * hourMs; clock.now += 600_000)
    token = await tokens.renew(token);
  assert.equal(clock.now, startMs + 12 * hourMs);
  await tokens.verify(token);
  await refused(tokens, token);
});

test('with 0 hours, no token can be renewed', async () => {
  const { tokens } = await createSession({ session: { login, sessionHours: 0 } });
  await refused(tokens, await tokens.issue());
});

describe('a token is not renewed', () => {
  for (const [what, other] of [
    ['after a change of the password', { ...login, password: 'another' }],
    ['after a change of the username', { ...login, username: 'another' }],
    ['if username and password are divided elsewhere', { username: 'librarianc', password: 'orrect horse' }],
  ] as const)
    test(what, async () => {
      const { tokens } = await createSession();
      const { tokens: later } = await createSession({ session: { login: other, sessionHours: 12 } });
      const token = await tokens.issue();
      await later.verify(token);
      await refused(later, token);
    });

  const exp = startMs / 1000 + 900;
  const key = new TextEncoder().encode(secret);
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT({ exp, ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(key);
  const foreign: [what: string, claims: (own: Record<string, unknown>) => Record<string, unknown>][] = [
    ['of another issuer, without the claims of a login', () => ({})],
    ['without the time of the login', (own) => ({ login: own.login })],
    ['with a time of the login that is not a number', (own) => ({ ...own, auth_time: `${startMs / 1000}` })],
    ['with an infinite time of the login', (own) => ({ ...own, auth_time: null })],
    ['without the proof of the login', (own) => ({ auth_time: own.auth_time })],
    ['with an empty proof', (own) => ({ ...own, login: '' })],
    ['with another proof of the same length', (own) => ({ ...own, login: 'A'.repeat(43) })],
    ['with a proof that is not a text', (own) => ({ ...own, login: 1 })],
  ];
  for (const [what, claims] of foreign)
    test(what, async () => {
      const { tokens } = await createSession();
      const { auth_time, login: proof } = decodeJwt(await tokens.issue());
      const token = await sign(claims({ auth_time, login: proof }));
      await tokens.verify(token);
      await refused(tokens, token);
    });

  test('with every claim, but the signature of another secret', async () => {
    const { tokens } = await createSession();
    const { tokens: other } = await createSession({}, 'another-secret-for-tests-with-40-bytes!!');
    await refused(tokens, await other.issue());
  });
});

test('a token of the previous secret is renewed with the new one', async () => {
  const next = 'another-secret-for-tests-with-40-bytes!!';
  const old = await (await createSession()).tokens.issue();
  const { tokens } = await createSession({ previousSecret: secret }, next);
  const renewed = await tokens.renew(old);
  const { tokens: later } = await createSession({}, next);
  assert.equal(decodeJwt(await later.renew(renewed)).auth_time, startMs / 1000);
  await refused(later, old);
});

test('a token contains neither the password nor the username', async () => {
  const { tokens } = await createSession();
  const claims = JSON.stringify(decodeJwt(await tokens.issue()));
  assert.doesNotMatch(claims, /librarian|horse/);
});
