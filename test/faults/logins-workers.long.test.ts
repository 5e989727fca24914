import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serve } from '../support/cli.ts';
import { logIn } from '../support/logins.ts';
import { credentials } from '../support/service.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

const wrong = { ...credentials, password: 'wrong horse' };
/** Logins that fail before an address has to wait. */
const burst = 20;

const times = <T>(count: number, value: T) => Array<T>(count).fill(value);
const waitOf = (answer: { headers: NodeJS.Dict<unknown> }) => Number(answer.headers['retry-after']);

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

  test('share one login limit per address, which does not affect other clients', async (context) => {
    const { url } = await start(context);
    const stranger = { forwardedFor: '192.0.2.66' };
    const begun = performance.now();
    let failed = 0;
    for (let i = 0; i < 2 * burst; i++) if ((await logIn(url, wrong, stranger)).status === 401) failed++;
    const back = Math.floor((performance.now() - begun) / 3000);
    assert.ok(failed >= burst && failed <= burst + back, `${failed} were tried`);
    assert.equal((await logIn(url, right, stranger)).status, 429);
    assert.equal((await logIn(url, right, { forwardedFor: '192.0.2.1' })).status, 200);
  });

  test('log each failed login once, with the address and without the username, whichever worker refuses it', async (context) => {
    const service = await start(context);
    const stranger = { forwardedFor: '192.0.2.66' };
    const statuses = await Promise.all(times(12, wrong).map((login) => logIn(service.url, login, stranger)));
    assert.deepEqual(
      statuses.map(({ status }) => status),
      times(12, 401),
    );
    await service.stop();
    const lines = service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('failed login'));
    assert.equal(lines.length, 12, service.stderr());
    for (const line of lines)
      assert.match(
        line,
        /^\d{4}-\d\d-\d\dT[\d:.]+Z shelflist warning: failed login address="192\.0\.2\.66"$/,
      );
  });

  test('fail no more concurrent logins than sequential ones', async (context) => {
    const { url } = await start(context);
    const begun = performance.now();
    const answers = await Promise.all(times(100, wrong).map((login) => logIn(url, login)));
    const back = Math.floor((performance.now() - begun) / 3000);
    const failed = answers.filter(({ status }) => status === 401).length;
    assert.ok(failed >= burst && failed <= burst + back, `${failed} were tried`);
    assert.ok(answers.every(({ status }) => status === 401 || status === 429));
    assert.ok(answers.every((answer) => answer.status === 401 || waitOf(answer) <= 3));
  });

  test('give all of many readers of one address a token, who log in at once', async (context) => {
    const { url } = await start(context);
    const answers = await Promise.all(times(60, right).map((login) => logIn(url, login)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      times(60, 200),
    );
  });
});
