import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Book } from '../../src/catalogue/book.ts';
import { booksOfQuery } from '../../src/cli/selection.ts';
import type { Client } from '../../src/client/client.ts';
import { startSession } from '../support/session.ts';

const { run } = await startSession({ after });
const books = [
  ['Emma', 'Jane Austen', 1815],
  ['Emma', 'Jane Austen', 1816],
  ['Nineteen Eighty-Four', 'George Orwell', 1949],
  ['1984', 'George Orwell', 1949],
  ['1984', 'Orwell', 0],
  ['Persuasion', 'Jane Austen', 1817],
  ['Persuasion', 'Jane Austen', 1818],
];
await run(['import', '-', '--format', 'json'], {
  input: JSON.stringify(books.map(([title, author, year]) => ({ title, author, year }))),
});
await run(['update', '3-7', '--year', '1', '--yes']);

const idsOf = (json: string) => (JSON.parse(json) as Book[]).map(({ id }) => id).sort((a, b) => a - b);
const countBooks = async () => (await run(['list', '--count'])).stdout;

describe('a selection means the same in each command', () => {
  const commands: [command: string, options: string[]][] = [
    ['list', []],
    ['export -', []],
    ['change', ['--to-author', 'Nobody', '--dry-run']],
    ['delete', ['--dry-run']],
    ['update', ['--author', 'Nobody', '--dry-run']],
    ['revert', ['--dry-run']],
  ];
  const selections: [selection: string[], ids: number[], input?: string][] = [
    [['7'], [7]],
    [['3-5'], [3, 4, 5]],
    [
      ['3..5', '7'],
      [3, 4, 5, 7],
    ],
    [['7,3-4'], [3, 4, 7]],
    [['5-9007199254740991'], [5, 6, 7]],
    [['-'], [3, 6, 7], '3\n6-7\n'],
    [['-'], [], ''],
    [['persuasion'], [6, 7]],
    [['orwell', 'eighty'], [3]],
    [
      ['--words', '1984'],
      [4, 5],
    ],
    [
      ['--in-author', 'george'],
      [3, 4],
    ],
    [
      ['--in-title', 'persuasion', '--year-from', '1', '--year-to', '1'],
      [6, 7],
    ],
    [
      ['orwell', '--year-to', '1'],
      [3, 4, 5],
    ],
  ];
  for (const [command, options] of commands)
    for (const [selection, ids, input = ''] of selections)
      test(`${command} ${selection.join(' ')}: ${ids.join(' ')}`, async () => {
        const line = [
          ...command.split(' '),
          ...selection,
          ...options,
          ...(command === 'export -' ? ['--with-ids'] : []),
        ];
        const { code, stdout, stderr } = await run([...line, '--json'], { input });
        assert.deepEqual([code, stderr, idsOf(stdout)], [0, '', ids]);
      });
});

describe('a selection of the trash, and of groups of duplicates', () => {
  test('takes ids, words and filters', async () => {
    const { stderr } = await run(['delete', '1', '4', '5', '--yes']);
    for (const [selection, ids] of [
      [['1'], [1]],
      [['4-9'], [4, 5]],
      [['orwell'], [4, 5]],
      [['--author', 'jane austen'], [1]],
      [['--words', '1984', '--in-author', 'geo'], [4]],
      [[], [1, 4, 5]],
    ] as const)
      assert.deepEqual(
        idsOf((await run(['trash', ...selection, '--json'])).stdout),
        ids,
        selection.join(' '),
      );
    assert.equal((await run(['trash', 'nobody'])).stderr, 'no deleted book matches\n');
    await run(['undo', /undo (\S+)\n/.exec(stderr)?.[1] ?? '', '--yes']);
    assert.equal(await countBooks(), '7\n');
  });

  test('shows the groups that have one of the books', async () => {
    for (const [selection, groups] of [
      [
        [],
        [
          [1, 2],
          [6, 7],
        ],
      ],
      [['2'], [[1, 2]]],
      [['persuasion'], [[6, 7]]],
      [['3-5'], []],
    ] as const) {
      const { stdout } = await run(['duplicates', '--level', 'year', ...selection, '--json', 'id']);
      const found = (JSON.parse(stdout) as { id: number }[][]).map((group) => group.map(({ id }) => id));
      assert.deepEqual(found, groups, selection.join(' '));
    }
  });
});

describe('a command that writes takes nothing for a selection that is not one', () => {
  const table: [selection: string[], stderr: RegExp, code?: number, input?: string][] = [
    [[], /^shelflist: name ids, or words and filters that select books/],
    [[''], /has nothing to search for/],
    [['!'], /has nothing to search for/],
    [['--words', ''], /has nothing to search for/],
    [
      ['7', 'emma'],
      /^shelflist: name ids, or words, but not both: "7 emma"; for words with digits, use --words\n$/,
    ],
    [['emma', '-'], /^shelflist: name ids, or words, but not both/],
    [['7x'], /^shelflist: name ids, or words, but not both/],
    [['--', '-5'], /^shelflist: name ids, or words, but not both/],
    [['7', '--words', 'emma'], /^shelflist: name ids, or words and filters, but not both\n$/],
    [['0'], /^shelflist: invalid id '0': expected an id from 1/],
    [['1..x'], /^shelflist: invalid id '1\.\.x': expected an id from 1/],
    [['7-3'], /^shelflist: invalid id '7-3': the range is reversed; did you mean 3-7\?\n$/],
    [['-'], /^shelflist: invalid "null" on standard input: expected an id/, 2, '1\nnull\n'],
    [['-'], /^(?:deleted|changed|reverted) 0 books\n$/, 0, ' \n'],
    [['97-99'], /^(?:deleted|changed|reverted) 0 books\n$/, 0],
    [['1', '99'], /^shelflist: book 99 not found/, 3],
    [['mma'], /^shelflist: at least one of these words begins no word of any book/],
  ];
  for (const [command, ...options] of [
    ['delete'],
    ['change', '--to-year', '2'],
    ['update', '--year', '2'],
    ['revert'],
  ] as const)
    for (const [selection, stderr, code = 2, input = ''] of table)
      test(`${command} ${selection.join(' ')}: ${code}`, async () => {
        const before = (await run(['list'])).stdout;
        const line = [command, ...options, '--yes', ...selection];
        const outcome = await run(line, { input });
        assert.match(outcome.stderr, stderr);
        assert.deepEqual([outcome.code, outcome.stdout, (await run(['list'])).stdout], [code, '', before]);
      });
});

test('an id with spaces before it is no word', async () => {
  const { stdout } = await run(['delete', ' 6', '--dry-run', '--json']);
  assert.deepEqual(idsOf(stdout), [6]);
  for (const strange of ['#6', '+6', ',6', '\uff16']) {
    const { code, stderr } = await run(['delete', strange, '--dry-run']);
    assert.deepEqual(
      [code, stderr.startsWith('shelflist: name ids, or words, but not both')],
      [2, true],
      strange,
    );
  }
});

test('--words more than once selects the books with all of them', async () => {
  const { stdout } = await run(['delete', '--words', 'persuasion', '--words', '1817', '--dry-run', '--json']);
  assert.ok(idsOf(stdout).length <= 1);
});

test('a word after --json of a command that writes selects books', async () => {
  const { stdout } = await run(['delete', '--json', 'author', '--title', 'Emma', '--dry-run']);
  assert.deepEqual(idsOf(stdout), []);
});

test('revert of a selection is one batch, and brings back deleted books', async () => {
  await run(['delete', '6-7', '--yes']);
  const before = (await run(['list', '3-5'])).stdout;
  const { code, stdout, stderr } = await run(['revert', '3', '6-7', '--yes', '--json', 'id,year']);
  assert.deepEqual([code, stdout], [0, '[{"id":3,"year":1949},{"id":6,"year":1},{"id":7,"year":1}]\n']);
  assert.match(stderr, /^reverted 3 books\nto take this back: shelflist undo \w+\n$/);
  await run(['undo', '--last', '--yes']);
  assert.equal((await run(['list', '3-5'])).stdout, before);
  await run(['revert', '6-7', '--yes']);
  assert.equal(await countBooks(), '7\n');
});

test('update of several books shows them, and is one batch', async () => {
  const before = (await run(['list'])).stdout;
  const { code, stdout, stderr } = await run(['update', '1', '3', '--year', '1', '--yes']);
  assert.deepEqual(
    [code, stdout],
    [0, '1\tEmma\tJane Austen\t1\n3\tNineteen Eighty-Four\tGeorge Orwell\t1\n'],
  );
  assert.match(stderr, /^changed 1 book\nto take this back: /);
  await run(['undo', '--last', '--yes']);
  assert.equal((await run(['list'])).stdout, before);
});

describe('--json with fields', () => {
  const table: [line: string[], stdout: string][] = [
    [['list', '1', '--json', 'id,title'], '[{"id":1,"title":"Emma"}]\n'],
    [['list', '--json', 'year', 'persuasion'], '[{"year":1},{"year":1}]\n'],
    [['list', '1', '--json=title,id'], '[{"title":"Emma","id":1}]\n'],
    [['list', '--json', 'orwell', 'eighty', '--count'], '{"count":1}\n'],
    [['get', '--json', '1'], '[{"id":1,"title":"Emma","author":"Jane Austen","year":1815}]\n'],
    [['get', '1', '3-4', '--json', 'id'], '[{"id":1},{"id":3},{"id":4}]\n'],
    [['authors', '--json=author', '--limit', '1'], '[{"author":"George Orwell"}]\n'],
    [['stats', 'emma', '--json', 'count'], '{"count":2}\n'],
  ];
  for (const [line, stdout] of table)
    test(line.join(' '), async () => {
      const outcome = await run(line);
      const isPart = line.includes('--limit');
      assert.deepEqual([outcome.code, outcome.stdout], [0, stdout]);
      assert.match(outcome.stderr, isPart ? /^to go on, .*\n$/ : /^$/);
    });

  test('--json as the value of an option stays its value', async () => {
    const { stdout } = await run(['add', '-t', '--json', '-a', 'id,title', '--dry-run', '--format', 'csv']);
    assert.equal(stdout, 'id,title,author,year\n,--json,"id,title",0\n');
  });

  test('an unknown field is an error, and no word', async () => {
    for (const fields of ['id,titel', 'emma,austen']) {
      const { code, stderr } = await run(['list', '--json', fields]);
      assert.match(stderr, /no field is named \\"(titel|emma)\\"; expected some of id,title,author,year/);
      assert.equal(code, 2);
    }
  });
});

test('books to change are refused if words begin no word from the second page on', async () => {
  const book = { id: 1, title: 'Ant', author: '', year: 1 };
  const page: Client['page'] = ({ after, sort } = {}) => {
    assert.equal(sort, 'id');
    return Promise.resolve(
      after === undefined
        ? { items: [book], next: 'second', total: undefined }
        : { items: [{ ...book, id: 2, title: 'Giant' }], next: undefined, total: undefined, match: 'parts' },
    );
  };
  const books = booksOfQuery({ page }, { q: 'ant' });
  assert.deepEqual((await books.next()).value, book);
  await assert.rejects(books.next(), {
    code: 'usage',
    message:
      /^at least one of these words begins no word of any book; write whole words, as `shelflist list` shows them$/,
  });
});

test('an import reads what list writes, if it names its columns, and says how', async () => {
  const { stdout: tsv } = await run(['list', '1', '--format', 'tsv']);
  assert.equal(tsv, 'id\ttitle\tauthor\tyear\n1\tEmma\tJane Austen\t1815\n');
  assert.match((await run(['import', '-', '--dry-run'], { input: tsv })).stderr, /\nwould add 1 book, /);
  const { stdout: lines } = await run(['list', '1']);
  const { code, stderr } = await run(['import', '-', '--dry-run'], { input: lines });
  assert.match(stderr, /; name it with --map title=COLUMN\. The lines of `shelflist list` have no names/);
  assert.equal(code, 2);
});
