import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import stringWidth from 'string-width';
import type { Book } from '../../../src/catalogue/book.ts';
import { fieldNames, fields, mapFields } from '../../../src/catalogue/fields.ts';
import { storedBook } from '../../support/books.ts';
import { program, shelflist, shell } from '../../support/cli.ts';
import { startSession } from '../../support/session.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });
const { folder, service } = session;
const books = [
  storedBook(1, { title: 'Vol. 10', author: 'Żeromski', year: 1905 }),
  storedBook(2, { title: 'vol. 9', author: 'Austen', year: -1750 }),
  storedBook(3, { title: 'A, "B"\nC\r\tD', author: "O'Hara\u001b[31m", year: 0 }),
  storedBook(4, { title: '紅樓夢 🪿', author: 'austen', year: 1905 }),
];
// One after the other: the ids are to be those above.
for (const book of books) await session.run(['import', '-'], { input: JSON.stringify([book]) });

const json = `${JSON.stringify(books)}\n`;
const ndjson = books.map((book) => `${JSON.stringify(book)}\n`).join('');

describe('list writes every format', () => {
  const table: [options: string[], stdout: string][] = [
    [
      [],
      '1\tVol. 10\tŻeromski\t1905\n2\tvol. 9\tAusten\t-1750\n3\tA, "B" C D\tO\'Hara [31m\t0\n4\t紅樓夢 🪿\tausten\t1905\n',
    ],
    [
      ['--format', 'table'],
      [
        'ID  TITLE       AUTHOR        YEAR',
        ' 1  Vol. 10     Żeromski      1905',
        ' 2  vol. 9      Austen       -1750',
        ' 3  A, "B" C D  O\'Hara [31m      0',
        ' 4  紅樓夢 🪿   austen        1905',
        '',
      ].join('\n'),
    ],
    [['--json'], json],
    [['--format', 'json'], json],
    [['--format=json'], json],
    [['--format', 'ndjson'], ndjson],
    [
      ['--format', 'csv'],
      `id,title,author,year\n1,Vol. 10,Żeromski,1905\n2,vol. 9,Austen,-1750\n3,"A, ""B""\nC\r\tD",O'Hara\u001b[31m,0\n4,紅樓夢 🪿,austen,1905\n`,
    ],
  ];
  for (const [options, stdout] of table) {
    test(`list ${options.join(' ')}`, async () => {
      assert.deepEqual(await session.run(['list', ...options]), { code: 0, stdout, stderr: '' });
    });
  }

  test('CSV preserves every character', async () => {
    const { stdout } = await session.run(['list', '--format', 'csv']);
    const rows = parse<Record<keyof Book, string>>(stdout, { columns: true });
    assert.deepEqual(
      rows.map((row) => ({
        id: Number(row.id),
        ...mapFields(fieldNames, (name) => (fields[name].type === 'integer' ? Number(row[name]) : row[name])),
      })),
      books,
    );
  });

  const wrong: [options: string[], stderr: RegExp][] = [
    [
      ['--format', 'csv', '--json'],
      /^\{"error":\{"code":"usage","message":"--json cannot be used with --format/,
    ],
    [['--json', '--format', 'json'], /"code":"usage"/],
    [
      ['--format', 'xml'],
      /^shelflist: invalid --format 'xml': expected one of table, json, ndjson, csv, tsv\n$/,
    ],
    [['--format'], /^shelflist: missing value of --format: expected --format <format>\n$/],
    [['--sort', 'pages'], /expected one of best, id, -id, title, -title, author, -author, year, -year\n/],
  ];
  for (const [options, stderr] of wrong) {
    test(`list ${options.join(' ')}: 2`, async () => {
      const outcome = await session.run(['list', ...options]);
      assert.match(outcome.stderr, stderr);
      assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code: 2, stdout: '' });
    });
  }
});

describe('list sorts by every key, then by id; a descending order is the reverse', () => {
  const table: [key: string, ids: string][] = [
    ['id', '1 2 3 4'],
    ['-id', '4 3 2 1'],
    ['title', '3 2 1 4'],
    ['-title', '4 1 2 3'],
    ['author', '2 4 3 1'],
    ['-author', '1 3 4 2'],
    ['year', '2 3 1 4'],
    ['-year', '4 1 3 2'],
  ];
  for (const [key, ids] of table) {
    for (const option of [`--sort ${key}`, `--sort=${key}`]) {
      test(option, async () => {
        const { stdout } = await session.run(`shelflist list ${option} | cut -f 1 | xargs`);
        assert.equal(stdout, `${ids}\n`);
      });
    }
  }

  test('the locale of the machine does not change the order', async () => {
    const env = { LANG: 'cs_CZ.UTF-8', LC_ALL: 'cs_CZ.UTF-8' };
    const { stdout } = await session.run('shelflist list --sort author | cut -f 1 | xargs', { env });
    assert.equal(stdout, '2 4 3 1\n');
  });
});

/** More books than a pipe holds (64 KiB), so that the writing meets the closed pipe. */
const many = await startSession({ after });
await many.run(['import', '-'], { input: `title\n${`${'long'.repeat(500)}\n`.repeat(100)}` });

describe('a reader that closes the pipe early is not an error', () => {
  for (const options of ['--json', '--format ndjson', '--format csv', '--format table', '']) {
    test(`list ${options} | head -c 10`, async () => {
      const outcome = await many.run(`set -o pipefail; shelflist list ${options} | head -c 10`);
      assert.equal(outcome.stdout.length, 10);
      assert.deepEqual({ code: outcome.code, stderr: outcome.stderr }, { code: 0, stderr: '' });
    });
  }
});

describe('on a terminal', { skip: noTerminal }, () => {
  const type = (commandLine: string, env: Record<string, string> = {}) =>
    terminal(commandLine, { cwd: folder, env: { SHELFLIST_URL: service.url, ...env } });
  const escape = /\u001b\[/; // eslint-disable-line no-control-regex -- it begins a colour.

  test('a table has colours', async () => {
    assert.match((await type('shelflist get 1')).screen, /\u001b\[1mTITLE\u001b\[22m/); // eslint-disable-line no-control-regex -- bold.
  });

  const table: [commandLine: string, env: Record<string, string>][] = [
    ['shelflist get 1', { NO_COLOR: '1' }],
    ['TERM=dumb shelflist get 1', {}],
    ['shelflist get 1 | cat', {}],
    ['shelflist get 1 --format table | cat', {}],
    ['shelflist get 1 --json', {}],
    ['shelflist get 1 --format csv', {}],
  ];
  for (const [commandLine, env] of table) {
    test(`no colours: ${Object.keys(env).join('')} ${commandLine}`, async () => {
      const { code, screen } = await type(commandLine, env);
      assert.match(screen, /Żeromski/);
      assert.doesNotMatch(screen, escape);
      assert.equal(code, 0);
    });
  }

  test('an empty NO_COLOR does not turn colours off', async () => {
    assert.match((await type('shelflist get 1', { NO_COLOR: '' })).screen, escape);
  });

  test('the table fits terminals of any width', async () => {
    for (const columns of [80, 40]) {
      const { screen } = await type(`stty cols ${columns}; shelflist list`, { NO_COLOR: '1' });
      for (const line of screen.trimEnd().split('\n')) assert.ok(stringWidth(line) <= columns, line);
    }
  });
});

describe('one book', () => {
  const table: [args: string[], stdout: string][] = [
    [['add', '-t', 'A', '-a', 'B, C', '--format', 'csv'], 'id,title,author,year\n5,A,"B, C",0\n'],
    [['add', '-t', 'A', '--format', 'ndjson'], '{"id":6,"title":"A","author":"","year":0}\n'],
    [['add', '-t', 'B', '--format', 'json'], '{"id":7,"title":"B","author":"","year":0}\n'],
    [['add', '-t', 'C', '--format', 'table'], 'ID  TITLE  AUTHOR  YEAR\n 8  C                 0\n'],
    [['update', '5', '-y', '7', '--format', 'csv'], 'id,title,author,year\n5,A,"B, C",7\n'],
    [['update', '5', '-y', '8', '--format', 'ndjson'], '{"id":5,"title":"A","author":"B, C","year":8}\n'],
    [['get', '5', '--format', 'csv'], 'id,title,author,year\n5,A,"B, C",8\n'],
    [['get', '5', '--format', 'ndjson'], '{"id":5,"title":"A","author":"B, C","year":8}\n'],
    [['get', '5', '--format', 'json'], '[{"id":5,"title":"A","author":"B, C","year":8}]\n'],
    [
      ['get', '6', '5', '--format', 'ndjson'],
      '{"id":6,"title":"A","author":"","year":0}\n{"id":5,"title":"A","author":"B, C","year":8}\n',
    ],
    [
      ['get', '6', '5', '--format', 'json'],
      '[{"id":6,"title":"A","author":"","year":0},{"id":5,"title":"A","author":"B, C","year":8}]\n',
    ],
    [['delete', '5', '--json'], '{"deleted":[5],"batch":"…"}\n'],
    [['delete', '6', '7', '8', '--yes', '--json'], '{"deleted":[6,7,8],"batch":"…"}\n'],
  ];
  for (const [args, stdout] of table) {
    test(args.join(' '), async () => {
      const outcome = await session.run(args);
      const shown = outcome.stdout.replace(/"batch":"[0-9a-f]{20}"/, '"batch":"…"');
      assert.deepEqual({ ...outcome, stdout: shown }, { code: 0, stdout, stderr: '' });
    });
  }

  test('delete --json of a missing book reports a JSON error', async () => {
    const { code, stdout, stderr } = await session.run(['delete', '1', '99', '--yes', '--json']);
    assert.deepEqual(JSON.parse(stderr), {
      error: { code: 'book_not_found', message: 'book 99 not found; nothing was deleted' },
    });
    assert.deepEqual({ code, stdout }, { code: 3, stdout: '' });
  });
});

describe('with --json, a command writes its result as JSON', () => {
  test('login', async () => {
    const { code, stdout, stderr } = await session.run(['login', '--json']);
    const { expiresAt, ...others } = JSON.parse(stdout) as Record<string, string>;
    const { stdout: file } = await session.run('ls -d $PWD/.cache/shelflist/tokens/*');
    assert.deepEqual(others, { service: service.url, user: 'librarian', file: file.trim() });
    const minutes = (Date.parse(expiresAt ?? '') - Date.now()) / 60_000;
    assert.ok(minutes > 13 && minutes <= 15.1, expiresAt);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  test('init', async (context) => {
    const cwd = await temporaryFolder(context);
    const file = join(cwd, '.env');
    const first = await shelflist(['init', '--json'], { cwd });
    assert.deepEqual(first, { code: 0, stdout: `${JSON.stringify({ file, written: true })}\n`, stderr: '' });
    const again = await shelflist(['init', '--if-missing', '--json'], { cwd });
    assert.deepEqual(again, { code: 0, stdout: `${JSON.stringify({ file, written: false })}\n`, stderr: '' });
    const refused = await shelflist(['init', '--json'], { cwd });
    assert.match(refused.stderr, /^\{"error":\{"code":"failed","message":".+ exists already; .+"\}\}\n$/);
    assert.deepEqual({ code: refused.code, stdout: refused.stdout }, { code: 1, stdout: '' });
  });

  test('serve writes one line once it listens, with the pid of the process to stop', async (context) => {
    const cwd = await temporaryFolder(context);
    const { code, stdout } = await shell(
      `shelflist init; mkfifo line
       "${process.execPath}" "${program}" serve --port 0 --json > line 2> said &
       exec 3< line; read -r first <&3
       url=$(node -p 'JSON.parse(process.argv[1]).url' "$first"); pid=$(node -p 'JSON.parse(process.argv[1]).pid' "$first")
       [ $pid = $! ] && echo "its pid"
       echo "SHELFLIST_URL=$url" >> .env
       shelflist login 2> /dev/null && shelflist add -t Emma --url $url
       kill $pid; wait $!; echo "ended with $?"
       cat <&3`,
      { cwd },
    );
    assert.equal(stdout, 'its pid\n1\tEmma\t\t0\nended with 0\n');
    assert.equal(code, 0);
    const { stdout: said } = await shell('cat said', { cwd });
    assert.match(said, /^\S+Z shelflist info: version .+ listens on http:/);
  });

  test('serve that cannot start', async (context) => {
    const cwd = await temporaryFolder(context);
    const { code, stdout, stderr } = await shell('shelflist serve --json', { cwd });
    assert.match(stderr, /^\{"error":\{"code":"config","message":"SECRET_TOKEN, .+ are not set\./);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  });
});
