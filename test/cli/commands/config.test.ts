import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createSettingFinder } from '../../../src/config/read-settings.ts';
import { run, shelflist, shell, titleOf, type Command } from '../../support/cli.ts';
import { startSession } from '../../support/session.ts';
import { temporaryFolder } from '../../support/temp.ts';

interface Given {
  env?: Record<string, string>;
  /** Files of the folder, by name. */
  files?: Record<string, string>;
}

async function prepare(context: TestContext, { files = {} }: Given): Promise<string> {
  const cwd = await temporaryFolder(context);
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  return cwd;
}

interface Shown {
  name: string;
  value: string | null;
  source: string;
}

async function show(context: TestContext, given: Given) {
  const cwd = await prepare(context, given);
  const { code, stdout, stderr } = await shelflist(['config', 'show', '--json'], { cwd, ...given });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const shown = JSON.parse(stdout) as Shown[];
  const settings = new Map(shown.map(({ name, value, source }) => [name, { value, source }]));
  return { cwd, shown, settings };
}

test('config show lists the settings of the service, then those of the client', async (context) => {
  const { cwd, shown } = await show(context, {});
  const unset = (name: string): Shown => ({ name, value: null, source: 'not set' });
  const usual = (name: string, value: string): Shown => ({ name, value, source: 'default' });
  assert.deepEqual(shown, [
    unset('SECRET_TOKEN'),
    unset('AUTH_USERNAME'),
    unset('AUTH_PASSWORD'),
    usual('SESSION_HOURS', '12'),
    usual('DATABASE_URL', 'file:./data'),
    usual('HOST', '127.0.0.1'),
    usual('PORT', '8080'),
    unset('SOCKET'),
    unset('PREFIX'),
    unset('TLS_CERT'),
    unset('TLS_KEY'),
    usual('ACCEPT_BEARER', 'false'),
    usual('BODY_LIMIT_BYTES', '1048576'),
    usual('BULK_LIMIT_BYTES', '10485760'),
    usual('HISTORY_DAYS', '90'),
    usual('HISTORY_MAX_BYTES', '268435456'),
    unset('SORT_ARTICLES'),
    usual('SORT_NAMES', 'family'),
    usual('PAGE', 'true'),
    usual('CATALOGUE_NAME', 'shelflist'),
    usual('PAGE_LANGUAGE', 'auto'),
    usual('PUBLIC_READ', 'false'),
    usual('READ_LIMIT', '300'),
    usual('BOOK_LOOKUP', 'off'),
    usual('METRICS', 'false'),
    usual('ERROR_DETAILS', 'false'),
    usual('LOG_LEVEL', 'warn'),
    usual('LOG_FORMAT', 'text'),
    usual('WORKERS', '1'),
    unset('SECRET_TOKEN_PREVIOUS'),
    unset('CORS_ORIGINS'),
    unset('TRUSTED_PROXIES'),
    usual('SHELFLIST_URL', 'http://127.0.0.1:8080'),
    unset('SHELFLIST_USERNAME'),
    unset('SHELFLIST_PASSWORD'),
    unset('SHELFLIST_TOKEN'),
    {
      name: 'token folder',
      value: join(cwd, '.cache/shelflist/tokens'),
      source: 'environment XDG_CACHE_HOME',
    },
  ]);
});

describe('the value and the source of a setting', () => {
  const masked = '********';
  const table: { what: string; given: Given; name: string; value: string | null; source: string | RegExp }[] =
    [
      {
        what: 'the environment',
        given: { env: { PORT: '9' } },
        name: 'PORT',
        value: '9',
        source: 'environment PORT',
      },
      { what: '.env', given: { files: { '.env': 'PORT=9' } }, name: 'PORT', value: '9', source: '.env PORT' },
      {
        what: 'the environment over .env',
        given: { env: { PORT: '8' }, files: { '.env': 'PORT=9' } },
        name: 'PORT',
        value: '8',
        source: 'environment PORT',
      },
      {
        what: 'empty is not set',
        given: { env: { PORT: '' }, files: { '.env': 'PORT=' } },
        name: 'PORT',
        value: '8080',
        source: 'default',
      },
      {
        what: 'what serve would refuse is shown',
        given: { env: { PORT: 'x' } },
        name: 'PORT',
        value: 'x',
        source: 'environment PORT',
      },
      {
        what: 'a file',
        given: { env: { PORT_FILE: 'p' }, files: { p: '7\n' } },
        name: 'PORT',
        value: '7',
        source: 'environment PORT_FILE',
      },
      {
        what: 'a file of .env',
        given: { files: { '.env': 'PORT_FILE=p', p: '7' } },
        name: 'PORT',
        value: '7',
        source: '.env PORT_FILE',
      },
      {
        what: 'a file that is not there',
        given: { env: { PORT_FILE: 'gone' } },
        name: 'PORT',
        value: null,
        source: /^cannot read .+gone, the file that PORT_FILE names \(ENOENT\)$/,
      },
      {
        what: 'set twice',
        given: { env: { SECRET_TOKEN: 'a', SECRET_TOKEN_FILE: 'b' } },
        name: 'SECRET_TOKEN',
        value: null,
        source: 'SECRET_TOKEN and SECRET_TOKEN_FILE are both set (environment); keep one of them',
      },
      {
        what: 'set twice in .env',
        given: { files: { '.env': 'HOST=a\nHOST_FILE=b' } },
        name: 'HOST',
        value: null,
        source: 'HOST and HOST_FILE are both set (.env); keep one of them',
      },
      {
        what: 'the secret before',
        given: { env: { SECRET_TOKEN_PREVIOUS: 'hush' } },
        name: 'SECRET_TOKEN_PREVIOUS',
        value: masked,
        source: 'environment SECRET_TOKEN_PREVIOUS',
      },
      {
        what: 'a secret',
        given: { env: { SECRET_TOKEN: 'hush' } },
        name: 'SECRET_TOKEN',
        value: masked,
        source: 'environment SECRET_TOKEN',
      },
      {
        what: 'a secret of a file',
        given: { env: { AUTH_PASSWORD_FILE: 'p' }, files: { p: 'hush' } },
        name: 'AUTH_PASSWORD',
        value: masked,
        source: 'environment AUTH_PASSWORD_FILE',
      },
      {
        what: 'a username',
        given: { files: { '.env': "AUTH_USERNAME='A b'" } },
        name: 'AUTH_USERNAME',
        value: 'A b',
        source: '.env AUTH_USERNAME',
      },
      {
        what: 'a folder',
        given: { env: { DATABASE_URL: 'file:/var/lib/a@b' } },
        name: 'DATABASE_URL',
        value: 'file:/var/lib/a@b',
        source: 'environment DATABASE_URL',
      },
      {
        what: 'a MongoDB',
        given: {
          env: {
            DATABASE_URL: 'mongodb+srv://ada:hush@c.example.net/books?tlsCertificateKeyFilePassword=hush',
          },
        },
        name: 'DATABASE_URL',
        value: 'mongodb+srv://c.example.net/books',
        source: 'environment DATABASE_URL',
      },
      {
        what: 'a MongoDB with a password that is not encoded: where it ends is unknown',
        given: { files: { '.env': 'DATABASE_URL=mongodb://ada:h/u@s?h@h1:1,h2:2' } },
        name: 'DATABASE_URL',
        value: '********',
        source: '.env DATABASE_URL',
      },
      {
        what: 'the address of a service',
        given: { env: { SHELFLIST_URL: 'https://books.example.org/shelf' } },
        name: 'SHELFLIST_URL',
        value: 'https://books.example.org/shelf',
        source: 'environment SHELFLIST_URL',
      },
      {
        what: 'one with a password, which no command takes',
        given: { env: { SHELFLIST_URL: 'https://ada:hush@books.example.org' } },
        name: 'SHELFLIST_URL',
        value: '********',
        source: 'environment SHELFLIST_URL',
      },
      {
        what: 'the client reads no .env',
        given: { files: { '.env': 'SHELFLIST_USERNAME=ada' } },
        name: 'SHELFLIST_USERNAME',
        value: null,
        source: 'not set',
      },
      {
        what: 'a password of the client',
        given: { env: { SHELFLIST_PASSWORD_FILE: 'p' }, files: { p: 'hush' } },
        name: 'SHELFLIST_PASSWORD',
        value: masked,
        source: 'environment SHELFLIST_PASSWORD_FILE',
      },
      {
        what: 'a token',
        given: { env: { SHELFLIST_TOKEN: 'hush' } },
        name: 'SHELFLIST_TOKEN',
        value: masked,
        source: 'environment SHELFLIST_TOKEN',
      },
    ];
  for (const { what, given, name, value, source } of table) {
    test(`${what}: ${name}`, async (context) => {
      const { settings } = await show(context, given);
      const found = settings.get(name);
      assert.equal(found?.value, value);
      if (typeof source === 'string') assert.equal(found.source, source);
      else assert.match(found.source, source);
    });
  }

  test('an invalid database address is not shown as another one', async (context) => {
    const { settings } = await show(context, { env: { DATABASE_URL: 'data' } });
    assert.doesNotMatch(settings.get('DATABASE_URL')?.value ?? '', /^mongodb:/);
  });

  test('without XDG_CACHE_HOME, tokens are in the default cache folder', async (context) => {
    const cwd = await temporaryFolder(context);
    const { stdout } = await shell('unset XDG_CACHE_HOME; shelflist config show | tail -1', { cwd });
    const folder = process.platform === 'linux' ? join(cwd, '.cache/shelflist/tokens') : '.+';
    assert.match(stdout, new RegExp(`^token folder\t${folder}\tdefault\n$`));
  });

  test('a flag of serve takes precedence', async (context) => {
    const directory = await prepare(context, { files: { '.env': 'PORT=3' } });
    const find = await createSettingFinder({
      flags: { port: '1', databaseUrl: '' },
      env: { PORT: '2', DATABASE_URL: 'file:x' },
      directory,
    });
    assert.deepEqual(await find('port'), { value: '1', source: 'flag --port' });
    assert.deepEqual(await find('databaseUrl'), { value: 'file:x', source: 'environment DATABASE_URL' });
  });
});

describe('no secret is ever shown', () => {
  const secrets = {
    SECRET_TOKEN: 'hush-1',
    AUTH_PASSWORD: 'hush-2',
    SHELFLIST_PASSWORD: 'hush-3',
    SHELFLIST_TOKEN: 'hush-4',
    DATABASE_URL: 'mongodb://hush-5:hush-6@h/d?authMechanismProperties=hush-7',
    SHELFLIST_URL: 'http://hush-8:hush-9@h',
  };
  const places: Record<string, Given> = {
    'in the environment': { env: secrets },
    'in .env': {
      files: {
        '.env': Object.entries(secrets)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      },
    },
    'in files': {
      env: Object.fromEntries(Object.keys(secrets).map((name) => [`${name}_FILE`, name])),
      files: secrets,
    },
    'set twice': { env: { ...secrets, SECRET_TOKEN_FILE: 'hush-name', AUTH_PASSWORD_FILE: 'x' } },
  };
  for (const [place, given] of Object.entries(places)) {
    for (const options of [
      [],
      ['--json'],
      ...['table', 'json', 'ndjson', 'csv'].map((each) => ['--format', each]),
    ]) {
      test(`${place}, config show ${options.join(' ')}`, async (context) => {
        const cwd = await prepare(context, given);
        const { code, stdout, stderr } = await shelflist(['config', 'show', ...options], {
          cwd,
          ...given,
        });
        assert.equal(code, 0);
        assert.match(stdout, /SECRET_TOKEN/);
        assert.doesNotMatch(`${stdout}${stderr}`, /hush-/);
      });
    }
  }

  test('a password with a slash in the address of a service', async (context) => {
    const cwd = await temporaryFolder(context);
    const env = { SHELFLIST_URL: 'http://ada:x/hush@books.example.org' };
    const { stdout } = await shelflist(['config', 'show'], { cwd, env });
    assert.doesNotMatch(stdout, /hush/);
  });
});

test('every format shows the same settings', async (context) => {
  const { cwd, shown } = await show(context, {});
  const output = async (options: string[]) =>
    (await shelflist(['config', 'show', ...options], { cwd })).stdout;
  assert.deepEqual(JSON.parse(await output(['--format', 'json'])), shown);
  const lines = (await output(['--format', 'ndjson'])).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as Shown),
    shown,
  );
  const cells = shown.map(({ name, value, source }) => [name, value ?? '', source]);
  const text = (gap: string) => cells.map((row) => `${row.join(gap)}\n`).join('');
  assert.equal(await output([]), text('\t'));
  assert.equal(await output(['--format', 'csv']), `name,value,source\n${text(',')}`);
  assert.match(await output(['--format', 'table']), /^NAME +VALUE +SOURCE\n/);
});

test('an unreadable .env exits with 1', async (context) => {
  const cwd = await temporaryFolder(context);
  await mkdir(join(cwd, '.env'));
  const { code, stdout, stderr } = await shelflist(['config', 'show'], { cwd });
  assert.match(stderr, /^shelflist: cannot read .+\.env \(EISDIR\); check its owner and mode\n$/);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
});

describe('the shown client variables are those that commands use', () => {
  const table: [variable: string, value: (session: Awaited<ReturnType<typeof startSession>>) => string][] = [
    ['SHELFLIST_URL', ({ service }) => service.url],
    ['SHELFLIST_TOKEN', () => 'a-token'],
  ];
  for (const [variable, value] of table) {
    test(`${variable}_FILE`, async (context) => {
      const session = await startSession(context);
      await writeFile(join(session.folder, 'setting'), value(session));
      const env = { [`${variable}_FILE`]: 'setting', [variable]: '' };
      const shown = await session.run(`shelflist config show | grep ^${variable}`, { env });
      const status = await session.run(['status', '--json'], { env });
      const { service, token } = JSON.parse(status.stdout) as { service: string; token: string | null };
      const isTaken = variable === 'SHELFLIST_URL' ? service === session.service.url : token === variable;
      assert.equal(shown.stdout.includes(`${variable}_FILE`), isTaken, shown.stdout);
    });
  }
});

describe('an invalid command line', () => {
  const table: [commandLine: Command, stderr: RegExp][] = [
    [['config'], /^Usage: shelflist config /],
    [['config', 'shw'], /^shelflist: unknown command 'shw': did you mean show\?\n$/],
    [
      ['config', 'show', 'PORT'],
      /^shelflist: too many arguments: expected 0, got 1; see `shelflist config show --help`\n$/,
    ],
    [['config', 'show', '--json', '--format', 'csv'], /"code":"usage".+--json cannot be used with --format/],
  ];
  for (const [commandLine, stderr] of table) {
    test(titleOf(commandLine), async (context) => {
      const outcome = await run(commandLine, { cwd: await temporaryFolder(context) });
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, 2);
    });
  }
});
