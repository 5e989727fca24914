import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
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
    /** The service that commands talk to, and where its address comes from. Nothing is sent to the default one. */
    used: async (place: keyof typeof folders, more: Record<string, string> = {}) => {
      const { stdout } = await run(place, ['config', 'show', '--json'], more);
      const shown = JSON.parse(stdout) as { name: string; value: string; source: string }[];
      const { value, source } = shown.find(({ name }) => name === 'SHELFLIST_URL') ?? {};
      if (source === 'default') return [value, source];
      const { service } = JSON.parse((await run(place, ['status', '--json'], more)).stdout) as {
        service: string;
      };
      assert.equal(service, value);
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

  test('is that of .env for logout, too, which reports that the last login elsewhere remains', async (context) => {
    const { run, login, used } = await startUser(context);
    await login('plain', other.url);
    const stays = `the last login, to ${other.url}, remains; --all ends it, too`;
    const { code, stderr } = await run('served', ['logout']);
    assert.deepEqual(
      [code, stderr.split('\n').slice(0, 2)],
      [0, [`was not logged in to ${here.url}`, stays]],
    );
    assert.deepEqual(await used('plain'), [other.url, 'last login']);
    await run('served', ['logout', '--all']);
    assert.deepEqual(await used('plain'), usual);
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
});

describe('an unreadable source of the address stops a command, because the next source may name another service', () => {
  const loop = (path: string) => symlink(path, path);
  const lastLogin = '.cache/shelflist/last-login';
  const table: [what: string, path: string, damage: (path: string) => Promise<unknown>, stderr: RegExp][] = [
    ['.env is a folder', 'plain/.env', mkdir, /\.env \(EISDIR\); check its owner and mode$/],
    ['.env is a loop of links', 'plain/.env', loop, /\.env \(ELOOP\); check its owner and mode$/],
    [
      '.env is a link to nothing',
      'plain/.env',
      (path) => symlink(`${path}.gone`, path),
      /\.env: it is a link to \S+\.env\.gone, which is missing; put that back, or remove the link$/,
    ],
    [
      '.env names a file that is missing',
      'plain/.env',
      (path) => writeFile(path, 'SHELFLIST_URL_FILE=gone'),
      /gone, the file that SHELFLIST_URL_FILE names \(ENOENT\)$/,
    ],
    [
      '.env describes a service without a usable address',
      'plain/.env',
      (path) => writeFile(path, `${dotenv(8080)}HOST='[::1]'`),
      /\.env describes a service, but clients cannot connect to its HOST, PORT and PREFIX; set SHELFLIST_URL/,
    ],
    [
      'the last login is a folder',
      lastLogin,
      mkdir,
      /others can read \S+last-login .+; remove it and log in again$/,
    ],
    ['the last login is a loop of links', lastLogin, loop, /last-login \(ELOOP\); check its owner and mode$/],
    [
      'others can read the last login',
      lastLogin,
      (path) => writeFile(path, here.url).then(() => chmod(path, 0o644)),
      /others can read \S+last-login \(mode 644\), .+; remove it and log in again$/,
    ],
  ];
  for (const [what, path, damage, stderr] of table)
    test(what, async (context) => {
      const { home, login, run } = await startUser(context);
      await login('plain', other.url);
      await run('plain', ['add', '--title', 'Emma', '--url', other.url]);
      await rm(join(home, path), { force: true });
      await damage(join(home, path));
      const outcome = await run('plain', ['delete', '1', '--yes']);
      assert.match(outcome.stderr.trimEnd(), stderr);
      assert.equal(outcome.code, 1);
      const named = await run('plain', ['list', '--json', '--url', other.url]);
      assert.deepEqual([named.code, named.stderr], [0, '']);
      assert.match(named.stdout, /Emma/);
      const { stdout } = await run('plain', ['doctor', '--json']);
      const findings = JSON.parse(stdout) as {
        check: string;
        state: string;
        finding: string;
        fix?: string;
      }[];
      const found = findings.find(({ check }) => check === 'service');
      assert.equal(found?.state, 'problem');
      assert.match([found.finding, found.fix].filter(Boolean).join('; '), stderr);
    });

  test('an unreadable password does not stop a command that has a token', async (context) => {
    const { home, login, run } = await startUser(context);
    await writeFile(join(home, 'plain/.env'), `AUTH_PASSWORD_FILE=secret\nPORT=${here.port}`);
    await mkdir(join(home, 'plain/secret'));
    await login('served', here.url);
    assert.equal((await run('plain', ['list'])).code, 0);
    await run('served', ['logout']);
    const { code, stderr } = await run('plain', ['list']);
    assert.equal(code, 1);
    assert.match(stderr, /secret, the file that AUTH_PASSWORD_FILE names \(EISDIR\)$/m);
  });
});

describe('stored tokens that cannot be read', () => {
  test('are an error that names the file, unless the command can log in by itself', async (context) => {
    const { home, run } = await startUser(context);
    const tokens = join(home, '.cache/shelflist/tokens');
    await mkdir(join(home, '.cache/shelflist'), { recursive: true });
    await symlink(tokens, tokens);
    for (const command of ['list', 'status', 'logout']) {
      const { code, stderr } = await run('plain', [command, '--url', other.url]);
      assert.deepEqual(
        [code, stderr],
        [1, `shelflist: cannot read ${tokens} (ELOOP); check its owner and mode\n`],
      );
    }
    const { code, stderr } = await run('plain', ['list'], {
      SHELFLIST_URL: other.url,
      SHELFLIST_USERNAME: username,
      SHELFLIST_PASSWORD: password,
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      (await run('plain', ['doctor', '--url', other.url])).stdout,
      /^token\tproblem\tcannot read \S+tokens \(ELOOP\)\t/m,
    );
  });

  test('are replaced by a login, one by one', async (context) => {
    const { home, login, run } = await startUser(context);
    await login('plain', other.url);
    const tokens = join(home, '.cache/shelflist/tokens');
    const [name = ''] = await readdir(tokens);
    await rm(join(tokens, name));
    await symlink(name, join(tokens, name));
    const { code, stderr } = await run('plain', ['list']);
    assert.equal(code, 4);
    assert.match(
      stderr,
      /^shelflist: cannot read \S+\.json \(ELOOP\); run `shelflist login` to replace it\n$/,
    );
    await login('plain', other.url);
    assert.equal((await run('plain', ['list'])).code, 0);
  });
});

test(
  'a cache that cannot be created stops the login alone, which says so',
  { skip: process.platform !== 'linux' },
  async (context) => {
    const { run } = await startUser(context);
    const lost = { XDG_CACHE_HOME: '/proc' };
    const { code, stderr } = await run(
      'plain',
      ['login', '--url', other.url, '-u', username, '--password-stdin'],
      lost,
      password,
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^shelflist: cannot store the token in \/proc\/shelflist\/tokens \(ENOENT\); make that folder writable, .+\n$/,
    );
    const own = { SHELFLIST_URL: other.url, SHELFLIST_USERNAME: username, SHELFLIST_PASSWORD: password };
    assert.equal((await run('plain', ['list'], { ...lost, ...own })).code, 0);
  },
);

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
