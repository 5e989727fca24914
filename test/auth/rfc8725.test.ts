import assert from 'node:assert/strict';
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { createTokens } from '../../src/auth/tokens.ts';
import { parseServerConfig } from '../../src/server/config.ts';
import { exchange } from '../support/raw.ts';
import { secretToken, startService } from '../support/service.ts';

/**
 * RFC 8725, JSON Web Token Best Current Practices, sections 3.1 to 3.12, against a service over real HTTP. Tokens are made
 * by hand, because libraries refuse to create most of these.
 */
const service = await startService({ after });

const now = Math.floor(Date.now() / 1000);
const claims = { exp: now + 900 };
const encode = (value: unknown) => text64(JSON.stringify(value));
const text64 = (text: string | Buffer) => Buffer.from(text).toString('base64url');
const hmac = (input: string, key: string | Buffer = secretToken, hash = 'sha256') =>
  createHmac(hash, key).update(input).digest('base64url');
/** A token that this secret signed, whatever its header and payload are, as values or as text. */
function sign(
  header: object | string,
  payload: unknown = claims,
  key: string | Buffer = secretToken,
  hash?: string,
) {
  const head = typeof header === 'string' ? text64(header) : encode(header);
  const input = `${head}.${typeof payload === 'string' ? text64(payload) : encode(payload)}`;
  return `${input}.${hmac(input, key, hash)}`;
}
const hs256 = { alg: 'HS256' };
const good = sign(hs256);
const [head = '', body = '', mac = ''] = good.split('.');
const unsigned = (header: object, signature = '') => `${encode(header)}.${body}.${signature}`;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
const publicJwk = rsa.publicKey.export({ format: 'jwk' });
function signRs256(header: object) {
  const input = `${encode(header)}.${body}`;
  return `${input}.${createSign('sha256').update(input).sign(rsa.privateKey, 'base64url')}`;
}
/** The last character of a 32-byte signature has two unused bits. */
function withTrailingBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(text.at(-1) ?? '');
  return text.slice(0, -1) + (alphabet[last ^ 1] ?? '');
}
/** A token whose signature has the characters in which base64url differs from base64. */
function withBothAlphabets(): string {
  for (let i = 0; ; i++) {
    const token = sign(hs256, { ...claims, i });
    if (/[-_]/.test(token.slice(token.lastIndexOf('.')))) return token;
  }
}
const inBase64 = (token: string) => token.replaceAll('-', '+').replaceAll('_', '/');
const ofLength = (length: number) => {
  const token = sign(hs256, { ...claims, pad: 'x'.repeat(Math.floor((length - 150) * 0.75)) });
  return token;
};

const valid = 200;
const refused = 401;
type Row = [section: string, attack: string, token: string, status: number];
const table: Row[] = [
  ['3.1', 'none of these: a token as the service itself makes it', good, valid],
  ['3.1', 'HS384, as it is named', sign({ alg: 'HS384' }, claims, secretToken, 'sha384'), valid],
  ['3.1', 'HS512, as it is named', sign({ alg: 'HS512' }, claims, secretToken, 'sha512'), valid],
  ['3.1', 'HS512 named, HS256 done', sign({ alg: 'HS512' }), refused],
  ['3.1', 'HS256 named, HS512 done', sign(hs256, claims, secretToken, 'sha512'), refused],
  ['3.1', 'RS256 with a key of the stranger’s', signRs256({ alg: 'RS256' }), refused],
  ['3.1', 'RS256 named, signed with our secret', sign({ alg: 'RS256' }), refused],
  ['3.1', 'an RSA public key as the HMAC secret', sign(hs256, claims, publicPem), refused],
  ...['none', 'None', 'NONE', 'nOnE', ' none', 'none\u0000', ''].flatMap((alg): Row[] => [
    ['3.1', `alg ${JSON.stringify(alg)} without a signature`, unsigned({ alg }), refused],
    ['3.1', `alg ${JSON.stringify(alg)} with our signature`, sign({ alg }), refused],
  ]),
  ...[null, 0, true, [], ['HS256'], { a: 'HS256' }].map((alg): Row => [
    '3.1',
    `alg ${JSON.stringify(alg)}`,
    sign({ alg }),
    refused,
  ]),
  ['3.1', 'no alg', sign({ typ: 'JWT' }), refused],
  ['3.1', 'alg in other letters', sign({ alg: 'hs256' }), refused],
  ['3.1', 'a weaker one', sign({ alg: 'HS1' }, claims, secretToken, 'sha1'), refused],
  ['3.2', 'MD5', sign({ alg: 'HMD5' }, claims, secretToken, 'md5'), refused],
  ['3.3', 'no signature', `${head}.${body}.`, refused],
  ['3.3', 'half of the signature', `${head}.${body}.${mac.slice(0, 22)}`, refused],
  ['3.3', 'the signature of another token', `${head}.${encode({ exp: now + 9000 })}.${mac}`, refused],
  ['3.3', 'a signed token in a token (cty JWT)', sign({ ...hs256, cty: 'JWT' }, text64(good)), refused],
  ['3.3', 'a token as the payload', sign({ ...hs256, cty: 'JWT' }, good), refused],
  ['3.3', 'four parts', `${good}.${mac}`, refused],
  ['3.3', 'five parts, as JWE has', `${head}.${body}.${mac}.${body}.${mac}`, refused],
  [
    '3.3',
    'an encrypted one (dir)',
    `${encode({ alg: 'dir', enc: 'A256GCM' })}..${body}.${body}.${mac}`,
    refused,
  ],
  ['3.3', 'two parts', `${head}.${body}`, refused],
  ['3.3', 'dots', '..', refused],
  ['3.3', 'flattened JSON', JSON.stringify({ protected: head, payload: body, signature: mac }), refused],
  [
    '3.3',
    'general JSON',
    JSON.stringify({ payload: body, signatures: [{ protected: head, signature: mac }] }),
    refused,
  ],
  [
    '3.4',
    'no point of a curve: ES256',
    sign({ alg: 'ES256', epk: { x: 'AA', y: 'AA', crv: 'P-256' } }),
    refused,
  ],
  ['3.5', 'the empty key', sign(hs256, claims, ''), refused],
  ['3.5', 'a guessed key', sign(hs256, claims, 'secret'), refused],
  [
    '3.6',
    'compressed',
    sign({ ...hs256, zip: 'DEF' }, deflateRawSync(JSON.stringify(claims)).toString('latin1')),
    refused,
  ],
  [
    '3.6',
    'compressed and encrypted',
    `${encode({ alg: 'dir', enc: 'A128GCM', zip: 'DEF' })}..${body}.${body}.${mac}`,
    refused,
  ],
  [
    '3.7',
    'a header that is not UTF-8',
    `${text64(Buffer.from('{"alg":"HS256\xff"}', 'latin1'))}.${body}.${mac}`,
    refused,
  ],
  [
    '3.7',
    'a header in UTF-16',
    `${text64(Buffer.from('{"alg":"HS256"}', 'utf16le'))}.${body}.${mac}`,
    refused,
  ],
  ['3.7', 'no JSON', sign('{"alg":"HS256"', claims), refused],
  ['3.7', 'a payload that is an array', sign(hs256, [claims]), refused],
  ['3.7', 'a payload that is null', sign(hs256, null), refused],
  ['3.7', 'an empty payload', sign(hs256, ''), refused],
  ['3.7', 'padding', `${good}=`, refused],
  ['3.7', 'padded parts', `${head}==.${body}=.${mac}=`, refused],
  ['3.7', 'a signature in the alphabet of base64', inBase64(withBothAlphabets()), refused],
  ['3.7', 'bits that stand for nothing', withTrailingBits(good), refused],
  ['3.7', 'a space in the signature', `${good.slice(0, -5)} ${good.slice(-5)}`, refused],
  ['3.7', 'a tab between parts', `${head}.\t${body}.${mac}`, refused],
  ['3.8', 'an iss of somebody else', sign(hs256, { ...claims, iss: 'https://evil.example' }), valid],
  ['3.9', 'an aud of somebody else', sign(hs256, { ...claims, aud: 'another' }), valid],
  ...Object.entries({
    jwk: publicJwk,
    jku: `${service.url}/livez`,
    x5u: `${service.url}/livez`,
    x5c: [text64('certificate')],
    kid: "../../../../dev/null' OR '1'='1",
  }).flatMap(([name, value]): Row[] => [
    ['3.10', `${name}: the stranger’s key`, signRs256({ alg: 'RS256', [name]: value }), refused],
    ['3.10', `${name} beside HS256, the empty key`, sign({ ...hs256, [name]: value }, claims, ''), refused],
    ['3.10', `${name} is not looked at`, sign({ ...hs256, [name]: value }), valid],
  ]),
  [
    '3.10',
    'jwk: a symmetric one',
    sign({ ...hs256, jwk: { kty: 'oct', k: text64('mine') } }, claims, 'mine'),
    refused,
  ],
  ['3.11', 'crit: unknown', sign({ ...hs256, crit: ['exp'], exp: 1 }), refused],
  ['3.11', 'crit: empty', sign({ ...hs256, crit: [] }), refused],
  ['3.11', 'crit: no list', sign({ ...hs256, crit: 'exp' }), refused],
  ['3.11', 'crit: what is not there', sign({ ...hs256, crit: ['b64'] }), refused],
  ['3.11', 'a payload that is not encoded (b64)', sign({ ...hs256, b64: false, crit: ['b64'] }), refused],
  ['3.11', 'another typ', sign({ ...hs256, typ: 'secevent+jwt' }), valid],
  ['3.12', 'no exp', sign(hs256, {}), refused],
  ['3.12', 'exp as text', sign(hs256, { exp: `${now + 900}` }), refused],
  ['3.12', 'exp null', sign(hs256, { exp: null }), refused],
  ['3.12', 'exp in a list', sign(hs256, { exp: [now + 900] }), refused],
  ['3.12', 'exp in the past', sign(hs256, { exp: now - 1 }), refused],
  ['3.12', 'exp below 0', sign(hs256, { exp: -1 }), refused],
  ['3.12', 'exp of a prototype', sign(hs256, `{"__proto__":{"exp":${now + 900}}}`), refused],
  ['3.12', 'exp with a part of a second', sign(hs256, { exp: now + 900.5 }), valid],
  ['3.12', 'exp 1e308, which our secret has signed', sign(hs256, '{"exp":1e308}'), valid],
  ['3.12', 'an infinite exp', sign(hs256, '{"exp":1e309}'), refused],
  ['3.12', 'nbf in the future', sign(hs256, { ...claims, nbf: now + 600 }), refused],
  ['3.12', 'nbf as text', sign(hs256, { ...claims, nbf: 'x' }), refused],
  // RFC 7519, section 4: the last of two counts.
  ['3.12', 'exp twice, the last in the past', sign(hs256, `{"exp":${now + 900},"exp":${now - 1}}`), refused],
  ['3.12', 'alg twice, the last is none', sign('{"alg":"HS256","alg":"none"}'), refused],
];

describe('RFC 8725, section by section', () => {
  for (const [section, attack, token, status] of table) {
    test(`${section} ${attack}: ${status}`, async () => {
      for (const time of ['at first', 'again']) {
        const answer = await service.request('GET', '/book/1', { token });
        // The store is empty: an accepted token gets a 404.
        assert.equal(answer.status === 404 ? valid : answer.status, status, time);
        if (status === refused) assert.equal(answer.envelope?.message, 'Invalid token');
      }
    });
  }
});

describe('RFC 8725, 3.5: an empty key is refused', () => {
  const config = { secretToken, authUsername: 'a', authPassword: 'b' };
  for (const wrong of [{ secretToken: '' }, { secretTokenPrevious: '' }]) {
    test(`${Object.keys(wrong).join()} is empty`, () => {
      assert.throws(() => parseServerConfig({ ...config, ...wrong }), TypeError);
    });
  }
});

describe('RFC 8725, 3.6: huge tokens', () => {
  test('15 KiB: verified like any other token', async () => {
    const token = ofLength(15 * 1024);
    assert.ok(token.length > 15_000);
    assert.equal((await service.request('GET', '/book/1', { token })).status, 404);
    assert.equal(
      (await service.request('GET', '/book/1', { token: withTrailingBits(token) })).status,
      refused,
    );
  });

  test('over 16 KiB of headers: 431, and the connection is closed', async () => {
    const token = ofLength(17 * 1024);
    const text = await exchange(
      service.port,
      `GET /books HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`,
    );
    assert.match(text, /^HTTP\/1\.1 431 /);
  });
});

describe('the cache of verified tokens', () => {
  test('accepts no variant of a token', async () => {
    assert.equal((await service.request('GET', '/book/1', { token: good })).status, 404);
    const variants = [
      withTrailingBits(good),
      good.slice(0, -1),
      `${good}A`,
      `${good}.`,
      `${good}=`,
      `.${good}`,
      `Bearer ${good}`,
      `${good},${good}`,
      good.toLowerCase(),
      unsigned({ alg: 'none' }),
      unsigned(hs256, hmac(`${head}.${body}`, 'x')),
    ];
    for (const token of variants)
      assert.equal((await service.request('GET', '/book/1', { token })).status, refused);
  });

  test('expires tokens to the second, even with a fractional exp', async () => {
    let seconds = now;
    const tokens = await createTokens(secretToken, { now: () => seconds * 1000 });
    const verify = async (token: string) => tokens.verify(token);
    for (const [exp, last] of [
      [now + 10, now + 9.999],
      [now + 10.5, now + 10.499],
    ] as const) {
      const token = sign(hs256, { exp });
      seconds = now;
      await verify(token);
      seconds = last;
      await verify(token);
      seconds = exp;
      await assert.rejects(verify(token), { code: 'invalid_token' });
      seconds = exp + 0.6;
      await assert.rejects(verify(token), { code: 'invalid_token' });
    }
  });
});
