import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findSettingWarnings, readServiceSettings } from '../../src/config/read-settings.ts';
import { temporaryFolder } from '../support/temp.ts';

const required = { SECRET_TOKEN: 'x'.repeat(32), AUTH_USERNAME: 'ada', AUTH_PASSWORD: 'long enough' };

describe('a variable that is one typing error away from a setting', () => {
  const table = [
    { name: 'METRCS', meant: 'METRICS' },
    { name: 'HISTORY_DAY', meant: 'HISTORY_DAYS' },
    { name: 'HISTROY_DAYS', meant: 'HISTORY_DAYS' },
    { name: 'PUBLIC-READ', meant: 'PUBLIC_READ' },
    { name: 'TLS_KEYFILE', meant: 'TLS_KEY_FILE' },
    { name: 'SHELFLIST_ULR', meant: 'SHELFLIST_URL' },
  ];
  for (const { name, meant } of table) {
    test(`${name} in the environment is meant to be ${meant}`, async (context) => {
      const sources = { env: { ...required, [name]: '1' }, directory: await temporaryFolder(context) };
      assert.deepEqual(await findSettingWarnings(undefined, sources), [
        { finding: `${name} (environment) is not a setting`, fix: `rename it to ${meant}` },
      ]);
    });

    test(`${name} in .env is meant to be ${meant}`, async (context) => {
      const directory = await temporaryFolder(context);
      await writeFile(join(directory, '.env'), `${name}=1\n`);
      assert.deepEqual(await findSettingWarnings(undefined, { env: {}, directory }), [
        { finding: `${name} (.env) is not a setting`, fix: `rename it to ${meant}` },
      ]);
    });
  }

  test('is named instead of the required setting that is missing', async (context) => {
    const env = { ...required, AUTH_PASSWORD: undefined, AUTH_PASWORD: 'a secret' };
    await assert.rejects(readServiceSettings({ env, directory: await temporaryFolder(context) }), {
      message: 'AUTH_PASSWORD is not set.\nRename AUTH_PASWORD (environment) to AUTH_PASSWORD.',
    });
  });
});

test('settings, variables of other programs, and empty ones are no typing errors', async (context) => {
  const env = {
    ...required,
    PAGE: 'true',
    PAGER: 'less',
    PORT_FILE: 'port',
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'box',
    LANG: 'C',
    METRCS: '',
    SHELFLIST_URL: 'http://books.example',
    COLUMNS: '80',
  };
  const sources = { env, directory: await temporaryFolder(context) };
  assert.deepEqual(await findSettingWarnings(undefined, sources), []);
});

test(
  'a .env that is a named pipe has no warnings, and is not waited for',
  { skip: process.platform === 'win32' },
  async (context) => {
    const directory = await temporaryFolder(context);
    execFileSync('mkfifo', [join(directory, '.env')]);
    assert.deepEqual(await findSettingWarnings(undefined, { env: {}, directory }), []);
  },
);

describe('a value in .env that is not read as it is meant', () => {
  const single = "write it in single quotes: AUTH_PASSWORD='…'";
  const plain = "write plain quotes on both sides: AUTH_PASSWORD='…'";
  const table: [line: string | Buffer, finding: RegExp | undefined, fix?: string][] = [
    [
      '"C:\\new\\road"',
      /^\\n and \\r in double quotes are line breaks in the value of AUTH_PASSWORD in \.env$/,
      single,
    ],
    ['"say \\"hi\\" now"', /^a backslash before a quote is part of the value of AUTH_PASSWORD in \.env$/],
    ["'it\\'s mine'", /^a backslash before a quote is part/, 'write it in other quotes: AUTH_PASSWORD="…"'],
    ['“password1”', /^typographic quotes are part of the value of AUTH_PASSWORD in \.env$/, plain],
    ['«password1»', /^typographic quotes/],
    ['"password1', /^a quote is part of the value/, plain],
    ["'password'1", /^a quote is part of the value/],
    ['"password1\nHOST=::1\nPREFIX="', /^the value of AUTH_PASSWORD has several lines in \.env$/],
    [
      Buffer.from('caf\xe9-word', 'latin1'),
      /^the value of \.env AUTH_PASSWORD has characters that are not UTF-8$/,
    ],
    ['café-word', undefined],
    ['"C:\\docs" # a comment', undefined],
    ['\'C:\\new "road"\'', undefined],
    ["pass'word1", undefined],
  ];
  for (const [line, finding, fix] of table)
    test(JSON.stringify(line.toString()), async (context) => {
      const directory = await temporaryFolder(context);
      const text = Buffer.concat(['AUTH_PASSWORD=', line, '\n'].map((part) => Buffer.from(part)));
      await writeFile(join(directory, '.env'), text);
      const sources = { env: { ...required, AUTH_PASSWORD: '' }, directory };
      const warnings = await findSettingWarnings(await readServiceSettings(sources), sources);
      if (finding === undefined) assert.deepEqual(warnings, []);
      else assert.match(warnings.map((warning) => warning.finding).join('\n'), finding);
      if (fix !== undefined) assert.equal(warnings[0]?.fix, fix);
    });

  test('a certificate may have line breaks, and variables of other programs are not examined', async (context) => {
    const directory = await temporaryFolder(context);
    await writeFile(join(directory, '.env'), 'TLS_CERT="-----BEGIN CERTIFICATE-----\\nx"\nOTHER="C:\\new"\n');
    const sources = { env: required, directory };
    assert.deepEqual(await findSettingWarnings(await readServiceSettings(sources), sources), []);
  });
});

test('lines of .env that are not NAME=value are found, and never repeated', async (context) => {
  const directory = await temporaryFolder(context);
  const text =
    '# a comment\nHOST=::1\n\nAUTH_PASSWORD secret\r\n  # another\nPREFIX="a\nb # c\nd"\nexport PORT=1\nSECRET_TOKEN\n';
  await writeFile(join(directory, '.env'), text);
  const fix = 'correct it, or begin it with #';
  assert.deepEqual(
    await findSettingWarnings(undefined, { env: {}, directory }),
    [4, 10].map((line) => ({ finding: `line ${line} of .env is ignored: it is not NAME=value`, fix })),
  );
});

test('a password that other machines may guess has at least 10 characters', async (context) => {
  const directory = await temporaryFolder(context);
  for (const [password, count] of [
    ['123456789', 1],
    ['1234567890', 0],
    ['📚'.repeat(9), 1],
  ] as const) {
    const sources = { env: { ...required, AUTH_PASSWORD: password, HOST: '0.0.0.0' }, directory };
    const warnings = await findSettingWarnings(await readServiceSettings(sources), sources);
    assert.equal(warnings.filter(({ finding }) => finding.includes('fewer than 10')).length, count, password);
  }
});
