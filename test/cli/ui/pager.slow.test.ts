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

  for (const [what, commandLine, rows, env] of [
    ['that fits', 'shelflist help formats', lines + 1, { PAGER: 'wc -c' }],
    ['with --no-pager', 'shelflist help formats --no-pager', 10, { PAGER: 'wc -c' }],
    ['with --no-pager before the command', 'shelflist --no-pager help formats', 10, {}],
    ['with PAGER=cat', 'shelflist help formats', 10, { PAGER: 'cat' }],
    ['without a program of that name', 'shelflist help formats', 10, { PAGER: 'no-such-pager' }],
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
