import assert from 'node:assert/strict';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parse } from 'dotenv';
import { shelflist, type Command } from '../../support/cli.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { temporaryFolder } from '../../support/temp.ts';

const session = await startSession({ after });
const { folder, service } = session;
const url = service.url;
const tokens = join(folder, '.cache/shelflist/tokens');
const [name = ''] = await readdir(tokens);
const file = join(tokens, name);
const kept = await readFile(file, 'utf8');
const { token, expiresAt } = JSON.parse(kept) as { token: string; expiresAt: number };
const ends = new Date(expiresAt * 1000).toISOString();
const dotenv = await readFile(join(folder, '.env'), 'utf8');
const { AUTH_PASSWORD: password = '' } = parse(dotenv);
// Without the password, commands cannot log in by themselves.
await writeFile(join(folder, '.env'), dotenv.replace(/^AUTH_PASSWORD=.*$/m, ''));

/** What is so after `shelflist login`. */
const loggedIn = {
  service: url,
  reachable: true,
  user: 'librarian',
  token: 'login',
  accepted: true,
  tokenEnds: ends,
  file,
  mode: '600',
};
const nothing = {
  ...loggedIn,
  user: null,
  token: null,
  accepted: null,
  tokenEnds: null,
  file: null,
  mode: null,
};
const minute = 60_000;
const spoilt = (change: object) =>
  writeFile(file, JSON.stringify({ ...(JSON.parse(kept) as object), ...change }));

describe('as JSON', () => {
  const table: {
    what: string;
    command: Command;
    env?: Record<string, string>;
    code: number;
    expected: object;
    error?: string;
    prepare?: () => Promise<unknown>;
  }[] = [
    { what: 'logged in', command: ['status', '--json'], code: 0, expected: loggedIn },
    {
      what: 'the user is named',
      command: ['status', '--json', '-u', 'librarian'],
      code: 0,
      expected: loggedIn,
    },
    {
      what: 'a trailing slash',
      command: ['status', '--json', '--url', `${url}/`],
      code: 0,
      expected: loggedIn,
    },
    {
      what: 'another user',
      command: ['status', '--json', '-u', 'ada'],
      code: 4,
      expected: { ...nothing, user: 'ada' },
      error: 'not_logged_in',
    },
    {
      what: 'SHELFLIST_TOKEN',
      command: ['status', '--json'],
      env: { SHELFLIST_TOKEN: token },
      code: 0,
      expected: { ...nothing, token: 'SHELFLIST_TOKEN', accepted: true, tokenEnds: ends },
    },
    {
      what: 'a SHELFLIST_TOKEN that is refused',
      command: ['status', '--json'],
      env: { SHELFLIST_TOKEN: 'x' },
      code: 4,
      expected: { ...nothing, token: 'SHELFLIST_TOKEN', accepted: false },
      error: 'not_logged_in',
    },
    {
      what: 'never logged in',
      command: ['status', '--json'],
      env: { XDG_CACHE_HOME: join(session.folder, 'other') },
      code: 4,
      expected: nothing,
      error: 'not_logged_in',
    },
    {
      what: 'nothing listens',
      command: ['status', '--json', '--url', 'http://127.0.0.1:1'],
      code: 5,
      expected: { ...nothing, service: 'http://127.0.0.1:1', reachable: false },
      error: 'unreachable',
    },
    {
      what: 'nothing listens, with a token',
      command: ['status', '--json'],
      env: { SHELFLIST_TOKEN: token, SHELFLIST_URL: 'http://127.0.0.1:1' },
      code: 5,
      expected: {
        ...nothing,
        service: 'http://127.0.0.1:1',
        reachable: false,
        token: 'SHELFLIST_TOKEN',
        tokenEnds: ends,
      },
      error: 'unreachable',
    },
    {
      what: 'a token that is kept and refused, which stays where it is',
      command: ['status', '--json'],
      code: 4,
      expected: { ...loggedIn, accepted: false, tokenEnds: null },
      error: 'not_logged_in',
      prepare: () => spoilt({ token: 'spoilt' }),
    },
    {
      what: 'a token that has ended',
      command: ['status', '--json'],
      code: 4,
      expected: { ...loggedIn, token: null, accepted: null, tokenEnds: '2001-09-09T01:46:40.000Z' },
      error: 'not_logged_in',
      prepare: () => spoilt({ expiresAt: 1_000_000_000 }),
    },
    {
      what: 'a token that others can read',
      command: ['status', '--json'],
      code: 4,
      expected: { ...nothing, file, mode: '644' },
      error: 'not_logged_in',
      prepare: () => chmod(file, 0o644),
    },
    {
      what: 'a file that holds no token',
      command: ['status', '--json'],
      code: 4,
      expected: { ...nothing, file, mode: '600' },
      error: 'not_logged_in',
      prepare: () => writeFile(file, 'x'),
    },
  ];
  for (const { what, command, env, code, expected, error, prepare } of table) {
    test(`${what}: ${code}`, async (context) => {
      context.after(async () => {
        await writeFile(file, kept);
        await chmod(file, 0o600);
      });
      await prepare?.();
      const outcome = await session.run(command, { env });
      assert.match(outcome.stdout, /^.+\n$/);
      assert.deepEqual(JSON.parse(outcome.stdout), expected);
      if (error === undefined) assert.equal(outcome.stderr, '');
      else assert.equal((JSON.parse(outcome.stderr) as { error: { code: string } }).error.code, error);
      assert.equal(outcome.code, code);
      assert.deepEqual(await readdir(tokens), [name], 'nothing was written or removed');
    });
  }
});

describe('as text', () => {
  const lines = (outcome: { stdout: string }) =>
    Object.fromEntries(
      outcome.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')),
    ) as Record<string, string>;

  test('logged in', async () => {
    const outcome = await session.run(['status']);
    const { ends: remaining = '', ...others } = lines(outcome);
    assert.deepEqual(others, {
      service: `${url} (reachable)`,
      user: 'librarian',
      token: 'from login, accepted by the service',
      'kept in': `${file} (mode 600)`,
    });
    const [, minutes] = /^[-\d]{10} [:\d]{8} \(in (\d+) min\)$/.exec(remaining) ?? [];
    assert.ok(Math.abs(Number(minutes) - (expiresAt * 1000 - Date.now()) / minute) <= 1, remaining);
    assert.deepEqual({ code: outcome.code, stderr: outcome.stderr }, { code: 0, stderr: '' });
  });

  test('not logged in', async () => {
    const outcome = await session.run(['status'], { env: { XDG_CACHE_HOME: join(session.folder, 'other') } });
    assert.deepEqual(lines(outcome), {
      service: `${url} (reachable)`,
      user: 'not logged in',
      token: 'none',
      ends: '-',
      'kept in': '-',
    });
    assert.equal(outcome.stderr, `shelflist: not logged in to ${url}; run \`shelflist login\`\n`);
    assert.equal(outcome.code, 4);
  });

  test('not reachable', async () => {
    const outcome = await session.run(['status'], {
      env: { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' },
    });
    assert.deepEqual(lines(outcome), {
      service: 'http://127.0.0.1:1 (not reachable)',
      user: 'the user that the token names',
      token: 'from SHELFLIST_TOKEN',
      ends: '-',
      'kept in': '-',
    });
    assert.match(outcome.stderr, /^shelflist: cannot reach http:\/\/127\.0\.0\.1:1: .+\n$/);
    assert.equal(outcome.code, 5);
  });
});

test('a port of another program exits with 5', async (context) => {
  const stranger = await startStranger(context);
  const outcome = await session.run(['status', '--json', '--url', stranger.url]);
  assert.equal((JSON.parse(outcome.stdout) as { reachable: boolean }).reachable, false);
  assert.match(outcome.stderr, /a proxy, or another program, may be listening there/);
  assert.equal(outcome.code, 5);
  assert.deepEqual(stranger.requests, ['GET /book/1 -'], 'no token went there');
});

test('status never shows a token or a password', async () => {
  const env = { SHELFLIST_PASSWORD: password };
  for (const options of [[], ['--json']]) {
    const { stdout, stderr } = await session.run(['status', ...options], { env });
    assert.ok(!`${stdout}${stderr}`.includes(token) && !`${stdout}${stderr}`.includes(password));
  }
});

test('status exits with 0 if other commands would log in by themselves', async (context) => {
  const cwd = await temporaryFolder(context);
  const env = { SHELFLIST_URL: url, SHELFLIST_USERNAME: 'librarian', SHELFLIST_PASSWORD: password };
  for (const command of ['status', 'list']) {
    const { code, stderr } = await shelflist([command], { cwd, env });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  }
});

test('status names the user as whom other commands would log in', async (context) => {
  const cwd = await temporaryFolder(context);
  await writeFile(join(cwd, '.env'), `${dotenv}PORT=${new URL(url).port}\n`);
  const { code, stdout } = await shelflist(['status'], { cwd });
  assert.match(stdout, /^user\tlibrarian\ntoken\tnone: commands log in with the password in \.env\n/m);
  assert.equal(code, 0);
});
