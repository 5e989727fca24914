import assert from 'node:assert/strict';
import { chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { parse } from 'dotenv';
import { run as runIn, shelflist, titleOf, type Outcome, type Command } from '../../support/cli.ts';
import { startSession } from '../../support/session.ts';
import { temporaryFolder } from '../../support/temp.ts';

const [first, second] = [await startSession({ after }), await startSession({ after })];
const a = first.service.url;
const b = second.service.url;
const { AUTH_PASSWORD: password = '' } = parse(await readFile(join(first.folder, '.env'), 'utf8'));

interface User {
  run: (command: Command, env?: Record<string, string>) => Promise<Outcome>;
  /** The files of the tokens, by `URL user`. */
  kept: () => Promise<Record<string, string>>;
  tokens: string;
}

/** Somebody who is logged in to both services, and to the first one under two names. */
async function startUser(context: TestContext): Promise<User> {
  const cwd = await temporaryFolder(context);
  const run = (command: Command, env = {}) => runIn(command, { cwd, env: { SHELFLIST_URL: a, ...env } });
  const tokens = join(cwd, '.cache/shelflist/tokens');
  const kept = async () => {
    const names = await readdir(tokens);
    const entries = names.map(async (name): Promise<[string, string]> => {
      const path = join(tokens, name);
      const { url, username } = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
      return [`${url === a ? 'a' : 'b'} ${username ?? ''}`, path];
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  for (const [url, session] of [
    [a, first],
    [b, second],
  ] as const) {
    await copyFile(join(session.folder, '.env'), join(cwd, '.env'));
    await run(['login', '--url', url]);
    await rm(join(cwd, '.env'));
  }
  const mine = await kept();
  // The service has one user only: another one's token is a file like it.
  const other = JSON.parse(await readFile(mine['a librarian'] ?? '', 'utf8')) as object;
  const path = (mine['a librarian'] ?? '').replace(/-[0-9a-f]+\.json$/, '-0123456789abcdef.json');
  await writeFile(path, JSON.stringify({ ...other, username: 'ada' }), { mode: 0o600 });
  return { run, kept, tokens };
}

describe('logout deletes the stored tokens', () => {
  const table: { args: string[]; left: string[]; said: string[]; env?: Record<string, string> }[] = [
    {
      args: ['logout'],
      left: ['b librarian'],
      said: [`logged out of ${a} as librarian`, `logged out of ${a} as ada`],
    },
    {
      args: ['logout', '-u', 'librarian'],
      left: ['a ada', 'b librarian'],
      said: [`logged out of ${a} as librarian`],
    },
    {
      args: ['logout'],
      left: ['a ada', 'b librarian'],
      said: [`logged out of ${a} as librarian`],
      env: { SHELFLIST_USERNAME: 'librarian' },
    },
    {
      args: ['logout', '--url', b],
      left: ['a ada', 'a librarian'],
      said: [`logged out of ${b} as librarian`, `commands now use your login at ${a}`],
    },
    {
      args: ['logout', '--url', `${b}/`],
      left: ['a ada', 'a librarian'],
      said: [`logged out of ${b} as librarian`, `commands now use your login at ${a}`],
    },
    {
      args: ['logout', '--all'],
      left: [],
      said: [
        `logged out of ${a} as librarian`,
        `logged out of ${a} as ada`,
        `logged out of ${b} as librarian`,
      ],
    },
    {
      args: ['logout', '-u', 'nobody'],
      left: ['a ada', 'a librarian', 'b librarian'],
      said: [`was not logged in to ${a}`],
    },
    {
      args: ['logout', '-u', 'librarian'],
      left: ['a ada', 'b librarian'],
      said: [`logged out of ${a} as librarian`, 'SHELFLIST_TOKEN is still set, and used; unset it too'],
      env: { SHELFLIST_TOKEN: 'x' },
    },
  ];
  for (const { args, left, said, env } of table) {
    test(titleOf(args, env).replaceAll(a, 'A').replaceAll(b, 'B'), async (context) => {
      const user = await startUser(context);
      const { code, stdout, stderr } = await user.run(args, env);
      assert.deepEqual(stderr.trimEnd().split('\n').sort(), said.sort());
      assert.deepEqual(Object.keys(await user.kept()).sort(), left);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
    });
  }

  test('with --json the files are listed', async (context) => {
    const user = await startUser(context);
    const kept = await user.kept();
    const { code, stdout, stderr } = await user.run(['logout', '--json']);
    assert.match(stdout, /^.+\n$/);
    const { removed } = JSON.parse(stdout) as { removed: string[] };
    assert.deepEqual(removed.sort(), [kept['a ada'], kept['a librarian']].sort());
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.equal((await user.run(['logout', '--json'])).stdout, '{"removed":[]}\n');
  });

  test('a token file that others can read, and one without a token, are deleted', async (context) => {
    const user = await startUser(context);
    const { 'a librarian': mine = '', 'b librarian': other = '' } = await user.kept();
    await chmod(mine, 0o644);
    await writeFile(other, 'x');
    const { code, stderr } = await user.run(['logout', '--all']);
    assert.deepEqual(
      stderr.trimEnd().split('\n').sort(),
      [`logged out of ${a} as ada`, `removed ${mine}`, `removed ${other}`].sort(),
    );
    assert.deepEqual(await readdir(user.tokens), []);
    assert.equal(code, 0);
  });
});

test('status --all lists the logins that are left', async (context) => {
  const user = await startUser(context);
  const logins = async () =>
    (JSON.parse((await user.run(['status', '--all', '--json'])).stdout) as Record<string, unknown>[])
      .map(({ service, user: name, valid, default: isDefault }) => [service, name, valid, isDefault])
      .sort();
  const left = [
    [a, 'ada', true, false],
    [a, 'librarian', true, false],
    [b, 'librarian', true, true],
  ];
  assert.deepEqual(await logins(), left.sort());
  await user.run(['logout', '--url', b]);
  assert.deepEqual(await logins(), [
    [a, 'ada', true, true],
    [a, 'librarian', true, true],
  ]);
  await user.run(['logout', '--all']);
  const { code, stdout, stderr } = await user.run(['status', '--all']);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: 'no stored login\n' });
});

test('afterwards a command has to log in; logging out again is not an error', async (context) => {
  const user = await startUser(context);
  assert.equal((await user.run(['list', '-u', 'librarian'])).code, 0);
  await user.run(['logout']);
  const { code, stderr } = await user.run(['list']);
  assert.equal(stderr, `shelflist: not logged in to ${a}; run \`shelflist login --url ${a}\`\n`);
  assert.equal(code, 4);
  const again = await user.run(['logout']);
  assert.deepEqual(again, { code: 0, stdout: '', stderr: `was not logged in to ${a}\n` });
  await user.run(['logout', '--all']);
  const all = await user.run(['logout', '--all']);
  assert.match(all.stderr, /^was not logged in to any service\n$/);
});

test('logout needs no service', async (context) => {
  const cwd = await temporaryFolder(context);
  const outcome = await shelflist(['logout', '--url', 'http://127.0.0.1:1'], { cwd });
  assert.deepEqual(outcome, { code: 0, stdout: '', stderr: 'was not logged in to http://127.0.0.1:1\n' });
  const wrong = await shelflist(['logout', '--url', 'ftp://x'], { cwd });
  assert.match(wrong.stderr, /^shelflist: the address of a service starts with http/);
  assert.equal(wrong.code, 2);
});

test('logout prints neither token nor password', async (context) => {
  const user = await startUser(context);
  const { 'a librarian': mine = '' } = await user.kept();
  const { token } = JSON.parse(await readFile(mine, 'utf8')) as { token: string };
  for (const args of [
    ['logout', '-u', 'librarian'],
    ['logout', '--json'],
  ]) {
    const { stdout, stderr } = await user.run(args);
    for (const secret of [token, password]) assert.ok(!`${stdout}${stderr}`.includes(secret));
  }
});
