import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createLoginCodes } from '../../../src/auth/login-codes.ts';
import { createLoginRateLimit } from '../../../src/auth/login-rate-limit.ts';
import { createTokens } from '../../../src/auth/tokens.ts';
import { ShelflistError } from '../../../src/catalogue/errors.ts';
import type { Call } from '../../../src/server/http/call.ts';
import { tokenRoutes, type Accepted } from '../../../src/server/routes/token.ts';
import { secretToken } from '../../support/service.ts';

/** As many logins as are checked at once. */
const together = ['wrong', 'wrong', 'right', 'slow', 'wrong', 'right', 'broken', 'right'];

/** The outcomes of logins that begin together, after this many have failed; they end in their order. */
async function outcomes(failedBefore: number): Promise<{ codes: string[]; failures: number }> {
  const loginRateLimit = createLoginRateLimit({ now: () => 0 });
  for (let i = 0; i < failedBefore; i++) loginRateLimit.fail('a');
  let failures = 0;
  let begun = 0;
  let endAll = (): void => undefined;
  const allBegun = new Promise<void>((resolve) => (endAll = resolve));
  const [issue] = tokenRoutes({
    loginRateLimit,
    loginCodes: createLoginCodes(),
    tokens: await createTokens(secretToken),
    onFailure: () => failures++,
    authenticate: async ({ password }): Promise<Accepted | undefined> => {
      if (++begun === together.length) endAll();
      await allBegun;
      if (password === 'broken') throw new ShelflistError('unavailable');
      return password === 'right' ? { user: { name: 'reader', claims: {} } } : undefined;
    },
  });
  const logIn = async (password: string) => {
    const readJson = () => Promise.resolve({ username: 'reader', password });
    const { signal } = new AbortController();
    try {
      await issue?.handle({ address: 'a', signal, readJson } as unknown as Call);
      return 'ok';
    } catch (error) {
      return error instanceof ShelflistError ? error.code : String(error);
    }
  };
  return { codes: await Promise.all(together.map(logIn)), failures };
}

test('logins that are checked together fail no more often than one by one, and beyond the limit no password is known as right', async () => {
  const [wrong, over] = ['invalid_credentials', 'too_many_attempts'];
  const table: [left: number, codes: string[]][] = [
    [1, [wrong, over, over, over, over, over, over, over]],
    [3, [wrong, wrong, 'ok', wrong, over, over, over, over]],
    [8, [wrong, wrong, 'ok', wrong, wrong, 'ok', 'unavailable', 'ok']],
  ];
  for (const [left, codes] of table) {
    const failures = codes.filter((code) => code === wrong).length;
    assert.deepEqual(await outcomes(20 - left), { codes, failures }, `${left} left`);
  }
});

test('while the app answers no login, the waiting ones fail in time, and those of a blocked address at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const loginRateLimit = createLoginRateLimit({ now: () => 0 });
  let begun = 0;
  const [issue] = tokenRoutes({
    loginRateLimit,
    loginCodes: createLoginCodes(),
    tokens: await createTokens(secretToken),
    onFailure: () => undefined,
    authenticate: () => {
      begun++;
      return new Promise(() => undefined);
    },
  });
  const codes: string[] = [];
  const logIn = async (address: string) => {
    const readJson = () => Promise.resolve({ username: 'reader', password: 'right' });
    const { signal } = new AbortController();
    try {
      await issue?.handle({ address, signal, readJson } as unknown as Call);
    } catch (error) {
      codes.push(error instanceof ShelflistError ? error.code : String(error));
    }
  };
  for (let i = 0; i < 8 + 3; i++) void logIn('a');
  await setImmediate();
  for (let i = 0; i < 20; i++) loginRateLimit.fail('b');
  void logIn('b');
  await setImmediate();
  assert.deepEqual(codes, ['too_many_attempts']);
  t.mock.timers.tick(10_000);
  await setImmediate();
  assert.deepEqual(codes, ['too_many_attempts', ...Array<string>(3).fill('unavailable')]);
  assert.equal(begun, 8);
});
