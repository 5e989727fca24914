import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { createCatalogue } from '../../../../src/cli/commands/serve/first-start.ts';
import { cleanEnvironment, serve, settings, shelflist, shell } from '../../../support/cli.ts';
import { startStranger } from '../../../support/session.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { formatFirstDotenv } from '../../../../src/config/create-dotenv.ts';

test('serve --init writes a private .env once, and serves with it', async (context) => {
  const cwd = await temporaryFolder(context);
  const file = join(cwd, '.env');
  const first = await serve(context, cwd, {}, [], ['--init']);
  await first.stop();
  assert.match(first.stderr(), /^\S+Z shelflist info: wrote .+\.env, which only you can read: /);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const text = await readFile(file, 'utf8');
  const { AUTH_USERNAME, AUTH_PASSWORD = '' } = parse(text);
  assert.equal(AUTH_USERNAME, 'librarian');
  assert.match(AUTH_PASSWORD, /^[\w-]{24}$/);
  assert.ok(!first.stderr().includes(AUTH_PASSWORD), first.stderr());
  const second = await serve(context, cwd, {}, [], ['--init']);
  await second.stop();
  assert.doesNotMatch(second.stderr(), /wrote/);
  assert.equal(await readFile(file, 'utf8'), text);
});

test('serve --init writes only what is not set elsewhere', async (context) => {
  const cwd = await temporaryFolder(context);
  const { SECRET_TOKEN } = settings;
  const service = await serve(context, cwd, { SECRET_TOKEN }, [], ['--init']);
  await service.stop();
  assert.match(service.stderr(), /: it has AUTH_USERNAME and AUTH_PASSWORD\n/);
  const { AUTH_PASSWORD, ...others } = parse(await readFile(join(cwd, '.env'), 'utf8'));
  assert.match(AUTH_PASSWORD ?? '', /^[\w-]{24}$/);
  assert.ok(!('SECRET_TOKEN' in others) && others.AUTH_USERNAME === 'librarian');
  const text = await formatFirstDotenv({}, { username: 'a' }, { port: '8081', databaseUrl: undefined });
  const { PORT, DATABASE_URL } = parse(text);
  assert.deepEqual([PORT, DATABASE_URL], ['8081', undefined]); // Where --port and the environment say so.
});

test('serve --init removes its .env if the store cannot be opened', async (context) => {
  const cwd = await temporaryFolder(context);
  await writeFile(join(cwd, 'data'), 'a file, not a folder');
  const { code, stderr } = await shelflist(['serve', '--init', '--port', '0'], { cwd });
  assert.match(stderr, /info: removed .+\.env again, because the start failed\nshelflist: /);
  assert.equal(code, 1);
  assert.deepEqual(await readdir(cwd), ['data']);
});

test('a failed serve --init keeps its .env if a program listens on the port: it may be a service that has read it', async (context) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const directory = await temporaryFolder(context);
  const env = cleanEnvironment(directory);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const flags = { port: `${port}` };
  const io = { stdin, stdout, stderr, env, directory };
  const created = await createCatalogue(io, { flags, env, directory, program: 'shelflist' }, { init: true });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  assert.equal(await created?.remove(), undefined);
  await new Promise((resolve) => server.close(resolve));
  assert.ok(existsSync(join(directory, '.env')));
  assert.match((await created?.remove()) ?? '', /^removed /);
});

test('serve --init adds what a .env lacks, and keeps what it has', async (context) => {
  const cwd = await temporaryFolder(context);
  const file = join(cwd, '.env');
  await writeFile(file, '# mine\nPORT=0');
  const service = await serve(context, cwd, {}, [], ['--init']);
  await service.stop();
  assert.match(
    service.stderr(),
    /info: added SECRET_TOKEN, AUTH_USERNAME, and AUTH_PASSWORD to .+\.env, which only/,
  );
  const text = await readFile(file, 'utf8');
  assert.match(text, /^# mine\nPORT=0\n\n/);
  const { AUTH_USERNAME, AUTH_PASSWORD, SECRET_TOKEN } = parse(text);
  assert.deepEqual([AUTH_USERNAME, AUTH_PASSWORD?.length, SECRET_TOKEN?.length], ['librarian', 24, 64]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a failed serve --init takes out again what it has added', async (context) => {
  const cwd = await temporaryFolder(context);
  const file = join(cwd, '.env');
  await writeFile(file, 'PORT=0\n');
  await writeFile(join(cwd, 'data'), 'a file, not a folder');
  const { code, stderr } = await shelflist(['serve', '--init'], { cwd });
  assert.match(stderr, /info: removed .+ from .+\.env again, because the start failed\n/);
  assert.equal(code, 1);
  assert.equal(await readFile(file, 'utf8'), 'PORT=0\n');
});

test('serve --init adds nothing to a .env with a misspelt setting, and names that', async (context) => {
  const cwd = await temporaryFolder(context);
  await writeFile(join(cwd, '.env'), 'SECRET_TOKN=x\n');
  const { stderr } = await shelflist(['serve', '--init'], { cwd });
  assert.match(stderr, /Rename SECRET_TOKN \(\.env\) to SECRET_TOKEN\./);
  assert.equal(await readFile(join(cwd, '.env'), 'utf8'), 'SECRET_TOKN=x\n');
});

test(
  'serve --init says why a folder cannot be written, and what to do',
  { skip: !existsSync('/sys') },
  async () => {
    const { code, stderr } = await shelflist(['serve', '--init', '--port', '0'], { cwd: '/sys' });
    assert.match(stderr, /^shelflist: cannot write \/sys\/\.env \(E[A-Z]+\): .+; use a folder /);
    assert.equal(code, 1);
  },
);

describe('serve --init writes nothing', () => {
  const table: [when: string, env: Record<string, string>, stderr: RegExp][] = [
    ['if a setting is not valid', { PORT: '80a' }, /PORT \(environment PORT\) is not a whole number/],
    ['if all of them are there', { ...settings, DATABASE_URL: 'x:y' }, /DATABASE_URL \(environment/],
  ];
  for (const [when, env, stderr] of table)
    test(when, async (context) => {
      const cwd = await temporaryFolder(context);
      const outcome = await shelflist(['serve', '--init'], { cwd, env });
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.code, 1);
      assert.ok(!existsSync(join(cwd, '.env')));
    });

  test('if the port is in use, and advises a line that would', async (context) => {
    const cwd = await temporaryFolder(context);
    const { port } = await startStranger(context);
    const { code, stderr } = await shell(`shelflist serve --init --port ${port}`, { cwd });
    assert.match(stderr, /: shelflist serve --init --port \d+\n$/);
    assert.equal(code, 1);
    assert.ok(!existsSync(join(cwd, '.env')));
  });
});
