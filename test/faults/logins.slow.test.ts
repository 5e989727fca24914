import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { logIn, logInTimes } from '../support/logins.ts';
import { credentials, startService } from '../support/service.ts';
import { sized } from '../support/size.ts';

const wrong = { ...credentials, password: 'wrong horse' };
/** Logins that fail before an address has to wait. */
const burst = 20;

const times = <T>(count: number, value: T) => Array<T>(count).fill(value);
const waitOf = (answer: { headers: NodeJS.Dict<unknown> }) => Number(answer.headers['retry-after']);

test('20 failed logins, then one every 3 seconds, as Retry-After says', async (context) => {
  const { url } = await startService(context);
  const begun = performance.now();
  assert.deepEqual(await logInTimes(burst, url, wrong), times(burst, 401));
  for (let i = 0; i < sized({ short: 1, long: 4 }); i++) {
    const refused = await logIn(url, wrong);
    // So long ago that a try has come back already: a very slow machine, of which nothing can be said.
    if (performance.now() - begun > 3000 * (i + 1)) return;
    assert.equal(refused.status, 429);
    assert.equal(refused.envelope?.message, 'Too many attempts');
    assert.ok(waitOf(refused) >= 1 && waitOf(refused) <= 3, String(refused.headers['retry-after']));
    await pause(waitOf(refused) * 1000);
    assert.equal((await logIn(url, wrong)).status, 401);
  }
});

test('while an address is limited, its correct password is refused too', async (context) => {
  const { url } = await startService(context);
  await logInTimes(burst, url, wrong);
  assert.equal((await logIn(url, credentials)).status, 429);
});

test('concurrent attempts get no more logins than sequential ones', async (context) => {
  const { url } = await startService(context);
  const answers = await Promise.all(times(200, wrong).map((login) => logIn(url, login)));
  const failed = answers.filter(({ status }) => status === 401).length;
  assert.ok(failed >= burst && failed <= burst + 5, `${failed} were tried`); // One comes back every 3 s.
  assert.ok(answers.every(({ status }) => status === 401 || status === 429));
});

describe('a correct login from another address succeeds while one address is limited', () => {
  const skip = process.platform === 'linux' ? false : 'only Linux has all of 127.0.0.0/8';
  test('from another address of the network', { skip }, async (context) => {
    const { url } = await startService(context);
    await logInTimes(burst, url, wrong, { localAddress: '127.0.0.3' });
    assert.equal((await logIn(url, credentials, { localAddress: '127.0.0.3' })).status, 429);
    assert.equal((await logIn(url, credentials, { localAddress: '127.0.0.2' })).status, 200);
  });

  test('from another client of a trusted proxy', async (context) => {
    const { url } = await startService(context, { trustedProxies: ['127.0.0.1'] });
    const stranger = { forwardedFor: '192.0.2.66' };
    await logInTimes(burst, url, wrong, stranger);
    assert.equal((await logIn(url, credentials, stranger)).status, 429);
    assert.equal((await logIn(url, credentials, { forwardedFor: '198.51.100.1, 192.0.2.66' })).status, 429);
    assert.equal((await logIn(url, credentials, { forwardedFor: '192.0.2.1' })).status, 200);
    assert.equal((await logIn(url, credentials)).status, 200, 'the proxy itself');
  });
});

describe('X-Forwarded-For of a client that is not a trusted proxy is ignored', () => {
  const table: [what: string, trustedProxies: string[] | undefined][] = [
    ['none is configured', undefined],
    ['another one is', ['192.0.2.0/24', '::1']],
  ];
  for (const [what, trustedProxies] of table) {
    test(what, async (context) => {
      const { url } = await startService(context, trustedProxies && { trustedProxies });
      const statuses: number[] = [];
      for (let i = 0; i < burst + 1; i++)
        statuses.push((await logIn(url, wrong, { forwardedFor: `192.0.2.${i}` })).status);
      assert.deepEqual(statuses, [...times(burst, 401), 429]);
    });
  }
});

test('responses to a wrong name and a wrong password are identical, except for request id and date', async (context) => {
  const { url } = await startService(context);
  const pairs = [
    wrong,
    { ...credentials, username: 'nobody' },
    { username: 'nobody', password: 'wrong horse' },
    { username: '', password: '' },
    { username: credentials.username, password: credentials.username },
    { username: 'x'.repeat(10_000), password: credentials.password },
  ];
  const answers = [];
  for (const pair of pairs) {
    const { status, text, headers } = await logIn(url, pair);
    answers.push({ status, text, headers: { ...headers, date: '', 'x-request-id': '' } });
  }
  for (const answer of answers) assert.deepEqual(answer, { ...answers[0], status: 401 });
});
