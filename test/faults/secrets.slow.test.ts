import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { parse } from 'dotenv';
import { cleanEnvironment, serve, shell, titleOf, workersOf, type Command } from '../support/cli.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { startSession } from '../support/session.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const secrets = {
  SECRET_TOKEN: 'the-secret-of-this-test-with-38-bytes!',
  SECRET_TOKEN_PREVIOUS: 'the-previous-secret-of-this-very-test!',
  AUTH_PASSWORD: 'the-password-of-this-test',
  SHELFLIST_PASSWORD: 'the-wrong-password-of-this-test',
  SHELFLIST_TOKEN: 'the.wrong.token-of-this-test',
};
const settings = { ...secrets, AUTH_USERNAME: 'librarian' };
const token = /eyJ[\w-]+\.[\w-]+\.[\w-]*/;

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

function assertTellsNone(text: string, more: readonly string[] = []): void {
  for (const [kind, secret] of [
    ...Object.entries(secrets),
    ...more.map((each) => ['another', each] as const),
  ])
    assert.ok(!text.includes(secret), `${kind} is told`);
  assert.doesNotMatch(text, token);
}

test('the process list shows no secret, and only the owner can read the environment', async (context) => {
  const service = await serve(context, await temporaryFolder(context), { ...settings, WORKERS: '2' });
  const pids = [service.child.pid ?? 0, ...(await workersOf(service))];
  assert.equal(pids.length, 3);
  for (const pid of pids) {
    for (const name of ['cmdline', 'comm', 'status'])
      assertTellsNone(await readFile(`/proc/${pid}/${name}`, 'utf8'));
    assert.match(await readFile(`/proc/${pid}/environ`, 'utf8'), /the-secret-of-this-test/);
    assert.equal((await stat(`/proc/${pid}/environ`)).mode & 0o777, 0o400);
  }
});

describe('a crash prints no secret', { concurrency: 3 }, () => {
  const signals: readonly NodeJS.Signals[] = ['SIGQUIT', 'SIGABRT', 'SIGSEGV'];
  for (const signal of sized({ short: signals.slice(0, 1), long: signals })) {
    test(signal, async (context) => {
      const service = await serve(context, await temporaryFolder(context), {
        ...settings,
        LOG_LEVEL: 'info',
      });
      await fetch(`${service.url}/token`, {
        method: 'POST',
        body: JSON.stringify({ username: settings.AUTH_USERNAME, password: settings.AUTH_PASSWORD }),
      });
      assert.equal(await service.stop(signal), null);
      assertTellsNone(service.stderr());
    });
  }

  const crashes: [what: string, code: string, said: RegExp][] = [
    ['an exception that nobody catches', "throw new Error('from outside')", /from outside/],
    ['a promise that nobody handles', "void Promise.reject(new Error('from outside'))", /from outside/],
    ['no memory left', 'const all = []; for (;;) all.push(Array(1e5).fill(0.5))', /heap out of memory/],
  ];
  for (const [what, code, said] of crashes) {
    test(what, async (context) => {
      const folder = await temporaryFolder(context);
      const { NODE_OPTIONS = '' } = cleanEnvironment(folder);
      const crash = `data:text/javascript,process.once('SIGUSR2',()=>{${encodeURIComponent(code)}})`;
      const service = await serve(context, folder, {
        ...settings,
        NODE_OPTIONS: `${NODE_OPTIONS} --max-old-space-size=40 --import=${crash}`,
      });
      const closed = once(service.child, 'close');
      service.child.kill('SIGUSR2');
      await closed;
      assert.match(service.stderr(), said);
      assertTellsNone(service.stderr());
    });
  }
});

describe('a failing start prints no secret', { concurrency: 3 }, () => {
  const variables = [
    ...['PORT', 'TRUSTED_PROXIES', 'WORKERS', 'LOG_LEVEL', 'LOG_FORMAT', 'CORS_ORIGINS', 'ACCEPT_BEARER'],
    ...['METRICS', 'BODY_LIMIT_BYTES', 'BULK_LIMIT_BYTES'],
  ];
  const mongo = (rest: string) => ({ DATABASE_URL: `mongodb://keeper:the-key-of-the-database${rest}` });
  const table: [what: string, env: Record<string, string>][] = [
    ['a database that is not there', mongo('@127.0.0.1:1/books')],
    ['a database without a host', mongo('@/books')],
    ['a database with a slash in its password', mongo('/the-key-of-the-database@127.0.0.1:1/books')],
    ['a database with an option that there is not', mongo('@127.0.0.1:1/books?the-key-of-the-database=1')],
    ['a database with options that contradict each other', mongo('@127.0.0.1:1/books?tls=true&ssl=false')],
    [
      'a name that no server knows',
      { DATABASE_URL: 'mongodb+srv://keeper:the-key-of-the-database@nowhere.invalid/books' },
    ],
    ['a database of another kind', { DATABASE_URL: 'postgres://keeper:the-key-of-the-database@127.0.0.1/' }],
    ['a password where the address belongs', { DATABASE_URL: 'the-key-of-the-database' }],
    ...sized({ short: variables.slice(0, 2), long: variables }).map(
      (name): [string, Record<string, string>] => [
        `a password where ${name} belongs`,
        { [name]: 'the-key-of-the-database' },
      ],
    ),
  ];
  for (const [what, env] of table) {
    test(what, async (context) => {
      const cwd = await temporaryFolder(context);
      const { code, stdout, stderr } = await shell('shelflist serve', {
        cwd,
        env: { ...settings, PORT: '0', ...env },
      });
      assert.equal(code, 1);
      assert.match(stderr, /^shelflist: /);
      assertTellsNone(stdout + stderr, ['the-key-of-the-database']);
    });
  }

  const skip = 'skip' in mongod ? mongod.skip : false;
  test('a database that refuses the password', { skip }, async (context) => {
    if ('skip' in mongod) return;
    const url = newDatabaseUrl(mongod).replace('//', '//keeper:the-key-of-the-database@');
    const cwd = await temporaryFolder(context);
    const env = { ...settings, DATABASE_URL: url };
    const { code, stdout, stderr } = await shell('shelflist serve --port 0', { cwd, env });
    assert.equal(code, 1);
    assertTellsNone(stdout + stderr, ['the-key-of-the-database']);
  });
});

test('no client command prints a secret, even when it fails', async (context) => {
  const { service, run } = await startSession(context);
  const { SHELFLIST_PASSWORD, SHELFLIST_TOKEN } = secrets;
  const bad = { SHELFLIST_PASSWORD, SHELFLIST_USERNAME: 'librarian' };
  const table: [commandLine: Command, env: Record<string, string>, code: number][] = [
    [['login'], bad, 4],
    [['list'], { SHELFLIST_TOKEN }, 4],
    [['list', '--json'], { SHELFLIST_TOKEN }, 4],
    [['config', 'show'], { ...bad, SHELFLIST_TOKEN }, 0],
    [['status'], { ...bad, SHELFLIST_TOKEN }, 4],
    [['doctor'], { ...bad, SHELFLIST_TOKEN }, 1],
    [['list'], { SHELFLIST_TOKEN, SHELFLIST_URL: 'http://127.0.0.1:1' }, 5],
  ];
  for (const [commandLine, env, expected] of table) {
    const { code, stdout, stderr } = await run(commandLine, { env: { SHELFLIST_URL: service.url, ...env } });
    assert.equal(code, expected, `${titleOf(commandLine)}: ${stderr}`);
    assertTellsNone(stdout + stderr);
  }
});

test('files with a secret are private, even with umask 0', async (context) => {
  const umask = process.umask(0);
  context.after(() => process.umask(umask));
  const { folder, run } = await startSession(context);
  const commands = [
    'add -t Emma',
    'export books.csv',
    'import books.csv --on-duplicate skip',
    'config show --json',
  ];
  for (const command of [...commands, 'doctor --json', 'status --json', 'completion bash'])
    await run(`shelflist ${command} > ${command.split(' ')[0]}.out 2>&1`);
  await run('EDITOR=true shelflist edit 1');

  const { SECRET_TOKEN = '', AUTH_PASSWORD = '' } = parse(await readFile(join(folder, '.env')));
  assert.ok(SECRET_TOKEN.length >= 64 && AUTH_PASSWORD.length >= 20);
  const found: [name: string, mode: string][] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'latin1');
    const holds = text.includes(SECRET_TOKEN) || text.includes(AUTH_PASSWORD) || token.test(text);
    if (holds) found.push([relative(folder, path), ((await stat(path)).mode & 0o777).toString(8)]);
  }
  const tokens = '.cache/shelflist/tokens';
  assert.deepEqual(
    found.map(([name, mode]) => [name.replace(/[0-9a-f]{16}-[0-9a-f]{16}/, '…'), mode]).sort(),
    [
      [`${tokens}/….json`, '600'],
      ['.env', '600'],
    ].sort(),
  );
  assert.equal((await stat(join(folder, tokens))).mode & 0o777, 0o700);
});
