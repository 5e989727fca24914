import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { run, serve, shelflist, shell, titleOf } from '../../support/cli.ts';
import { describeService } from '../../support/session.ts';
import { temporaryFolder } from '../../support/temp.ts';

const variables = [
  ...['SECRET_TOKEN', 'AUTH_USERNAME', 'AUTH_PASSWORD', 'DATABASE_URL', 'HOST', 'PORT'],
  'SORT_ARTICLES',
];
const read = (folder: string) => readFile(join(folder, '.env'), 'utf8');

test('init writes a private .env and prints its path', async (context) => {
  const cwd = await temporaryFolder(context);
  const { code, stdout, stderr } = await shell('umask 000; shelflist init', { cwd });
  assert.equal(code, 0);
  assert.equal(stdout, '');
  assert.equal(
    stderr,
    `wrote ${cwd}/.env, which only you can read\nwith a random secret, the user librarian and a random password\n`,
  );
  assert.equal((await stat(join(cwd, '.env'))).mode & 0o777, 0o600);
  const settings = parse(await read(cwd));
  assert.deepEqual(Object.keys(settings), variables);
  assert.match(settings.SECRET_TOKEN ?? '', /^[0-9a-f]{64}$/);
  assert.match(settings.AUTH_PASSWORD ?? '', /^[\w-]{24}$/);
});

for (const [language, line] of [
  ['fr_FR.UTF-8', `SORT_ARTICLES="le,la,les,l',un,une"`],
  ['C.UTF-8', `SORT_ARTICLES='the,a,an'`],
  ['constructor', `SORT_ARTICLES='the,a,an'`],
] as const)
  test(`init with LANG=${language} writes the articles of this language`, async (context) => {
    const cwd = await temporaryFolder(context);
    assert.equal((await shelflist(['init'], { cwd, env: { LANG: language } })).code, 0);
    assert.ok((await read(cwd)).endsWith(`\n${line}\n`));
  });

test('two runs of init generate different secrets', async (context) => {
  const [a, b] = await Promise.all(
    [1, 2].map(async () => {
      const cwd = await temporaryFolder(context);
      await shelflist(['init'], { cwd });
      return parse(await read(cwd));
    }),
  );
  assert.notEqual(a?.SECRET_TOKEN, b?.SECRET_TOKEN);
  assert.notEqual(a?.AUTH_PASSWORD, b?.AUTH_PASSWORD);
});

describe('init never overwrites an existing .env', () => {
  const table: [commandLine: string, code: number, stderr: RegExp][] = [
    ['echo mine > .env; shelflist init', 1, /^shelflist: .+\.env exists already; it was not changed\n$/],
    ['echo mine > .env; shelflist init --if-missing', 0, /^$/],
    ['echo mine > real; ln -s real .env; shelflist init', 1, /exists already/],
  ];
  for (const [commandLine, code, stderr] of table) {
    test(`${titleOf(commandLine)}: ${code}`, async (context) => {
      const cwd = await temporaryFolder(context);
      const outcome = await run(commandLine, { cwd });
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.code, code);
      assert.equal(await read(cwd), 'mine\n');
    });
  }

  test('--if-missing writes a missing .env', async (context) => {
    const cwd = await temporaryFolder(context);
    assert.equal((await shelflist(['init', '--if-missing'], { cwd })).code, 0);
    assert.deepEqual(Object.keys(parse(await read(cwd))), variables);
  });
});

describe('--username', () => {
  for (const username of ['ada', 'Ada Lovelace', `#"$HOME\\n\``, 'Žofie 書']) {
    test(JSON.stringify(username), async (context) => {
      const cwd = await temporaryFolder(context);
      const { code } = await shelflist(['init', '--username', username], { cwd });
      assert.equal(code, 0);
      assert.equal(parse(await read(cwd)).AUTH_USERNAME, username);
    });
  }
  for (const username of ['', "O'Hara", 'a\nSECRET_TOKEN=x']) {
    test(`${JSON.stringify(username)} is refused, and nothing written`, async (context) => {
      const cwd = await temporaryFolder(context);
      const { code } = await shelflist(['init', '--username', username], { cwd });
      assert.equal(code, 2);
      await assert.rejects(read(cwd), { code: 'ENOENT' });
    });
  }
});

test('after init, serve and login need no further settings', async (context) => {
  const cwd = await temporaryFolder(context);
  await shelflist(['init', '--username', 'Ada Lovelace'], { cwd });
  const { url } = await serve(context, cwd);
  await describeService(cwd, url);
  const login = await shelflist(['login'], { cwd });
  const { code, stdout, stderr } = await shelflist(['add', '-t', 'Emma'], { cwd });
  assert.match(login.stderr + stderr, /^logged in to .+ as Ada Lovelace\nuntil .+\n$/);
  assert.equal(stdout, '1\tEmma\t\t0\n');
  assert.equal(code, 0);
});
