import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { shelflist } from '../../support/cli.ts';
import { credentials, startService } from '../../support/service.ts';
import { startStranger } from '../../support/session.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const { username, password } = credentials;
const [here, other] = [await startService({ after }), await startService({ after })];
const dotenv = (port: number) => `AUTH_USERNAME=${username}\nAUTH_PASSWORD='${password}'\nPORT=${port}\n`;

/** A user with two folders: `plain`, and `served` whose `.env` describes the service `here`. */
async function startUser(context: Scope) {
  const home = await temporaryFolder(context);
  const folders = { plain: join(home, 'plain'), served: join(home, 'served') };
  for (const folder of Object.values(folders)) await mkdir(folder);
  await writeFile(join(folders.served, '.env'), dotenv(here.port));
  const env = { XDG_CACHE_HOME: join(home, '.cache') };
  const run = (
    place: keyof typeof folders,
    args: readonly string[],
    more: Record<string, string> = {},
    input = '',
  ) => shelflist(args, { cwd: folders[place], env: { ...env, ...more }, input });
  return {
    home,
    run,
    login: (place: keyof typeof folders, url: string) =>
      run(place, ['login', '--url', url, '-u', username, '--password-stdin'], {}, password),
    /** The service that commands talk to, and where its address comes from. */
    used: async (place: keyof typeof folders, more: Record<string, string> = {}) => {
      const { stdout } = await run(place, ['config', 'show', '--json'], more);
      const shown = JSON.parse(stdout) as { name: string; value: string; source: string }[];
      const { value, source } = shown.find(({ name }) => name === 'SHELFLIST_URL') ?? {};
      const { server } = JSON.parse((await run(place, ['status', '--json'], more)).stdout) as {
        server: string;
      };
      assert.equal(server, value);
      return [value, source];
    },
  };
}

const usual = ['http://127.0.0.1:8080', 'default'];

describe('the service that commands talk to', () => {
  test('is that of .env, else that of the last login, else port 8080', async (context) => {
    const { run, login, used } = await startUser(context);
    assert.deepEqual(await used('plain'), usual);
    assert.equal((await login('served', here.url)).code, 0);
    assert.deepEqual(await used('served'), [here.url, '.env HOST and PORT']);
    assert.deepEqual(await used('plain'), [here.url, 'last login']);
    assert.equal((await run('plain', ['list'])).code, 0);
    assert.equal((await login('plain', other.url)).code, 0);
    assert.deepEqual(await used('plain'), [other.url, 'last login']);
    await run('plain', ['logout', '--url', here.url]);
    assert.deepEqual(await used('plain'), [other.url, 'last login']);
    await run('plain', ['logout']);
    assert.deepEqual(await used('plain'), usual);
    await login('plain', other.url);
    await run('plain', ['logout', '--all']);
    assert.deepEqual(await used('plain'), usual);
  });

  test('is that of .env also after a login elsewhere, which login says', async (context) => {
    const { login, used } = await startUser(context);
    const { stderr } = await login('served', other.url);
    assert.ok(
      stderr.endsWith(`\ncommands here talk to ${here.url}\nto use this login, pass --url ${other.url}\n`),
    );
    assert.deepEqual(await used('served'), [here.url, '.env HOST and PORT']);
  });

  test('is that of SHELFLIST_URL first', async (context) => {
    const { used } = await startUser(context);
    const more = { SHELFLIST_URL: other.url };
    assert.deepEqual(await used('served', more), [other.url, 'environment SHELFLIST_URL']);
  });

  test('is that of the last login also if the environment has a login, which it never gets', async (context) => {
    const { home, login, run, used } = await startUser(context);
    const logins = [{ SHELFLIST_USERNAME: username, SHELFLIST_PASSWORD: password }, { SHELFLIST_TOKEN: 'x' }];
    await login('plain', other.url);
    for (const more of logins) {
      assert.deepEqual(await used('plain', more), [other.url, 'last login']);
      assert.equal((await run('plain', ['list'], more)).code, 0); // With the token of the last login.
    }
    const stranger = await startStranger(context);
    await writeFile(join(home, '.cache/shelflist/last-login'), `${stranger.url}\n`);
    for (const more of logins) {
      const { code, stderr } = await run('plain', ['list'], more);
      assert.equal(code, 4);
      assert.match(stderr, /the login in the environment is for http:\/\/127\.0\.0\.1:8080/);
    }
    assert.deepEqual(stranger.requests, []);
  });

  test('is not read from a file that others can read', async (context) => {
    const { home, login, used } = await startUser(context);
    await login('plain', other.url);
    await chmod(join(home, '.cache/shelflist/last-login'), 0o644);
    assert.deepEqual(await used('plain'), usual);
  });
});

describe('commands log in by themselves with the password in .env', () => {
  test('to the service that it describes', async (context) => {
    const { run, home } = await startUser(context);
    const outcome = await run('served', ['add', '--title', 'Emma', '--json']);
    assert.deepEqual([outcome.code, outcome.stderr], [0, '']);
    assert.equal((await readdir(join(home, '.cache/shelflist/tokens'))).length, 1);
    const { stdout } = await run('served', ['status', '--json']);
    assert.equal((JSON.parse(stdout) as { token: string }).token, 'login');
    assert.match((await run('served', ['logout'])).stderr, /\ncommands log in again: .+ from \.env\n$/);
    assert.match(
      (await run('served', ['status'])).stdout,
      /\ntoken\tnone: commands log in with the password in \.env\n/,
    );
  });

  test('to no other, and as no other user', async (context) => {
    const { run } = await startUser(context);
    const stranger = await startStranger(context);
    for (const options of [
      ['--url', stranger.url],
      ['-u', 'ada'],
    ]) {
      const { code, stderr } = await run('served', ['list', ...options]);
      assert.equal(code, 4);
      assert.match(stderr, /^shelflist: not logged in to /);
    }
    assert.deepEqual(stranger.requests, []);
  });

  test('only after the service has answered as one', async (context) => {
    const { run, home } = await startUser(context);
    const stranger = await startStranger(context);
    await writeFile(join(home, 'served/.env'), dotenv(stranger.port));
    assert.equal((await run('served', ['list'])).code, 5);
    assert.deepEqual(stranger.requests, ['GET /book/1 -']);
  });
});
