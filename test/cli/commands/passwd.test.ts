import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, chown, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { shelflist } from '../../support/cli.ts';
import { createClient, createServer } from '../../../src/index.ts';
import { sendRequest } from '../../support/service.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const fresh = 'the new # password of this test';

async function startFolder(context: Scope) {
  const cwd = await temporaryFolder(context);
  await shelflist(['init'], { cwd });
  const file = join(cwd, '.env');
  const text = () => readFile(file, 'utf8');
  return { cwd, file, text, passwd: (input: string) => shelflist(['passwd'], { cwd, input }) };
}

describe('passwd', () => {
  test('changes the password in .env alone, and makes the file private', async (context) => {
    const { cwd, file, text, passwd } = await startFolder(context);
    const before = await text();
    await chmod(file, 0o644);
    const { code, stdout, stderr } = await passwd(`${fresh}\r\nmore`);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, new RegExp(`^changed the password in ${cwd}/\\.env\nrestart the service; .+\n$`));
    assert.equal(await text(), before.replace(/^AUTH_PASSWORD=.*$/m, `AUTH_PASSWORD='${fresh}'`));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('ends the renewal of logins with the old password, once the service has restarted', async (context) => {
    const { text, passwd } = await startFolder(context);
    const databaseUrl = `file:${join(await temporaryFolder(context), 'data')}`;
    const start = async () => {
      const { SECRET_TOKEN: secretToken = '', AUTH_USERNAME = '', AUTH_PASSWORD = '' } = parse(await text());
      const server = await createServer({
        secretToken,
        authUsername: AUTH_USERNAME,
        authPassword: AUTH_PASSWORD,
        databaseUrl,
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const client = createClient({ url });
      const token = await client.login(AUTH_USERNAME, AUTH_PASSWORD);
      client.close();
      const close = () => once(server.close(), 'close');
      context.after(close);
      return { url, token, close };
    };
    const renew = async ({ url }: { url: string }, token: string) =>
      (await sendRequest(url, 'POST', '/token/renew', { token })).status;
    const before = await start();
    assert.equal(await renew(before, before.token), 200);
    assert.equal((await passwd(fresh)).code, 0);
    await before.close();
    const after = await start();
    assert.equal(await renew(after, before.token), 401);
    assert.equal(await renew(after, after.token), 200);
  });

  test('keeps a link to .env', async (context) => {
    const { cwd, file, text } = await startFolder(context);
    const below = await temporaryFolder(context);
    await symlink(file, join(below, '.env'));
    assert.equal((await shelflist(['passwd', '--json'], { cwd: below, input: fresh })).code, 0);
    assert.equal(parse(await text()).AUTH_PASSWORD, fresh);
    assert.notEqual(cwd, below);
  });

  const noRoot = process.getuid?.() !== 0 && 'only root can give files away';
  const stranger = 12_345;

  test('run by root, leaves the file to its owner', { skip: noRoot }, async (context) => {
    const { cwd, file, text, passwd } = await startFolder(context);
    await chown(cwd, stranger, stranger);
    await chown(file, stranger, stranger);
    assert.equal((await passwd(fresh)).code, 0);
    assert.equal(parse(await text()).AUTH_PASSWORD, fresh);
    const { uid, gid, mode } = await stat(file);
    assert.deepEqual([uid, gid, mode & 0o777], [stranger, stranger, 0o600]);
    assert.deepEqual(
      (await readdir(cwd)).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  test(
    'run by root, refuses a link from the folder of one user to the file of another',
    { skip: noRoot },
    async (context) => {
      const { file, text } = await startFolder(context);
      const before = await text();
      const below = await temporaryFolder(context);
      await symlink(file, join(below, '.env'));
      await chown(below, stranger, stranger);
      const { code, stderr } = await shelflist(['passwd'], { cwd: below, input: fresh });
      assert.match(
        stderr,
        /\.env is a link to .+; change AUTH_PASSWORD there with an editor, or replace the/,
      );
      assert.equal(code, 1);
      assert.equal(await text(), before);
    },
  );

  const refused: {
    what: string;
    dotenv: string | undefined;
    env: Record<string, string>;
    input: string;
    stderr: RegExp;
  }[] = [
    { what: 'nothing', dotenv: 'A=1\n', env: {}, input: '', stderr: /is empty; nothing was changed\n$/ },
    {
      what: 'all kinds of quotes',
      dotenv: 'A=1\n',
      env: {},
      input: `with quotes '"\``,
      stderr: /all kinds of quotes/,
    },
    {
      what: 'nine characters',
      dotenv: 'A=1\n',
      env: {},
      input: 'nine char',
      stderr: /fewer than 10 characters/,
    },
    {
      what: 'no .env',
      dotenv: undefined,
      env: {},
      input: fresh,
      stderr: /\.env does not exist; `shelflist init` writes one/,
    },
    {
      what: 'a file of its own',
      dotenv: 'AUTH_PASSWORD_FILE=x\n',
      env: {},
      input: fresh,
      stderr: /is in AUTH_PASSWORD_FILE \(\.env\), which/,
    },
    {
      what: 'the environment',
      dotenv: 'A=1\n',
      env: { AUTH_PASSWORD: 'y' },
      input: fresh,
      stderr: /is in AUTH_PASSWORD \(environment\), which/,
    },
  ];
  for (const { what, dotenv, env, input, stderr } of refused) {
    test(`refuses ${what}, and changes nothing`, async (context) => {
      const cwd = await temporaryFolder(context);
      if (dotenv !== undefined) await writeFile(join(cwd, '.env'), dotenv);
      const outcome = await shelflist(['passwd'], { cwd, env, input });
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.code, 1);
      if (dotenv !== undefined) assert.equal(await readFile(join(cwd, '.env'), 'utf8'), dotenv);
    });
  }
});
