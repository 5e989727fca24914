import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { shelflist } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const cwd = await temporaryFolder({ after });
const { stdout: text } = await shelflist(['help', 'formats'], { cwd });
const lines = text.split('\n').length;

/** Runs a command on a terminal with this many rows. */
const type = (commandLine: string, rows: number, env = {}, answers: [string, string][] = []) =>
  terminal(`stty rows ${rows}; ${commandLine}`, { cwd, env }, answers);

describe('on a terminal', { skip: noTerminal }, () => {
  test('text that is longer than the screen goes to PAGER', async () => {
    const { code, screen } = await type('shelflist help formats', 10, {
      PAGER: 'cat > paged; echo "[$LESS]"',
    });
    assert.equal(await readFile(join(cwd, 'paged'), 'utf8'), text);
    assert.deepEqual([code, screen], [0, '[FRX]\n']);
  });

  for (const { what, commandLine, rows, env } of [
    { what: 'that fits', commandLine: 'shelflist help formats', rows: lines + 1, env: { PAGER: 'wc -c' } },
    {
      what: 'with --no-pager',
      commandLine: 'shelflist help formats --no-pager',
      rows: 10,
      env: { PAGER: 'wc -c' },
    },
    {
      what: 'with --no-pager before the command',
      commandLine: 'shelflist --no-pager help formats',
      rows: 10,
      env: {},
    },
    { what: 'with PAGER=cat', commandLine: 'shelflist help formats', rows: 10, env: { PAGER: 'cat' } },
    {
      what: 'without a program of that name',
      commandLine: 'shelflist help formats',
      rows: 10,
      env: { PAGER: 'no-such-pager' },
    },
  ] as const) {
    test(`text ${what} is written at once`, async () => {
      assert.deepEqual(await type(commandLine, rows, env), { code: 0, screen: text });
    });
  }

  test('so does JSON, which is one line that the terminal breaks', async () => {
    const { screen } = await type('shelflist config show --json', 5, { PAGER: 'wc -l' });
    assert.equal(screen.trim(), '1');
  });

  test('less shows the rest, and leaving it early is not an error', async () => {
    const { code, screen } = await type('shelflist help formats', 10, {}, [[':', 'q']]);
    assert.ok(screen.includes('Formats of results'), screen);
    assert.ok(!screen.includes('"error"'), screen);
    assert.equal(code, 0);
  });
});
