import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { describeSettings, formatDotenv, formatExample } from '../../src/config/describe-settings.ts';
import { rowOf, settingNames } from '../../src/config/settings.ts';

const variables = settingNames.map((name) => rowOf(name).variable);

test('.env.example is generated from the table (UPDATE_SNAPSHOTS=1 writes it)', async () => {
  const file = join(import.meta.dirname, '../../.env.example');
  if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(file, formatExample());
  assert.equal(await readFile(file, 'utf8'), formatExample());
});

test('.env.example has each setting once: active with its default, or commented out', () => {
  const named = [...formatExample().matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, variable]) => variable);
  assert.deepEqual(named, [...variables, 'SHELFLIST_URL']);
  for (const [variable, value] of Object.entries(parse(formatExample()))) {
    const name = settingNames.find((each) => rowOf(each).variable === variable);
    assert.equal(value, (name && rowOf(name).default) ?? '');
  }
});

test('a shell can read each example of .env.example', () => {
  const active = formatExample().replace(/^# (?=[A-Z_]+=)/gm, '');
  const shown = execFileSync('sh', ['-c', `${active}printf %s "$SORT_ARTICLES"`], { encoding: 'utf8' });
  assert.equal(shown, parse(active).SORT_ARTICLES);
});

describe('a .env', () => {
  test('sets what is given, in the order of the table', () => {
    const text = formatDotenv({ port: '8080', secretToken: 'abc' });
    assert.deepEqual(Object.entries(parse(text)), [
      ['SECRET_TOKEN', 'abc'],
      ['PORT', '8080'],
    ]);
    assert.match(text, /^# The secret .+\nSECRET_TOKEN=abc\n\n# The port .+\nPORT=8080\n$/);
  });

  for (const value of ['Ada Lovelace', '#"$HOME\\n`', 'Žofie 書']) {
    test(`keeps ${JSON.stringify(value)}`, () => {
      assert.equal(parse(formatDotenv({ authUsername: value })).AUTH_USERNAME, value);
    });
  }
});

test('the help has each setting once, in lines that fit a terminal', () => {
  const lines = describeSettings().trimEnd().split('\n');
  assert.deepEqual(
    lines.flatMap((line) => /^ {2}([A-Z_]+) /.exec(line)?.[1] ?? []),
    variables,
  );
  for (const line of lines) assert.ok(line.length <= 80, line);
});
