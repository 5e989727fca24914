import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Book } from '../../../src/catalogue/book.ts';
import { fieldNames } from '../../../src/catalogue/fields.ts';
import { titleOf, type Command } from '../../support/cli.ts';
import { startSession } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const emma = '1\tEmma\tJane Austen\t1815\n';

const session = await startSession({ after });
/** What a command says of its batch. */
const undo = 'to take this back: shelflist undo [0-9a-f]{20}\n';

describe('add, get, list, update and delete, one after the other', () => {
  const table: [commandLine: Command, code: number, stdout: string, stderr?: RegExp][] = [
    [['list'], 0, ''],
    [['list', '--json'], 0, '[]\n'],
    [['add', '--title', 'Emma', '--author', 'Jane Austen', '--year', '1815'], 0, emma],
    [['add', '-t', 'Gilgamesh', '-y=-1750'], 2, '', /^shelflist: invalid --year '=-1750': /],
    [['add', '-t', 'Gilgamesh', '--year=-1750'], 0, '2\tGilgamesh\t\t-1750\n'],
    [['add', '-t', 'Grandpré', '--json'], 0, '{"id":3,"title":"Grandpré","author":"","year":0}\n'],
    [`shelflist add -t $'A\\tB\\nC\\e[31m\\u009b' -a ''`, 0, '4\tA B C [31m \t\t0\n'],
    [['add'], 2, '', /^shelflist: name at least one of --title, --author and --year\n$/],
    [
      ['add', '-t', 'A', '-y', '1e3'],
      2,
      '',
      /expected a whole number from -\(2\^53-1\) to 2\^53-1, such as 1815/,
    ],
    [['get', '1'], 0, emma],
    [['get', '1', '--json'], 0, '{"id":1,"title":"Emma","author":"Jane Austen","year":1815}\n'],
    [['get', '2', '1'], 0, `2\tGilgamesh\t\t-1750\n${emma}`],
    ['shelflist get 1 2 --json | node -p "JSON.parse(fs.readFileSync(0)).length"', 0, '2\n'],
    [['get', '1', '99'], 3, '', /^shelflist: book 99 not found\n$/],
    [['get', '07'], 2, '', /expected a whole number from 1 to 2\^53-1/],
    [['update', '1', '--year', '1816'], 0, '1\tEmma\tJane Austen\t1816\n'],
    [['update', '1', '-t', '', '--json'], 0, '{"id":1,"title":"","author":"Jane Austen","year":1816}\n'],
    [['update', '1'], 2, '', /^shelflist: name at least one of/],
    [['update', '99', '-t', 'X'], 3, '', /^shelflist: book 99 not found\n$/],
    ['shelflist list | cut -f 1,4', 0, '1\t1816\n2\t-1750\n3\t0\n4\t0\n'],
    [['delete', '1'], 0, '', new RegExp(`^deleted book 1\n${undo}$`)],
    [['get', '1'], 3, '', /^shelflist: book 1 not found\n$/],
    [['delete', '2', '3'], 2, '', /^shelflist: deleting 2 books without a terminal needs --yes\n$/],
    [['delete', '99'], 3, '', /^shelflist: book 99 not found\n$/],
    [
      ['delete', '2', '98', '99', '--yes'],
      3,
      '',
      /^shelflist: book 98 or 99 not found; nothing was deleted\n$/,
    ],
    [['delete', '2', '3', '2', '--yes'], 0, '', new RegExp(`^deleted 2 books: 2\\.\\.3\n${undo}$`)],
    ['shelflist list | cut -f 1', 0, '4\n'],
    [['add', '-t', 'a new id'], 0, '5\ta new id\t\t0\n'],
  ];
  for (const [commandLine, code, stdout, stderr = /^$/] of table) {
    test(titleOf(commandLine), async () => {
      const outcome = await session.run(commandLine);
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.stdout, stdout);
      assert.equal(outcome.code, code);
    });
  }
});

const filled = await startSession({ after });
for (const fields of [
  ['-t', 'Emma', '-a', 'Jane Austen', '-y', '1815'],
  ['-t', 'long '.repeat(30), '-a', 'B', '--year=-1750'],
  ['-t', 'C', '-a', 'D'],
])
  await filled.run(['add', ...fields]);

describe('on a terminal', { skip: noTerminal }, () => {
  const type = (commandLine: string, ...answers: [prompt: string, typed: string][]) =>
    terminal(commandLine, { cwd: filled.folder, env: { SHELFLIST_URL: filled.service.url } }, answers);
  const titles = async () => {
    const { stdout } = await filled.run(['list', '--json']);
    return (JSON.parse(stdout) as Book[]).map((book) => book.title);
  };
  test('books are a table that fits', async () => {
    const { code, screen } = await type('NO_COLOR=1 shelflist list');
    const [head = '', first = '', second = '', third = ''] = screen.split('\n');
    assert.deepEqual(head.trim().split(/ +/), ['ID', ...fieldNames.map((name) => name.toUpperCase())]);
    assert.match(first, /^ *1 +Emma +Jane Austen +1815 *$/);
    assert.match(second, /^ *2 +(long )+.*… +B +-1750 *$/);
    assert.match(third, /^ *3 +C +D +0 *$/);
    for (const line of [head, first, second, third]) assert.ok(line.length <= 80, `${line.length}: ${line}`);
    assert.equal(code, 0);
  });

  test('a terminal that does not know its width counts as 80 wide', async () => {
    const { screen } = await type('stty cols 0; NO_COLOR=1 shelflist get 1');
    assert.match(screen, /\n *1 +Emma +Jane Austen +1815 *\n/);
  });

  test('--json writes JSON on a terminal too', async () => {
    const { screen } = await type('shelflist get 1 --json');
    assert.equal(screen, '{"id":1,"title":"Emma","author":"Jane Austen","year":1815}\n');
  });

  test('deleting several books asks for confirmation: no', async () => {
    const { code, screen } = await type('shelflist delete 1 2', ['Delete 2 books? [y/N]', 'n']);
    assert.match(screen, /shelflist: nothing was deleted/);
    assert.equal(code, 1);
    assert.equal((await titles()).length, 3);
  });

  for (const [key, typed, status] of [
    ['Ctrl-D', '\x04', 1],
    ['Ctrl-C', '\x03', 130],
  ] as const) {
    test(`deleting several books asks for confirmation: ${key}`, async () => {
      const { code, screen } = await type('shelflist delete 1 2', ['Delete 2 books? [y/N]', typed]);
      assert.match(screen, /\nshelflist: nothing was deleted\n$/);
      assert.equal(code, status);
      assert.equal((await titles()).length, 3);
    });
  }

  test('a missing book is reported before the confirmation', async () => {
    const { code, screen } = await type('shelflist delete 1 99');
    assert.equal(screen, 'shelflist: book 99 not found; nothing was deleted\n');
    assert.equal(code, 3);
  });

  test('deleting several books asks for confirmation: yes', async () => {
    const { code } = await type('shelflist delete 1 2', ['Delete 2 books? [y/N]', 'y']);
    assert.equal(code, 0);
    assert.deepEqual(await titles(), ['C']);
  });
});

test('a table of 1,000 books is one table', { skip: noTerminal }, async (context) => {
  const { folder: cwd, service, run } = await startSession(context);
  await run(['import', '-'], { input: `title\n${'A\n'.repeat(1000)}` });
  const { screen } = await terminal('shelflist list', {
    cwd,
    env: { SHELFLIST_URL: service.url, NO_COLOR: '1' },
  });
  const [head = '', ...lines] = screen.trimEnd().split('\n');
  assert.deepEqual(head.trim().split(/ +/), ['ID', ...fieldNames.map((name) => name.toUpperCase())]);
  assert.deepEqual(
    lines.map((line) => line.trim().split(/ +/)),
    Array.from({ length: 1000 }, (_, i) => [String(i + 1), 'A', '0']),
  );
});
