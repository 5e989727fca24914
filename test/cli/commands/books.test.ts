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
  const table: { commandLine: Command; code: number; stdout: string; stderr?: RegExp }[] = [
    { commandLine: ['list'], code: 0, stdout: '' },
    { commandLine: ['list', '--json'], code: 0, stdout: '[]\n' },
    {
      commandLine: ['add', '--title', 'Emma', '--author', 'Jane Austen', '--year', '1815'],
      code: 0,
      stdout: emma,
    },
    {
      commandLine: ['add', '-t', 'Gilgamesh', '-y=-1750'],
      code: 2,
      stdout: '',
      stderr: /^shelflist: invalid --year '=-1750': /,
    },
    { commandLine: ['add', '-t', 'Gilgamesh', '--year=-1750'], code: 0, stdout: '2\tGilgamesh\t\t-1750\n' },
    {
      commandLine: ['add', '-t', 'Grandpré', '--json'],
      code: 0,
      stdout: '{"id":3,"title":"Grandpré","author":"","year":0}\n',
    },
    {
      commandLine: `shelflist add -t $'A\\tB\\nC\\e[31m\\u009b' -a ''`,
      code: 0,
      stdout: '4\tA B C [31m \t\t0\n',
    },
    {
      commandLine: ['add'],
      code: 2,
      stdout: '',
      stderr: /^shelflist: name at least one of --title, --author and --year\n$/,
    },
    {
      commandLine: ['add', '-t', 'A', '-y', '1e3'],
      code: 2,
      stdout: '',
      stderr: /expected a whole number from -\(2\^53-1\) to 2\^53-1, such as 1815/,
    },
    { commandLine: ['get', '1'], code: 0, stdout: emma },
    {
      commandLine: ['get', '1', '--json'],
      code: 0,
      stdout: '[{"id":1,"title":"Emma","author":"Jane Austen","year":1815}]\n',
    },
    { commandLine: ['get', '2', '1'], code: 0, stdout: `2\tGilgamesh\t\t-1750\n${emma}` },
    {
      commandLine: 'shelflist get 1 2 --json | node -p "JSON.parse(fs.readFileSync(0)).length"',
      code: 0,
      stdout: '2\n',
    },
    { commandLine: ['get', '1', '99'], code: 3, stdout: '', stderr: /^shelflist: book 99 not found\n$/ },
    { commandLine: ['get', '07'], code: 2, stdout: '', stderr: /expected an id from 1 to 2\^53-1/ },
    { commandLine: ['update', '1', '--year', '1816'], code: 0, stdout: '1\tEmma\tJane Austen\t1816\n' },
    {
      commandLine: ['update', '1', '-t', '', '--json'],
      code: 0,
      stdout: '[{"id":1,"title":"","author":"Jane Austen","year":1816}]\n',
    },
    { commandLine: ['update', '1'], code: 2, stdout: '', stderr: /^shelflist: name at least one of/ },
    {
      commandLine: ['update', '99', '-t', 'X'],
      code: 3,
      stdout: '',
      stderr: /^shelflist: book 99 not found\n$/,
    },
    { commandLine: 'shelflist list | cut -f 1,4', code: 0, stdout: '1\t1816\n2\t-1750\n3\t0\n4\t0\n' },
    { commandLine: ['delete', '1'], code: 0, stdout: '', stderr: new RegExp(`^deleted book 1\n${undo}$`) },
    { commandLine: ['get', '1'], code: 3, stdout: '', stderr: /^shelflist: book 1 not found\n$/ },
    {
      commandLine: ['delete', '2', '3'],
      code: 2,
      stdout: '',
      stderr: /^shelflist: deleting 2 books without a terminal needs --yes\n$/,
    },
    { commandLine: ['delete', '99'], code: 3, stdout: '', stderr: /^shelflist: book 99 not found\n$/ },
    {
      commandLine: ['delete', '2', '98', '99', '--yes'],
      code: 3,
      stdout: '',
      stderr: /^shelflist: book 98 or 99 not found; nothing was deleted\n$/,
    },
    {
      commandLine: ['delete', '2', '3', '2', '--yes'],
      code: 0,
      stdout: '',
      stderr: new RegExp(`^deleted 2 books: 2\\.\\.3\n${undo}$`),
    },
    { commandLine: 'shelflist list | cut -f 1', code: 0, stdout: '4\n' },
    { commandLine: ['add', '-t', 'a new id'], code: 0, stdout: '5\ta new id\t\t0\n' },
  ];
  for (const { commandLine, code, stdout, stderr = /^$/ } of table) {
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

test('change and delete refuse words that begin no word: list shows the books whose words contain them', async () => {
  const listed = await filled.run(['list', 'mma']);
  assert.deepEqual([listed.code, listed.stdout], [0, emma]);
  for (const command of [
    ['change', 'mma', '--to-year', '1', '--yes'],
    ['delete', '--words', 'mma', '--yes'],
  ]) {
    const { code, stderr } = await filled.run(command);
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /^shelflist: at least one of these words begins no word of any book; write whole words, as `shelflist list` shows them\n$/,
    );
  }
  assert.equal((await filled.run(['list', '--count'])).stdout, '3\n');
});

describe('on a terminal', { skip: noTerminal }, () => {
  const type = (
    commandLine: string,
    ...answers: [prompt: string, typed: string | (() => Promise<string>)][]
  ) => terminal(commandLine, { cwd: filled.folder, env: { SHELFLIST_URL: filled.service.url } }, answers);
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
    assert.equal(screen, '[{"id":1,"title":"Emma","author":"Jane Austen","year":1815}]\n');
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

  test('a book that changes after it was shown is not deleted', async () => {
    for (const [selection, question] of [
      ['1 3', 'Delete 2 books?'],
      ['--in-author d', 'Delete 1 book?'],
    ] as const) {
      const change = async () => {
        await filled.run(['update', '3', '--year', '1999']);
        return 'y';
      };
      const { code, screen } = await type(`shelflist delete ${selection}`, [question, change]);
      assert.match(screen, /\nskipped 1 book: 3\n/);
      assert.match(screen, /\nshelflist: skipped 1 book changed or deleted meanwhile\n$/);
      assert.equal(code, 1);
      await filled.run(['revert', '1']);
      await filled.run(['revert', '3']);
      assert.equal((await titles()).length, 3);
    }
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
