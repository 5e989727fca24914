import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { shell } from '../../support/cli.ts';
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
  const run = (place: keyof typeof folders, command: string, more: Record<string, string> = {}, input = '') =>
    shell(`shelflist ${command}`, { cwd: folders[place], env: { ...env, ...more }, input });
  return {
    home,
    run,
    login: (place: keyof typeof folders, url: string) =>
      run(place, `login --url ${url} -u ${username} --password-stdin`, {}, password),
    /** Which service commands talk to, and why. */
    used: async (place: keyof typeof folders) => (await run(place, 'use')).stdout.trimEnd().split('\t'),
  };
}

const usual = ['http://127.0.0.1:8080', 'default'];

describe('the service that commands talk to', () => {
  test('is that of .env, else that of the only login, else port 8080', async (context) => {
    const { run, login, used } = await startUser(context);
    assert.deepEqual(await used('plain'), usual);
    assert.equal((await login('served', here.url)).code, 0);
    assert.deepEqual(await used('served'), [here.url, '.env HOST and PORT']);
    assert.deepEqual(await used('plain'), [here.url, 'the only login']);
    assert.equal((await run('plain', 'list')).code, 0);
    await run('plain', 'logout');
    assert.deepEqual(await used('plain'), usual);
  });

  test('is not that of the only login if the environment has a login', async (context) => {
    const { run, login } = await startUser(context);
    await login('served', here.url);
    const { stdout } = await run('plain', 'use', { SHELFLIST_TOKEN: 'x' });
    assert.equal(stdout, `${usual.join('\t')}\n`);
  });

  test('is the one of `login --url`, until it is forgotten', async (context) => {
    const { run, login, used } = await startUser(context);
    const { stderr } = await login('plain', other.url);
    assert.match(stderr, /\ncommands here talk to this service from now on\n$/);
    assert.deepEqual(await used('plain'), [other.url, 'shelflist use']);
    assert.equal((await run('plain', 'list')).code, 0);
    await run('plain', 'logout');
    await run('plain', 'use --forget');
    assert.deepEqual(await used('plain'), usual);
  });

  test('is chosen for a folder with a .env apart from all others', async (context) => {
    const { login, used, run } = await startUser(context);
    await login('plain', other.url);
    assert.equal(
      (await used('served'))[0],
      here.url,
      'a service started in a folder is the one of that folder',
    );
    await login('served', other.url);
    assert.equal((await used('served'))[0], other.url);
    await run('served', `use ${here.url}/`);
    assert.deepEqual(await used('served'), [here.url, '.env HOST and PORT'], 'no choice is needed');
  });

  test('is that of SHELFLIST_URL first, which use says', async (context) => {
    const { run } = await startUser(context);
    const { stdout, stderr } = await run('plain', `use ${here.url} --json`, { SHELFLIST_URL: other.url });
    assert.deepEqual(JSON.parse(stdout), { url: other.url, source: 'environment SHELFLIST_URL' });
    assert.match(stderr, /^SHELFLIST_URL is set/);
  });

  test('is never given a login of the environment because an earlier command chose it', async (context) => {
    const { run } = await startUser(context);
    const stranger = await startStranger(context);
    await run('plain', `use ${stranger.url}`);
    const env = { SHELFLIST_USERNAME: username, SHELFLIST_PASSWORD: password };
    for (const more of [env, { SHELFLIST_TOKEN: 'x' }]) await run('plain', 'list', more);
    assert.deepEqual(stranger.requests, ['GET /book/1 -'], 'only `use` asks whether it is a service');
  });

  test('may be one that does not answer yet, which use says', async (context) => {
    const { run, used } = await startUser(context);
    const stranger = await startStranger(context);
    const dead = 'http://127.0.0.1:1';
    const kept = 'the choice is kept; to forget it: shelflist use --forget';
    for (const [url, reason] of [
      [dead, `cannot reach ${dead}: nothing listens there; start the service with \`shelflist serve\`, .+`],
      [stranger.url, '.+ not from shelflist: a proxy, or another program, may be listening there'],
    ] as const) {
      const { code, stdout, stderr } = await run('plain', `use ${url}`);
      assert.deepEqual([code, stdout], [0, `${url}\tshelflist use\n`]);
      assert.match(stderr, new RegExp(`^${reason}\n${kept}\n$`));
    }
    const npx = await run('plain', `use ${dead}`, { npm_execpath: 'npm' });
    assert.match(
      npx.stderr,
      /`npx --no-install shelflist serve`.+\n.+: npx --no-install shelflist use --forget\n$/,
    );
    const alive = await run('plain', `use ${here.url}`);
    assert.deepEqual([alive.code, alive.stderr], [0, '']);
    assert.deepEqual(await used('plain'), [here.url, 'shelflist use']);
  });

  for (const [what, commandLine] of [
    ['not an address', 'use books.example'],
    ['a password', 'use http://u:hidden@127.0.0.1'],
    ['two wishes', 'use http://127.0.0.1 --forget'],
  ] as const) {
    test(`cannot be ${what}: ${commandLine}`, async (context) => {
      const { run, used } = await startUser(context);
      const { code, stderr } = await run('plain', commandLine);
      assert.equal(code, 2);
      assert.ok(!stderr.includes('hidden'));
      assert.deepEqual(await used('plain'), usual);
    });
  }
});

describe('commands log in by themselves with the password in .env', () => {
  test('to the service that it describes', async (context) => {
    const { run, home } = await startUser(context);
    const outcome = await run('served', 'add --title Emma --json');
    assert.deepEqual([outcome.code, outcome.stderr], [0, '']);
    assert.equal((await readdir(join(home, '.cache/shelflist/tokens'))).length, 1);
    const { stdout } = await run('served', 'status --json');
    assert.equal((JSON.parse(stdout) as { token: string }).token, 'login');
    assert.match((await run('served', 'logout')).stderr, /\ncommands log in again: .+ from \.env\n$/);
    assert.match(
      (await run('served', 'status')).stdout,
      /\ntoken\tnone: commands log in with the password in \.env\n/,
    );
  });

  test('to no other, and as no other user', async (context) => {
    const { run } = await startUser(context);
    const stranger = await startStranger(context);
    for (const options of [`--url ${stranger.url}`, '-u ada']) {
      const { code, stderr } = await run('served', `list ${options}`);
      assert.equal(code, 4);
      assert.match(stderr, /^shelflist: not logged in to /);
    }
    assert.deepEqual(stranger.requests, []);
  });

  test('only after the service has answered as one', async (context) => {
    const { run, home } = await startUser(context);
    const stranger = await startStranger(context);
    await writeFile(join(home, 'served/.env'), dotenv(stranger.port));
    assert.equal((await run('served', 'list')).code, 5);
    assert.deepEqual(stranger.requests, ['GET /book/1 -']);
  });
});
