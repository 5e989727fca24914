import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { defaultServiceUrl } from '../../src/client/options.ts';
import {
  checkSetting,
  isServerSetting,
  rowOf,
  serverDefaults,
  serverSettingNames,
  settingNames,
  settings,
} from '../../src/config/settings.ts';

test('every default is a valid value', () => {
  for (const name of settingNames) {
    const { default: value, embeddedDefault = value, parser } = rowOf(name);
    for (const text of [value, embeddedDefault])
      if (text !== undefined) assert.ok(parser.isValid(parser.parse(text)), name);
  }
});

test('an embedder gets the defaults of serve, except that the page is off', () => {
  assert.equal(serverDefaults.page, false);
  assert.equal(serverDefaults.databaseUrl, 'file:./data');
  assert.equal(serverDefaults.historyMaxBytes, 256 * 1024 * 1024);
  assert.deepEqual(serverDefaults.corsOrigins, []);
  assert.ok(!('secretToken' in serverDefaults));
});

test('the documentation of ServerConfig has these defaults and limits', async () => {
  const source = await readFile(join(import.meta.dirname, '../../src/server/config.ts'), 'utf8');
  const sizeOf = (text: string) => (text.endsWith(' MiB') ? Number.parseInt(text) * 2 ** 20 : Number(text));
  const defaults = new Map<string, unknown>();
  for (const [, comment = '', name = ''] of source.matchAll(
    /^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+)\??:/gm,
  )) {
    if (!isServerSetting(name)) continue;
    const [, text] = /\bDefault:? (none|true|false|`[^`]+`|[0-9]+(?: MiB)?)[.;]/.exec(comment) ?? [];
    if (text !== undefined) defaults.set(name, /^[0-9]/.test(text) ? sizeOf(text) : text.replaceAll('`', ''));
    const [, max] = /\bat most ([0-9]+ MiB)/.exec(comment) ?? [];
    if (max === undefined) continue;
    assert.equal(checkSetting(name, sizeOf(max)), undefined);
    assert.notEqual(checkSetting(name, sizeOf(max) + 1), undefined);
  }
  const expected = Object.entries(serverDefaults).map(([name, value]) => {
    const isNone = value === '' || (Array.isArray(value) && value.length === 0);
    return [name, typeof value === 'number' ? value : isNone ? 'none' : String(value)] as const;
  });
  assert.deepEqual(Object.fromEntries(defaults), {
    ...Object.fromEntries(expected),
    secretTokenPrevious: 'none',
  });
});

test('a client without an address asks a service with default settings', () => {
  const { host, port } = settings;
  assert.equal(defaultServiceUrl, `http://${host.default}:${port.default}`);
});

test('a setting of serve alone is none of the server', () => {
  const names = ['host', 'port', 'socket', 'tlsCert', 'tlsKey', 'logLevel', 'logFormat', 'workers'];
  assert.deepEqual(settingNames.filter((name) => !isServerSetting(name)).sort(), names.sort());
  assert.equal(serverSettingNames.length, settingNames.length - names.length);
  assert.equal(isServerSetting('constructor'), false);
});

describe('a value of an embedder that is not valid', () => {
  const table = [
    { name: 'secretToken', value: '', expected: 'expected a string that is not empty' },
    { name: 'sessionHours', value: 1.5, expected: 'expected a whole number from 0 to 8784' },
    { name: 'metrics', value: 'true', expected: 'expected true or false' },
    { name: 'prefix', value: 'catalogue', expected: 'expected a path such as /catalogue' },
    {
      name: 'corsOrigins',
      value: 'https://books.example',
      expected: 'expected an array of origins such as https://books.example, or *',
    },
    {
      name: 'trustedProxies',
      value: ['proxy'],
      expected: 'expected an array of addresses and ranges such as 127.0.0.1 and 10.0.0.0/8, or unix',
    },
  ] as const;
  for (const { name, value, expected } of table) {
    test(`${name} ${JSON.stringify(value)}`, () => {
      assert.equal(checkSetting(name, value), expected);
      const { default: text = 'text', parser } = rowOf(name);
      assert.equal(checkSetting(name, parser.parse(text)), undefined);
    });
  }
});
