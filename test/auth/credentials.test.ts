import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCredentialCheck, parseLogin } from '../../src/auth/credentials.ts';

describe('the one accepted pair', () => {
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

describe('a body that is no login request', () => {
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
        wireMessage: 'Invalid request payload',
      });
    });
  }
});
