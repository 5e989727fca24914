import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, test } from 'node:test';
import { createCredentialCheck, parseLogin, parsePasswordChange } from '../../src/auth/credentials.ts';

describe('the credential check accepts the configured pair only', () => {
  const isAccepted = createCredentialCheck({ username: 'ada', password: 'pässwörd' });
  const table: [username: string, password: string, accepted: boolean][] = [
    ['ada', 'pässwörd', true],
    ['ada', 'passwort', false],
    ['Ada', 'pässwörd', false],
    ['', '', false],
    ['ada', 'pässwörd ', false],
    ['ada', 'pässwörd\u0000', false],
    ['ada\ud800', 'pässwörd', false],
  ];
  for (const [username, password, accepted] of table) {
    test(`${JSON.stringify([username, password])}: ${accepted}`, () => {
      assert.equal(isAccepted({ username, password }), accepted);
    });
  }
});

test('halves of different surrogate pairs are different passwords', () => {
  const isAccepted = createCredentialCheck({ username: 'ada', password: '\ud800' });
  assert.deepEqual(
    ['\ud800', '\ud801', '\ufffd'].map((password) => isAccepted({ username: 'ada', password })),
    [true, false, false],
  );
});

describe('parsePasswordChange', () => {
  test('reads both passwords, and nothing else', () => {
    for (const newPassword of ['0123456789', '🙂'.repeat(10)])
      assert.deepEqual(parsePasswordChange({ password: '', newPassword, username: 'ada' }), {
        password: '',
        newPassword,
      });
  });

  test('refuses a new password of less than 10 characters', () => {
    for (const newPassword of ['', '012345678', '🙂'.repeat(9)])
      assert.throws(() => parsePasswordChange({ password: 'x', newPassword }), {
        code: 'invalid_payload',
        message: 'newPassword has fewer than 10 characters',
      });
  });

  test('refuses what has not both', () => {
    for (const value of [undefined, {}, { password: 'x' }, { newPassword: '0123456789' }, { password: 1, newPassword: '0123456789' }])
      assert.throws(() => parsePasswordChange(value), { code: 'invalid_payload' });
  }); // prettier-ignore
});

describe('parseLogin refuses a body that is not a login', () => {
  const table: unknown[] = [
    undefined,
    null,
    1,
    'x',
    [],
    {},
    { username: 'a' },
    { password: 'b' },
    { username: 'a', password: 1 },
    { username: null, password: 'b' },
  ];
  for (const body of table) {
    test(body === undefined ? 'not JSON' : JSON.stringify(body), () => {
      assert.throws(() => parseLogin(body), {
        code: 'invalid_payload',
      });
    });
  }
});

test('a password of 1,000 characters is compared to its last one', () => {
  const password = 'ä'.repeat(1000);
  const isAccepted = createCredentialCheck({ username: 'ada', password });
  assert.ok(isAccepted({ username: 'ada', password }));
  assert.ok(!isAccepted({ username: 'ada', password: `${password.slice(1)}a` }));
});

test('the username and password are always both compared, by digests of equal length', (context) => {
  const compare = context.mock.method(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  context.after(() => {
    compare.mock.restore();
    syncBuiltinESMExports();
  });
  const isAccepted = createCredentialCheck({ username: 'ada', password: 'lovelace' });
  for (const login of [
    { username: 'ada', password: 'lovelace' },
    { username: 'ada', password: '' },
    { username: '', password: 'lovelace' },
    { username: 'x'.repeat(100_000), password: '' },
  ]) {
    compare.mock.resetCalls();
    isAccepted(login);
    const lengths = compare.mock.calls.map(({ arguments: [a, b] }) => [a.byteLength, b.byteLength]);
    assert.deepEqual(lengths, [
      [32, 32],
      [32, 32],
    ]);
  }
});
