import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startSession } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });
const { folder } = session;

/** Imports a file of this text; gives what came of it, and the books that are new. */
async function load(file: string | Uint8Array, options = '') {
  await writeFile(join(folder, 'books.csv'), file);
  await session.run('shelflist delete --yes $(shelflist list | cut -f 1)');
  const outcome = await session.run(`shelflist import books.csv ${options}`);
  const { stdout } = await session.run('shelflist list | cut -f 2- | sort');
  return { ...outcome, books: stdout };
}

const seconds = String.raw`in \d+\.\d s`;

describe('the books of a file', () => {
  const table: [what: string, file: string, books: string, said?: string, options?: string][] = [
    [
      'columns by their header',
      'id,Authors,TITLE,original_publication_year\n7,B,A,2008.0',
      'A\tB\t2008\n',
      'title from "TITLE", author from "Authors", year from "original_publication_year"',
    ],
    ['a title alone', 'title\nA', 'A\t\t0\n', 'title from "title", no author, no year'],
    [
      'columns that are named',
      'Titel,Verfasser\nA,B',
      'A\tB\t0\n',
      'title from "Titel", author from "Verfasser", no year',
      '--map title=titel -m author=Verfasser',
    ],
    [
      'a column with = in its name',
      'a=b\nA',
      'A\t\t0\n',
      'title from "a=b", no author, no year',
      '-m title=a=b',
    ],
    ['years', 'title,year\nA,2008.0\nB,-1750.0\nC,\nD,868', 'A\t\t2008\nB\t\t-1750\nC\t\t0\nD\t\t868\n'],
    ['semicolons', 'Year;Title;Author, first\n1;A, B;C', 'A, B\t\t1\n'],
    ['tabs', 'title\tauthor\nA;B\tC', 'A;B\tC\t0\n'],
    ['quotes', 'title,author\n"A, ""B""","C\nD"', 'A, "B"\tC D\t0\n'],
    ['a byte order mark and CRLF', '\uFEFFtitle,author\r\nGrandpré,書\r\n', 'Grandpré\t書\t0\n'],
  ];
  for (const [what, file, books, said, options] of table) {
    test(what, async () => {
      const outcome = await load(file, options);
      assert.equal(outcome.books, books);
      const count = books.split('\n').length - 1;
      assert.match(
        outcome.stderr,
        new RegExp(`^importing .+\nadded ${count} books? ${seconds}, left out 0\n$`),
      );
      if (said !== undefined) assert.ok(outcome.stderr.startsWith(`importing ${said}\n`), outcome.stderr);
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, 0);
    });
  }

  test('from standard input', async () => {
    const { code, stderr } = await session.run('shelflist import -', { input: 'title\nA\nB\n' });
    assert.match(stderr, new RegExp(`\nadded 2 books ${seconds}, left out 0\n$`));
    assert.equal(code, 0);
  });

  test('with --json the summary is JSON, and it alone is on standard output', async () => {
    const { code, stdout, stderr } = await load('title,year\nA,1\nB,2', '--json');
    assert.deepEqual(JSON.parse(stdout), {
      dryRun: false,
      columns: { title: 'title', author: null, year: 'year' },
      added: 2,
      updated: 0,
      skipped: 0,
      rejected: 0,
      rejects: [],
    });
    assert.equal(stderr, '');
    assert.equal(code, 0);
  });

  test('on a terminal a bar shows how far it is, and is gone at the end', { skip: noTerminal }, async () => {
    await writeFile(join(folder, 'books.csv'), `title\n${'A\n'.repeat(300)}`);
    const env = { SHELFLIST_URL: session.service.url };
    const { code, screen } = await terminal('shelflist import books.csv', { cwd: folder, env });
    assert.match(screen, /░ \d+% \| \d+ books \|/);
    assert.match(screen, /added 300 books in .+, left out 0\n$/);
    assert.equal(code, 0);
  });
});

describe('rows that are left out are listed with their line; the others are added; the exit status is 1', () => {
  const file = [
    'title,author,year',
    'A,,1',
    '"B',
    'b",,x',
    ',Nobody,3',
    '',
    'C" c,,4',
    'D,,c. 1850',
    'E,,5',
  ].join('\n');
  const rejected = [
    { line: 3, reason: 'its year is not a whole number: "x"' },
    { line: 5, reason: 'it has no title' },
    { line: 7, reason: 'its quotes do not match' },
    { line: 8, reason: 'its year is not a whole number: "c. 1850"' },
  ];

  test('as text', async () => {
    const { code, stdout, stderr, books } = await load(file);
    assert.equal(books, 'A\t\t1\nE\t\t5\n');
    const list = rejected.map(({ line, reason }) => `line ${line} left out: ${reason}`);
    const [, ...said] = stderr.trimEnd().split('\n');
    assert.deepEqual(said.slice(0, -2), list);
    assert.match(said.at(-2) ?? '', new RegExp(`^added 2 books ${seconds}, left out 4$`));
    assert.equal(said.at(-1), 'shelflist: left out 4 rows');
    assert.equal(stdout, '');
    assert.equal(code, 1);
  });

  test('as JSON', async () => {
    const { code, stdout, stderr } = await load(file, '--json');
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([summary.added, summary.rejected, summary.rejects], [2, 4, rejected]);
    assert.deepEqual(JSON.parse(stderr), {
      error: { code: 'failed', message: 'left out 4 rows' },
    });
    assert.equal(code, 1);
  });

  test('many: the first 20 and how many more', async () => {
    const { stderr } = await load(`title,author\n${',B\n'.repeat(25)}`);
    assert.match(stderr, /\nline 21 left out: it has no title\n… and 5 more\nadded 0 books/);
  });
});

describe('a file that cannot be imported adds nothing', () => {
  const table: [commandLine: string, code: number, stderr: RegExp][] = [
    ['shelflist import gone.csv', 1, /^shelflist: there is no file gone\.csv\n$/],
    ['shelflist import .', 1, /^shelflist: cannot read \. \(EISDIR\)\n$/],
    [': > x; shelflist import x', 1, /^shelflist: the file is empty\n$/],
    [
      String.raw`printf 'title\nGrandpré\nGrandpr\xe9\n' > x; shelflist import x`,
      1,
      /^shelflist: the file is neither UTF-8 nor Windows-1252, but a mixture; save it as "CSV UTF-8"\n$/,
    ],
    [
      String.raw`printf 'a,b\nA,B\n' > x; shelflist import x`,
      2,
      /^shelflist: no column looks like the title; .+: "a", "b"\n$/,
    ],
    [
      String.raw`printf 'a,b\nA,B\n' > x; shelflist import x -m title=c`,
      2,
      /^shelflist: there is no column "c"\. .+: "a", "b"\n$/,
    ],
    [
      String.raw`printf 'PK\3\4\xff' > x; shelflist import x`,
      1,
      /^shelflist: this is a spreadsheet, not CSV; open it and save it as "CSV UTF-8"\n$/,
    ],
    ['shelflist import x -m isbn=a', 2, /Write title=COLUMN, author=COLUMN or year=COLUMN\./],
    ['shelflist import x -m title', 2, /Write title=COLUMN/],
  ];
  for (const [commandLine, code, stderr] of table) {
    test(commandLine, async () => {
      const before = await session.run('shelflist list');
      const outcome = await session.run(commandLine);
      assert.match(outcome.stderr, stderr);
      assert.doesNotMatch(outcome.stderr, /\n +at /);
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, code);
      assert.equal((await session.run('shelflist list')).stdout, before.stdout);
    });
  }
});

test('a service that goes away in the middle: 5, and how many were added', async (context) => {
  const { service, folder: cwd, run } = await startSession(context);
  await run('mkfifo pipe');
  const imported = run('shelflist import - < pipe');
  const pipe = await open(join(cwd, 'pipe'), 'w');
  await pipe.write('title\nA\nB\nC\nthe parser looks one row ahead');
  let added = '';
  for (let asked = 0; added !== '3\n' && asked < 100; asked++)
    added = (await run('shelflist list | wc -l')).stdout;
  assert.equal(added, '3\n');
  await service.stop();
  await pipe.write('\nD\nE\n');
  await pipe.close();
  const { code, stderr } = await imported;
  assert.match(
    stderr,
    new RegExp(
      `\nadded 3 books ${seconds}, left out 0\nshelflist: cannot reach http.+; the same again with --on-duplicate skip adds`,
    ),
  );
  assert.equal(code, 5);
});

test('a row that the service refuses is left out with its line, and the import goes on', async () => {
  const { code, stderr, books } = await load(`title\nA\n${'x'.repeat(1_100_000)}\nB\n`);
  assert.match(stderr, /\nline 3 left out: the service refuses it: Request body too large\nadded 2 books/);
  assert.equal(books, 'A\t\t0\nB\t\t0\n');
  assert.equal(code, 1);
});

test('a service that is down before the first row: no summary', async () => {
  await writeFile(join(folder, 'books.csv'), 'title\nA\n');
  const down = 'SHELFLIST_TOKEN=x shelflist import books.csv --url http://127.0.0.1:1';
  const { code, stderr } = await session.run(down);
  assert.match(stderr, /^importing .+\nshelflist: cannot reach .+\n$/);
  assert.equal(code, 5);
});

describe('standard input that says nothing', { skip: noTerminal }, () => {
  const env = { SHELFLIST_URL: session.service.url };
  const prompt = 'reading from standard input; end with Ctrl-D';

  test('Ctrl-C ends it at once', async () => {
    const { code, screen } = await terminal('shelflist import -', { cwd: folder, env }, [[prompt, '\x03']]);
    assert.match(screen, /\nshelflist: stopped before the end of the file\n$/);
    assert.equal(code, 130);
  });

  test('Ctrl-C after the first line: a summary', async () => {
    const typed = [
      [prompt, 'title'],
      ['title', 'the parser looks a few bytes ahead'],
      ['importing', '\x03'],
    ] as const;
    const { code, screen } = await terminal('shelflist import -', { cwd: folder, env }, typed);
    assert.match(screen, /\nadded \d books? in .+\nshelflist: stopped before the end of the file\n$/);
    assert.equal(code, 130);
  });
});

test('in 40 columns the bar leaves room for the numbers', { skip: noTerminal }, async () => {
  await writeFile(join(folder, 'books.csv'), `title\n${'A\n'.repeat(300)}`);
  const env = { SHELFLIST_URL: session.service.url };
  const { screen } = await terminal('stty cols 40; shelflist import books.csv', { cwd: folder, env });
  assert.match(screen, /░+ 0% \| 0 books \| 0\/s \| - s left/);
});
