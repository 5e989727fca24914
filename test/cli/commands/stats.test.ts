import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { bookOf } from '../../support/books.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });
const books = [
  bookOf({ title: 'Emma', author: 'Jane Austen', year: 1815 }),
  bookOf({ title: 'Persuasion', author: 'Jane Austen', year: 1817 }),
  bookOf({ title: 'Gilgamesh', author: '', year: -1750 }),
  bookOf({ title: 'Jane Eyre', author: 'Charlotte\tBrontë', year: 1847 }),
  bookOf({ title: 'Draft', author: '曹雪芹', year: 0 }),
];
await session.run(['import', '-'], { input: JSON.stringify(books) });

describe('stats in a pipe', () => {
  const table: [options: string[], lines: string[]][] = [
    [
      [],
      [
        'books\t\t5',
        'first year\t\t-1750',
        'last year\t\t1847',
        'without year\t\t1',
        'decade\t-1750\t1',
        'decade\t1810\t2',
        'decade\t1840\t1',
        'author\tJane Austen\t2',
        'author\tCharlotte Brontë\t1',
        'author\t曹雪芹\t1',
      ],
    ],
    [
      ['--in-author', 'jan', '--year-to', '1816'],
      [
        'books\t\t1',
        'first year\t\t1815',
        'last year\t\t1815',
        'without year\t\t0',
        'decade\t1810\t1',
        'author\tJane Austen\t1',
      ],
    ],
    [['nobody'], ['books\t\t0', 'without year\t\t0']],
  ];
  for (const [options, lines] of table) {
    test(`stats ${options.join(' ')}`, async () => {
      const stdout = lines.map((line) => `${line}\n`).join('');
      assert.deepEqual(await session.run(['stats', ...options]), { code: 0, stdout, stderr: '' });
    });
  }

  for (const option of [['--json'], ['--format', 'json'], ['--format', 'ndjson']])
    test(`stats ${option.join(' ')} writes the data of the service`, async () => {
      const { stdout } = await session.run(['stats', 'emma', ...option]);
      assert.equal(
        stdout,
        '{"count":1,"years":{"first":1815,"last":1815,"without":0},"decades":[{"from":1810,"count":1}],' +
          '"authors":[{"author":"Jane Austen","count":1}],"estimated":false}\n',
      );
    });

  test('stats --format csv and table have the same rows', async () => {
    const rows = [
      ['books', '', '1'],
      ['first year', '', '1815'],
      ['last year', '', '1815'],
      ['without year', '', '0'],
      ['decade', '1810', '1'],
      ['author', 'Jane Austen', '1'],
    ];
    const csv = await session.run(['stats', 'emma', '--format', 'csv']);
    assert.equal(csv.stdout, `kind,value,number\n${rows.map((row) => `${row.join()}\n`).join('')}`);
    const table = await session.run(['stats', 'emma', '--format', 'table']);
    assert.match(table.stdout, /^KIND +VALUE +NUMBER\nbooks +1\n[^]+\nauthor +Jane Austen +1\n$/);
  });

  test('an argument without a word is a usage error', async () => {
    for (const [options, advice] of [
      [['!!'], 'leave it out to list every book'],
      [['--in-title', '!!'], 'leave --in-title out'],
    ] as const) {
      const { code, stderr } = await session.run(['stats', ...options]);
      assert.equal(stderr, `shelflist: "!!" has nothing to search for; ${advice}\n`);
      assert.equal(code, 2);
    }
  });
});

describe('stats of a service that estimates', () => {
  const estimate = {
    count: 1_234_567,
    years: { first: 1813, last: 2018, without: 5432 },
    decades: [{ from: 1810, count: 98_765 }],
    authors: [{ author: 'Jane Austen', count: 12_345 }],
    estimated: true,
  };
  const serve = (t: TestContext) =>
    startStranger(t, (_, response) => {
      response.end(JSON.stringify({ status: 200, message: 'x', data: estimate }));
    });

  test('says so on standard error in a pipe, where the numbers stay whole', async (t) => {
    const { url } = await serve(t);
    const env = { SHELFLIST_URL: url, SHELFLIST_TOKEN: 'x' };
    const { stdout, stderr } = await session.run(['stats'], { env });
    assert.match(stdout, /^books\t\t1234567\n[^]*decade\t1810\t98765\nauthor\tJane Austen\t12345\n$/);
    assert.equal(stderr, 'shelflist: all numbers but those of authors are estimates\n');
    const json = await session.run(['stats', '--json'], { env });
    assert.deepEqual([JSON.parse(json.stdout), json.stderr], [estimate, '']);
  });

  test('writes "about" and rounded numbers on a terminal', { skip: noTerminal }, async (t) => {
    const { url } = await serve(t);
    const env = { SHELFLIST_URL: url, SHELFLIST_TOKEN: 'x', NO_COLOR: '1' };
    const { screen } = await terminal('shelflist stats', { cwd: session.folder, env });
    assert.match(
      screen,
      /^about 1230000 books, 1813 to 2018, about 5430 without a year\n\n1810s {2}98800 {2}█/,
    );
    assert.match(screen, /^Jane Austen {2}12345 {2}█/m);
  });
});

describe('stats on a terminal', { skip: noTerminal }, () => {
  const type = async (commandLine: string) =>
    (
      await terminal(commandLine, {
        cwd: session.folder,
        env: { SHELFLIST_URL: session.service.url, NO_COLOR: '1' },
      })
    ).screen;

  test('draws bars', async () => {
    const full = '█'.repeat(40);
    const half = '█'.repeat(20);
    assert.equal(
      await type('shelflist stats'),
      [
        '5 books, -1750 to 1847, 1 without a year',
        '',
        `-1750s  1  ${half}`,
        `1810s   2  ${full}`,
        `1840s   1  ${half}`,
        '',
        `Jane Austen       2  ${full}`,
        `Charlotte Brontë  1  ${half}`,
        `曹雪芹            1  ${half}`,
        '',
      ].join('\n'),
    );
  });

  test('fits a narrow terminal', async () => {
    const screen = await type('stty cols 24; shelflist stats');
    for (const line of screen.split('\n').slice(2)) assert.ok(line.length <= 24, line);
    assert.match(screen, /^Charlott… {2}1 {2}█+$/m);
  });

  test('of no book has no bars', async () => {
    assert.equal(await type('shelflist stats nobody'), '0 books\n');
  });
});
