import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { run as runIn, titleOf, type Command } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temp.ts';

const service = await startService({ after });
const cwd = await temporaryFolder({ after });
const run = (command: Command) =>
  runIn(command, { cwd, env: { SHELFLIST_URL: service.url, SHELFLIST_TOKEN: service.token } });
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

await run(['add', '--title', 'long '.repeat(40), '--author', 'Anonymous']);
await run(['update', '1', '--year', '1700']);

describe('tables and help texts are as wide as they are told', () => {
  for (const [commandLine, width] of [
    ['COLUMNS=50 shelflist list --format table', 50],
    [['list', '--format', 'table', '--width', '60'], 60],
    ['COLUMNS=50 shelflist --width 70 list --format table', 70],
    ['COLUMNS=wide shelflist list --format table', 221],
  ] as const) {
    test(titleOf(commandLine), async () => {
      assert.equal(widest((await run(commandLine)).stdout), width);
    });
  }

  test('shelflist --width 66 --help', async () => {
    const [options = ''] = (await run(['--width', '66', '--help'])).stdout.split('\nTo start:');
    assert.ok(widest(options) <= 66, options);
  });

  test('shelflist list --width x: 2', async () => {
    const { code, stderr } = await run(['list', '--width', 'x']);
    assert.match(stderr, /^shelflist: invalid --width 'x': expected a whole number from 1 to 999999\n$/);
    assert.equal(code, 2);
  });
});

test('history and trash at 80 columns have readable titles and whole heads, and cut the batch', async () => {
  const id =
    /^\d+/.exec((await run(['add', '--title', 'The Life and Opinions of Tristram Shandy'])).stdout)?.[0] ??
    '';
  await run(['update', id, '--author', 'Laurence Sterne']);
  await run(['delete', id, '--yes']);
  for (const [command, head] of [
    [['history', id], /^VERSION {2}AT +CHANGE +TITLE +AUTHOR +YEAR +BATCH +ID$/],
    [['trash'], /^ID +TITLE +AUTHOR +YEAR +DELETED AT +BATCH$/],
  ] as const) {
    const { stdout } = await run([...command, '--format', 'table', '--width', '80']);
    const [first = '', row = ''] = stdout.split('\n');
    assert.match(first, head);
    assert.match(row, / The Life .*… .* [0-9a-f]{4,}…/);
    assert.ok(widest(stdout) <= 80, stdout);
  }
});

test('times are local in tables, and RFC 3339 in lines for programs', async () => {
  const { stdout: table } = await run(['history', '1', '--format', 'table']);
  assert.match(table, / \d{4}-\d\d-\d\d \d\d:\d\d:\d\d /);
  const { stdout: lines } = await run(['history', '1']);
  assert.match(lines, /\t\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\t/);
});
