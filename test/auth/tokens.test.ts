import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { createTokens, type TokensOptions } from '../../src/auth/tokens.ts';

const secret = 'a-secret-for-tests-only-with-40-bytes!!!';
const key = new TextEncoder().encode(secret);
const startMs = Date.UTC(2026, 0, 1);
const start = startMs / 1000;

/** Verifies a token at a time in Unix seconds; returns `valid` or the error. */
async function outcome(token: string, at = start): Promise<string> {
  const tokens = await createTokens(secret, { now: () => at * 1000 });
  try {
    await tokens.verify(token);
    return 'valid';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const sign = (alg: string, exp: number | undefined, signingKey: Uint8Array = key) => {
  const jwt = new SignJWT().setProtectedHeader({ alg });
  if (exp !== undefined) jwt.setExpirationTime(exp);
  return jwt.sign(signingKey);
};

test('a token without a session is a JWT signed with HS256 that expires after 15 minutes', async () => {
  const tokens = await createTokens(secret, { now: () => startMs + 999 });
  const token = await tokens.issue();
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' });
  assert.deepEqual(decodeJwt(token), { iat: start, exp: start + 900 });
});

describe('tokens by section 5 of the specification', () => {
  const good = () => sign('HS256', start + 900);
  const swap = async (part: number, text: string) => (await good()).split('.').with(part, text).join('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const table: [what: string, token: () => Promise<string>, outcome: string][] = [
    ['its own', good, 'valid'],
    ['HS384', () => sign('HS384', start + 900), 'valid'],
    ['HS512', () => sign('HS512', start + 900), 'valid'],
    ['not parsable', () => Promise.resolve('not.a.token'), 'invalid_token'],
    ['no dots', () => Promise.resolve('token'), 'invalid_token'],
    ['with a scheme', async () => `Bearer ${await good()}`, 'invalid_token'],
    [
      'another secret',
      () => sign('HS256', start + 900, new TextEncoder().encode('x'.repeat(40))),
      'invalid_token',
    ],
    ['a changed payload', () => swap(1, encode({ exp: start + 9000 })), 'invalid_token'],
    ['no signature', () => swap(2, ''), 'invalid_token'],
    ['a changed algorithm', () => swap(0, encode({ alg: 'HS512' })), 'invalid_token'],
    [
      'alg none',
      () => Promise.resolve(new UnsecuredJWT().setExpirationTime(start + 900).encode()),
      'invalid_token',
    ],
    [
      'not HMAC',
      async () => {
        const { privateKey } = await generateKeyPair('ES256');
        return new SignJWT()
          .setProtectedHeader({ alg: 'ES256' })
          .setExpirationTime(start + 900)
          .sign(privateKey);
      },
      'invalid_token',
    ],
    ['no exp', () => sign('HS256', undefined), 'invalid_token'],
    [
      'an exp that is not a number',
      () => new SignJWT({ exp: 'x' as never }).setProtectedHeader({ alg: 'HS256' }).sign(key),
      'invalid_token',
    ],
    ['one second left', () => sign('HS256', start + 1), 'valid'],
    ['expired this very second', () => sign('HS256', start), 'invalid_token'],
    ['expired long ago', () => sign('HS256', start - 900), 'invalid_token'],
  ];
  for (const [what, token, expected] of table) {
    test(`${what}: ${expected}`, async () => {
      assert.equal(await outcome(await token()), expected);
    });
  }
});

describe('tokens during a change of secrets', () => {
  const next = 'another-secret-for-tests-with-40-bytes!!';
  const table: {
    what: string;
    signer: string;
    secretNow: string;
    previousSecret: string | undefined;
    ok: boolean;
  }[] = [
    {
      what: 'what the previous secret signed is accepted',
      signer: secret,
      secretNow: next,
      previousSecret: secret,
      ok: true,
    },
    {
      what: 'what the new one signed is accepted',
      signer: next,
      secretNow: next,
      previousSecret: secret,
      ok: true,
    },
    {
      what: 'what a third one signed is refused',
      signer: 'x'.repeat(40),
      secretNow: next,
      previousSecret: secret,
      ok: false,
    },
    {
      what: 'without a previous one, what it signed is refused',
      signer: secret,
      secretNow: next,
      previousSecret: undefined,
      ok: false,
    },
  ];
  for (const { what, signer, secretNow, previousSecret, ok } of table) {
    test(what, async () => {
      const now = () => startMs;
      const tokens = await createTokens(secretNow, { now, previousSecret });
      const token = await (await createTokens(signer, { now })).issue();
      if (ok) await tokens.verify(token);
      else await assert.rejects(async () => tokens.verify(token), { code: 'invalid_token' });
    });
  }

  test('the new secret signs, and an expired token of the previous one is refused', async () => {
    let now = startMs;
    const tokens = await createTokens(next, { now: () => now, previousSecret: secret });
    const own = await tokens.issue();
    await (await createTokens(next, { now: () => now })).verify(own);
    const old = await sign('HS256', start + 1);
    await tokens.verify(old);
    now += 1000;
    await assert.rejects(async () => tokens.verify(old), { code: 'invalid_token' });
  });
});

test('a cached token expires to the second', async () => {
  let now = start;
  const tokens = await createTokens(secret, { now: () => now * 1000 });
  const token = await tokens.issue();
  const verified = await tokens.verify(token);
  assert.equal(tokens.verify(token), verified, 'the second time it is remembered');
  now = start + 899;
  assert.equal(tokens.verify(token), verified);
  now = start + 900;
  await assert.rejects(async () => tokens.verify(token), { code: 'invalid_token' });
});

test('a token that cannot be signed is "Could not generate token"', async () => {
  const tokens = await createTokens(secret, { now: () => NaN });
  await assert.rejects(tokens.issue(), (error: Error & { code: string; status: number }) => {
    assert.deepEqual([error.code, error.status], ['token_not_signed', 500]);
    return error.cause instanceof Error;
  });
});

const login = { username: 'librarian', password: 'correct horse' };
const session = { login, sessionHours: 12 };
const open = (options: TokensOptions = {}, ownSecret = secret) =>
  createTokens(ownSecret, { now: () => startMs, ...options });
const invalid = { code: 'invalid_token' };

describe('the user of a token', () => {
  const jane = { name: 'jane', claims: { role: 'reader' } };

  test('is in its claims, and is verified from them', async () => {
    const tokens = await open();
    const token = await tokens.issue(jane);
    assert.deepEqual(decodeJwt(token), {
      sub: 'jane',
      claims: { role: 'reader' },
      iat: start,
      exp: start + 900,
    });
    assert.deepEqual(await tokens.verify(token), { exp: start + 900, user: jane });
    const plain = await tokens.issue({ name: 'emma', claims: {} });
    assert.deepEqual(decodeJwt(plain), { sub: 'emma', iat: start, exp: start + 900 });
  });

  test('stays when the token is renewed', async () => {
    const tokens = await open({ session });
    for (const user of [jane, { name: 'emma', claims: {} }]) {
      const renewed = await tokens.renew(await tokens.issue(user));
      assert.deepEqual((await tokens.verify(renewed)).user, user);
    }
    const claims = decodeJwt(await tokens.renew(await tokens.issue()));
    assert.deepEqual(Object.keys(claims).sort(), ['auth_time', 'exp', 'iat', 'login']);
  });

  test('is the accepted login, if it comes from that and names nobody', async () => {
    const tokens = await open({ session });
    assert.deepEqual((await tokens.verify(await tokens.issue())).user, { name: 'librarian', claims: {} });
  });

  test('is nobody, if another issuer made it without a name', async () => {
    const exp = start + 900;
    for (const claims of [{}, { sub: 7 }, { sub: '' }, { sub: 'a\nb' }, { login: 'AAAA' }, { login: 7 }])
      for (const options of [{}, { session }]) {
        const token = await new SignJWT({ exp, ...claims } as never).setProtectedHeader({ alg: 'HS256' }).sign(key);
        assert.deepEqual(await (await open(options)).verify(token), { exp, user: undefined });
      }
  }); // prettier-ignore
});

test('without a session, no token can be renewed', async () => {
  const token = await (await open({ session })).issue();
  await assert.rejects((await open()).renew(token), invalid);
});

test('issuer and audience are in each new token, and required of each token', async () => {
  const both = { issuer: 'https://library.example', audience: 'books' };
  const token = await (await open(both)).issue();
  const { iss, aud } = decodeJwt(token);
  assert.deepEqual({ issuer: iss, audience: aud }, both);
  for (const accepting of [{}, both, { issuer: both.issuer }, { audience: both.audience }])
    await (await open(accepting)).verify(token);
  for (const refusing of [
    { ...both, issuer: 'https://other.example' },
    { ...both, audience: 'films' },
  ])
    await assert.rejects(async () => (await open(refusing)).verify(token), invalid);
  const plain = await (await open()).issue();
  assert.ok(!('iss' in decodeJwt(plain)) && !('aud' in decodeJwt(plain)));
  for (const refusing of [{ issuer: both.issuer }, { audience: both.audience }])
    await assert.rejects(async () => (await open(refusing)).verify(plain), invalid);
});

describe('a scope', () => {
  test('separates the tokens of catalogues with one secret', async () => {
    const [one, other, none] = await Promise.all([open({ scope: 'one' }), open({ scope: 'other' }), open()]);
    const [token, plain] = [await one.issue(), await none.issue()];
    await one.verify(token);
    for (const tokens of [other, none]) await assert.rejects(async () => tokens.verify(token), invalid);
    await assert.rejects(async () => one.verify(plain), invalid);
  });

  // The keys never change: a new version of the service would end every session.
  test('gives a key by RFC 5869, and so does the proof of a login', async () => {
    for (const scope of [undefined, 'one']) {
      const derive = (purpose: string) =>
        Buffer.from(hkdfSync('sha256', secret, scope ?? '', `shelflist\0${purpose}\0`, 32));
      const tokens = await open({ scope, session });
      const token = await tokens.issue();
      const [head, body, signature] = token.split('.');
      const hmac = createHmac('sha256', scope === undefined ? secret : derive('token'));
      assert.equal(hmac.update(`${head}.${body}`).digest('base64url'), signature);
      const credentials = Buffer.from('9:librariancorrect horse', 'utf16le');
      const proof = createHmac('sha256', derive('login')).update(credentials).digest('base64url');
      assert.equal(decodeJwt(token).login, proof);
    }
  });
});
