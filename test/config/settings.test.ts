import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  checkSetting,
  isServerSetting,
  rowOf,
  serverDefaults,
  serverSettingNames,
  settingNames,
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

test('a setting of serve alone is none of the server', () => {
  const names = ['host', 'port', 'tlsCert', 'tlsKey', 'logLevel', 'logFormat', 'workers'];
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
      expected: 'expected an array of addresses and ranges such as 127.0.0.1 and 10.0.0.0/8',
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
