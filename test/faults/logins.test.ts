import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '../support/cli.ts';
import { logIn, logInTimes } from '../support/logins.ts';
import { credentials, startService } from '../support/service.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

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

test('while an address has to wait, its right password is refused too', async (context) => {
  const { url } = await startService(context);
  await logInTimes(burst, url, wrong);
  assert.equal((await logIn(url, credentials)).status, 429);
});

test('many tries at the same moment are no more than one after the other', async (context) => {
  const { url } = await startService(context);
  const answers = await Promise.all(times(200, wrong).map((login) => logIn(url, login)));
  const failed = answers.filter(({ status }) => status === 401).length;
  assert.ok(failed >= burst && failed <= burst + 5, `${failed} were tried`); // One comes back every 3 s.
  assert.ok(answers.every(({ status }) => status === 401 || status === 429));
});

describe('a right login from elsewhere is not hindered', () => {
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

describe('X-Forwarded-For of whoever is no trusted proxy is worth nothing', () => {
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

test('a wrong name and a wrong password are answered alike, to the byte but for request id and date', async (context) => {
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

describe('with three workers', () => {
  const environment = {
    SECRET_TOKEN: 'the-secret-of-this-test-with-38-bytes!',
    AUTH_USERNAME: credentials.username,
    AUTH_PASSWORD: 'the-password-of-this-test',
    WORKERS: '3',
    TRUSTED_PROXIES: '127.0.0.1, ::1',
  };
  const right = { username: environment.AUTH_USERNAME, password: environment.AUTH_PASSWORD };
  const start = async (context: Scope) => serve(context, await temporaryFolder(context), environment);

  test('the limit is that of the service, and another client is let in', async (context) => {
    const { url } = await start(context);
    const stranger = { forwardedFor: '192.0.2.66' };
    const begun = performance.now();
    let failed = 0;
    for (let refused = 0; refused < 30;) {
      const { status } = await logIn(url, wrong, stranger);
      if (status === 401) failed++;
      refused = status === 429 ? refused + 1 : 0;
    }
    const back = Math.floor((performance.now() - begun) / 3000);
    // What has just failed at one worker the others may not have heard yet: a try at each of them.
    assert.ok(failed >= burst && failed <= burst + back + 2, `${failed} were tried`);
    assert.equal((await logIn(url, right, stranger)).status, 429);
    assert.equal((await logIn(url, right, { forwardedFor: '192.0.2.1' })).status, 200);
  });

  test('what many tries at the same moment are too many, they wait for afterwards', async (context) => {
    const { url } = await start(context);
    const begun = performance.now();
    const answers = await Promise.all(times(100, wrong).map((login) => logIn(url, login)));
    const failed = answers.filter(({ status }) => status === 401).length;
    assert.ok(failed >= burst, `${failed} were tried`);
    const secondsLeft = () => 3 * (failed - burst + 1) - (performance.now() - begun) / 1000;
    // A moment later whichever worker is asked has heard of all that failed.
    for (let agreed = 0; agreed < 30;) {
      const waited = waitOf(await logIn(url, wrong));
      agreed = waited >= secondsLeft() ? agreed + 1 : 0;
      assert.ok(performance.now() - begun < 20_000, `it is ${waited} s, and not ${secondsLeft()}`);
    }
  });
});
