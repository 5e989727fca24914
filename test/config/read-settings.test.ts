import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { readServiceSettings, type SettingSources } from '../../src/config/read-settings.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { temporaryFolder } from '../support/temp.ts';

const required = { SECRET_TOKEN: 'env-secret', AUTH_USERNAME: 'ada', AUTH_PASSWORD: 'env-password' };

interface Given extends Partial<SettingSources> {
  /** Files of the folder, by name. */
  files?: Record<string, string>;
}

async function read(context: TestContext, { files = {}, flags, env = {} }: Given) {
  const directory = await temporaryFolder(context);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return readServiceSettings({ ...(flags && { flags }), env: { ...required, ...env }, directory });
}

describe('the first of flag, environment, .env and default that has a value wins', () => {
  const flags = { port: '1' };
  const env = { PORT: '2' };
  const files = { '.env': 'PORT=3' };
  const table: { what: string; given: Given; value: number; source: string }[] = [
    { what: 'all of them', given: { flags, env, files }, value: 1, source: 'flag --port' },
    { what: 'no flag', given: { env, files }, value: 2, source: 'environment PORT' },
    { what: '.env only', given: { files }, value: 3, source: '.env PORT' },
    { what: 'none of them', given: {}, value: 8080, source: 'default' },
    {
      what: 'an empty flag is not set',
      given: { flags: { port: '' }, env },
      value: 2,
      source: 'environment PORT',
    },
    {
      what: 'an empty variable is not set',
      given: { env: { PORT: '' }, files },
      value: 3,
      source: '.env PORT',
    },
    {
      what: 'an empty line of .env is not set',
      given: { files: { '.env': 'PORT=' } },
      value: 8080,
      source: 'default',
    },
    {
      what: 'a file',
      given: { env: { PORT_FILE: 'p' }, files: { p: '4\n' } },
      value: 4,
      source: 'environment PORT_FILE',
    },
    {
      what: 'a file that .env names',
      given: { files: { '.env': 'PORT_FILE=p', p: '5\r\n' } },
      value: 5,
      source: '.env PORT_FILE',
    },
    {
      what: 'an empty file is not set',
      given: { env: { PORT_FILE: 'p' }, files: { p: '\n' } },
      value: 8080,
      source: 'default',
    },
    {
      what: 'environment over a file of .env',
      given: { env, files: { '.env': 'PORT_FILE=p', p: '5' } },
      value: 2,
      source: 'environment PORT',
    },
  ];
  for (const { what, given, value, source } of table) {
    test(`${what}: ${value} from ${source}`, async (context) => {
      assert.deepEqual((await read(context, given)).port, { value, source });
    });
  }

  test('the defaults are those of the contract', async (context) => {
    const settings = await read(context, {});
    assert.deepEqual(
      Object.entries(settings).map(([name, { value }]) => [name, value]),
      [
        ['secretToken', 'env-secret'],
        ['authUsername', 'ada'],
        ['authPassword', 'env-password'],
        ['sessionHours', 12],
        ['databaseUrl', 'file:./data'],
        ['host', '127.0.0.1'],
        ['port', 8080],
        ['socket', undefined],
        ['prefix', ''],
        ['tlsCert', undefined],
        ['tlsKey', undefined],
        ['acceptBearer', false],
        ['bodyLimitBytes', 1_048_576],
        ['bulkLimitBytes', 10_485_760],
        ['historyDays', 90],
        ['historyMaxBytes', 268_435_456],
        ['sortArticles', []],
        ['sortNames', 'family'],
        ['page', true],
        ['catalogueName', 'shelflist'],
        ['pageLanguage', 'auto'],
        ['publicRead', false],
        ['readLimit', 300],
        ['bookLookup', 'off'],
        ['metrics', false],
        ['errorDetails', false],
        ['logLevel', 'warn'],
        ['logFormat', 'text'],
        ['workers', 1],
        ['secretTokenPrevious', undefined],
        ['corsOrigins', []],
        ['trustedProxies', []],
      ],
    );
  });

  test('only the line break at the end of a file is removed', async (context) => {
    const env = { SECRET_TOKEN: undefined, SECRET_TOKEN_FILE: 's' };
    const settings = await read(context, { env, files: { s: ' two\nlines \n' } });
    assert.equal(settings.secretToken.value, ' two\nlines ');
  });
});

test('articles are single words, and at most 16', async (context) => {
  const readArticles = (value: string) => read(context, { env: { SORT_ARTICLES: value } });
  assert.deepEqual((await readArticles("the, Là, l'")).sortArticles.value, ['the', 'Là', "l'"]);
  for (const value of ["l'e", 'of the', 'the,'.repeat(17)])
    await assert.rejects(readArticles(value), {
      code: 'config',
      message: /SORT_ARTICLES.* at most 16 single words such as the,a,an or l'/,
    });
});

for (const value of [
  'off',
  'openlibrary',
  'https://sru.example/x?query=isbn%3D{isbn}',
  'https://sru.example:8443/{isbn}',
  'http://127.0.0.1:7090/x?query={isbn}',
  'http://[::1]/x?query={isbn}',
])
  test(`books are looked up at: ${value}`, async (context) => {
    assert.equal((await read(context, { env: { BOOK_LOOKUP: value } })).bookLookup.value, value);
  });

for (const value of [
  'OpenLibrary',
  'https://sru.example/x?query=isbn',
  'https://{isbn}.example/x?query={isbn}',
  'https://sru.example{isbn}/',
  'http://sru.example/x?query={isbn}',
  'http://127.0.0.1.example/x?query={isbn}',
  'https://ada:secret@sru.example/x?query={isbn}',
  'https://sru.example/x?query={isbn}#part',
  'https://sru.example/x?query={isbn}&to={user}',
  'file:///x/{isbn}',
])
  test(`books are not looked up at: ${value}`, async (context) => {
    await assert.rejects(read(context, { env: { BOOK_LOOKUP: value } }), {
      code: 'config',
      message: /^BOOK_LOOKUP .*openlibrary, or an https address with \{isbn\}/,
    });
  });

test('origins are separated by commas', async (context) => {
  const env = { CORS_ORIGINS: 'https://a.example, http://localhost:3000,,*' };
  assert.deepEqual((await read(context, { env })).corsOrigins, {
    value: ['https://a.example', 'http://localhost:3000', '*'],
    source: 'environment CORS_ORIGINS',
  });
});

test('proxies are addresses and ranges, separated by commas', async (context) => {
  const env = { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,,::1 , fd00::/8, unix' };
  assert.deepEqual((await read(context, { env })).trustedProxies, {
    value: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'unix'],
    source: 'environment TRUSTED_PROXIES',
  });
});

describe('an invalid setting is an error that names its source, and never its value', () => {
  const none = { SECRET_TOKEN: undefined, AUTH_USERNAME: '', AUTH_PASSWORD: undefined };
  const todo = 'Run `shelflist init` to write';
  type Row = [what: string, given: Given, message: string | RegExp];
  const table: Row[] = [
    ...['x', '-1', '65536', '80.5', '0x50', '1e3', ' 80', '99999999999'].map(
      (value): [string, Given, string] => [
        `PORT "${value}"`,
        { env: { PORT: value } },
        'PORT (environment PORT) is not a whole number from 0 to 65535',
      ],
    ),
    ...['socket', '~/socket', `/${'x'.repeat(100)}`].map((value): Row => [
      `SOCKET ${value}`,
      { env: { SOCKET: value } },
      /^SOCKET \(environment SOCKET\) is not the absolute path of a socket, .+, of at most 100 bytes$/,
    ]),
    ['a PORT of .env', { files: { '.env': 'PORT=x' } }, /^PORT \(\.env PORT\) is not/],
    ['a PORT of a flag', { flags: { port: 'x' } }, /^PORT \(flag --port\) is not/],
    ...['https://a.example/', 'a.example', 'null', 'https://*.example', 'HTTPS://a.example'].map(
      (value): [string, Given, RegExp] => [
        `CORS_ORIGINS "${value}"`,
        { env: { CORS_ORIGINS: `https://b.example,${value}` } },
        /^CORS_ORIGINS \(environment CORS_ORIGINS\) is not a comma-separated list of origins/,
      ],
    ),
    ...['localhost', '10.0.0.0/33', '10.0.0', '*', '::1/129', '10.0.0.0/8/8', 'a:80', '[::1]'].map(
      (value): [string, Given, string] => [
        `TRUSTED_PROXIES "${value}"`,
        { env: { TRUSTED_PROXIES: `127.0.0.1,${value}` } },
        'TRUSTED_PROXIES (environment TRUSTED_PROXIES) is not a comma-separated list of addresses and ranges such as ' +
          '127.0.0.1 and 10.0.0.0/8, or unix',
      ],
    ),
    [
      'LOG_LEVEL',
      { env: { LOG_LEVEL: 'loud' } },
      'LOG_LEVEL (environment LOG_LEVEL) is not one of error, warn, info',
    ],
    [
      'LOG_FORMAT',
      { env: { LOG_FORMAT: 'JSON' } },
      'LOG_FORMAT (environment LOG_FORMAT) is not one of text, json',
    ],
    ['METRICS', { env: { METRICS: 'on' } }, 'METRICS (environment METRICS) is not true or false'],
    ['ACCEPT_BEARER', { env: { ACCEPT_BEARER: 'x' } }, /^ACCEPT_BEARER \(.+\) is not true or false$/],
    [
      'BODY_LIMIT_BYTES',
      { env: { BODY_LIMIT_BYTES: '0' } },
      /^BODY_LIMIT_BYTES \(.+\) is not a whole number/,
    ],
    [
      'X and X_FILE both set',
      { env: { SECRET_TOKEN_FILE: 's' }, files: { s: 'file-secret' } },
      'SECRET_TOKEN and SECRET_TOKEN_FILE are both set (environment); keep one of them',
    ],
    [
      'a file that is not there',
      { env: { SECRET_TOKEN: '', SECRET_TOKEN_FILE: 'gone' } },
      /^cannot read .+gone, the file that SECRET_TOKEN_FILE names \(ENOENT\)$/,
    ],
    [
      'a file whose name no shell has completed',
      { env: { SECRET_TOKEN: '', SECRET_TOKEN_FILE: '~/gone' } },
      /names \(ENOENT\); only a shell expands ~: write the full path$/,
    ],
    ...['[::1]', 'http://127.0.0.1', '127.0.0.1:9000', '*', '127.0.0.1 ', '0.0.0.0/0', 'a..b'].map(
      (host): Row => [
        `HOST ${host}`,
        { env: { HOST: host } },
        /^HOST \(environment HOST\) is not a host name or address, .+, without http:\/\/, brackets or port$/,
      ],
    ),
    [
      'one secret missing',
      { env: { AUTH_PASSWORD: '' } },
      new RegExp(`^AUTH_PASSWORD is not set.\n${todo} it `),
    ],
    [
      'missing in a .env that is there',
      { env: none, files: { '.env': 'AUTH_USERNAME=ada' } },
      /^SECRET_TOKEN and AUTH_PASSWORD are not set\.\nAdd them to .+\.env, or set them in the environment\.$/,
    ],
    [
      'all of them missing',
      { env: none },
      new RegExp(`^SECRET_TOKEN, AUTH_USERNAME, and AUTH_PASSWORD are not set.\n${todo} them `),
    ],
  ];
  for (const [what, given, message] of table) {
    test(what, async (context) => {
      await assert.rejects(read(context, given), (error) => {
        assert.ok(error instanceof ConfigError);
        assert.equal(error.code, 'config');
        if (typeof message === 'string') assert.equal(error.message, message);
        else assert.match(error.message, message);
        assert.doesNotMatch(error.message, /env-secret|env-password|file-secret/);
        return true;
      });
    });
  }

  test('a .env that cannot be read', async (context) => {
    const directory = await temporaryFolder(context);
    await mkdir(join(directory, '.env'));
    await assert.rejects(readServiceSettings({ env: required, directory }), {
      code: 'config',
      message: `cannot read ${join(directory, '.env')} (EISDIR); check its owner and mode`,
    });
  });
});

test(
  'a .env that is a named pipe without a writer is refused at once',
  { skip: process.platform === 'win32' && 'there are no named pipes in folders' },
  async (context) => {
    const directory = await temporaryFolder(context);
    execFileSync('mkfifo', [join(directory, '.env')]);
    await assert.rejects(readServiceSettings({ env: required, directory }), {
      code: 'config',
      message: `cannot read ${join(directory, '.env')}: it is a named pipe; replace it by a file`,
    });
  },
);

describe('a file in UTF-16, as > in Windows PowerShell 5 writes it', () => {
  const encodings: [what: string, encode: (text: string) => Buffer][] = [
    ['with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['big-endian', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['without a mark', (text) => Buffer.from(text, 'utf16le')],
  ];
  for (const [what, encode] of encodings)
    test(what, async (context) => {
      const directory = await temporaryFolder(context);
      await writeFile(join(directory, 'password'), encode('password1\n'));
      const env = { ...required, AUTH_PASSWORD: '', AUTH_PASSWORD_FILE: 'password' };
      const message = (name: string) =>
        `cannot read ${join(directory, name)}: it is UTF-16; save it as UTF-8`;
      await assert.rejects(readServiceSettings({ env, directory }), {
        code: 'config',
        message: message('password'),
      });
      await writeFile(join(directory, '.env'), encode('AUTH_PASSWORD=password1\n'));
      await assert.rejects(readServiceSettings({ env: required, directory }), { message: message('.env') });
    });

  test('a UTF-8 byte order mark is not part of a value', async (context) => {
    const directory = await temporaryFolder(context);
    await writeFile(join(directory, 'password'), '\ufeffpassword1\n');
    await writeFile(join(directory, '.env'), '\ufeffAUTH_PASSWORD_FILE=password\n');
    const { authPassword } = await readServiceSettings({
      env: { ...required, AUTH_PASSWORD: '' },
      directory,
    });
    assert.equal(authPassword.value, 'password1');
  });
});

test('.env enters the settings and not the environment of the process', async (context) => {
  await read(context, { files: { '.env': 'SHELFLIST_CONFIG_TEST=1' } });
  assert.equal(process.env.SHELFLIST_CONFIG_TEST, undefined);
});
