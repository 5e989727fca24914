import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { program, titleOf, type Command } from '../../../support/cli.ts';
import { startSession, type Session } from '../../../support/session.ts';
import { failingFiles, kindsOfFiles } from '../../../import/files.ts';
import { noTerminal, terminal } from '../../../support/terminal.ts';

const session = await startSession({ after });
const { folder } = session;

/** Imports a file of this text; gives what came of it, and the books that are new. */
async function load(file: string | Uint8Array, options: string[] = []) {
  await writeFile(join(folder, 'books.csv'), file);
  const ids = (await session.run(['list'])).stdout.match(/^\d+/gm) ?? [];
  if (ids.length > 0) await session.run(['delete', '--yes', ...ids]);
  const outcome = await session.run(['import', 'books.csv', ...options]);
  const { stdout } = await session.run(['list']);
  const books = stdout.split('\n').map((line) => line.replace(/^\d+\t/, ''));
  return { ...outcome, books: `${books.slice(0, -1).sort().join('\n')}${stdout && '\n'}` };
}

/** A token for a service that is down. */
const down = { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' };
const seconds = String.raw`in \d+\.\d s`;
/** What an import says of its batch, if it changed a book. */
const undo = String.raw`(?:(?:ids: [\d., ]+\n)?to take this back: shelflist undo [0-9a-f]{20}\n)?`;

describe('the books of a file', () => {
  const table: { what: string; file: string; books: string; said?: string; options?: string[] }[] = [
    {
      what: 'columns by their header',
      file: 'id,Authors,TITLE,original_publication_year\n7,B,A,2008.0',
      books: 'A\tB\t2008\n',
      said: 'title from "TITLE", author from "Authors", year from "original_publication_year"',
    },
    {
      what: 'a title alone',
      file: 'title\nA',
      books: 'A\t\t0\n',
      said: 'title from "title", no author, no year',
    },
    {
      what: 'columns that are named',
      file: 'Titel,Verfasser\nA,B',
      books: 'A\tB\t0\n',
      said: 'title from "Titel", author from "Verfasser", no year',
      options: ['--map', 'title=titel', '-m', 'author=Verfasser'],
    },
    {
      what: 'a column with = in its name',
      file: 'a=b\nA',
      books: 'A\t\t0\n',
      said: 'title from "a=b", no author, no year',
      options: ['-m', 'title=a=b'],
    },
    {
      what: 'years',
      file: 'title,year\nA,2008.0\nB,-1750.0\nC,\nD,868',
      books: 'A\t\t2008\nB\t\t-1750\nC\t\t0\nD\t\t868\n',
    },
    { what: 'semicolons', file: 'Year;Title;Author, first\n1;A, B;C', books: 'A, B\tC\t1\n' },
    { what: 'tabs', file: 'title\tauthor\nA;B\tC', books: 'A;B\tC\t0\n' },
    { what: 'quotes', file: 'title,author\n"A, ""B""","C\nD"', books: 'A, "B"\tC D\t0\n' },
    {
      what: 'a byte order mark and CRLF',
      file: '\uFEFFtitle,author\r\nGrandpré,書\r\n',
      books: 'Grandpré\t書\t0\n',
    },
  ];
  for (const { what, file, books, said, options } of table) {
    test(what, async () => {
      const outcome = await load(file, options);
      assert.equal(outcome.books, books);
      const count = books.split('\n').length - 1;
      assert.match(
        outcome.stderr,
        new RegExp(
          `^importing .+\n(no column looks like .+\n)?(columns that are left out: .+\n)?added ${count} books? ${seconds}, left out 0\n${undo}$`,
        ),
      );
      if (said !== undefined) assert.ok(outcome.stderr.startsWith(`importing ${said}\n`), outcome.stderr);
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, 0);
    });
  }

  test('a total at the end is no book, and no failure', async () => {
    const file = 'title,author,year\nA,B,1\nC,D,2\nTotal,,2\n';
    const outcome = await load(file, ['--rejects', 'left-out.csv']);
    assert.match(
      outcome.stderr,
      /\nline 4 left out: it is a total, not a book\nadded 2 books .+, left out 1\n/,
    );
    assert.equal(outcome.books, 'A\tB\t1\nC\tD\t2\n');
    assert.equal(outcome.code, 0);
    assert.equal(existsSync(join(folder, 'left-out.csv')), false);
    const { code, stdout, stderr } = await load(file.replace('A', ''), ['--json']);
    assert.match(stdout, /"added":1,.+"rejected":2,/);
    assert.match(stderr, /"message":"left out 1 row"/);
    assert.equal(code, 1);
  });

  test('from standard input', async () => {
    const { code, stderr } = await session.run(['import', '-'], { input: 'title\nA\nB\n' });
    assert.match(stderr, new RegExp(`\nadded 2 books ${seconds}, left out 0\n${undo}$`));
    assert.equal(code, 0);
  });

  test('with --json, standard output has only the summary as JSON', async () => {
    const { code, stdout, stderr } = await load('title,year\nA,1\nB,2', ['--json']);
    assert.deepEqual(JSON.parse(stdout), {
      file: 'books.csv',
      dryRun: false,
      columns: { title: 'title', author: null, year: 'year' },
      added: 2,
      updated: 0,
      skipped: 0,
      rejected: 0,
      rejects: [],
      noted: 0,
      notes: [],
      batch: (JSON.parse(stdout) as { batch: string }).batch,
      ids: (JSON.parse(stdout) as { ids: number[] }).ids,
    });
    assert.match(stdout, /"batch":"[0-9a-f]{20}","ids":\[\d+,\d+\]\}\n$/);
    assert.equal(stderr, '');
    assert.equal(code, 0);
  });

  test('on a terminal, years far ahead are asked about', { skip: noTerminal }, async () => {
    await load('title\nA\n');
    await writeFile(join(folder, 'books.csv'), 'title,year\nA,2998\nB,1999\nC,2999\n');
    const env = { SHELFLIST_URL: session.service.url };
    const prompt = 'line 2 has the year 2998. Keep such years? [Y/n]';
    const { code, screen } = await terminal('shelflist import books.csv', { cwd: folder, env }, [
      [prompt, 'n'],
    ]);
    assert.match(
      screen,
      /\nline 4: its year is not understood, and stays empty: 2999\nadded 3 books .+, 2 to check\n/,
    );
    assert.equal(code, 0);
    assert.match((await session.run(['list'])).stdout, /\tA\t\t0\n\d+\tB\t\t1999\n\d+\tC\t\t0\n$/);
  });

  test('on a terminal, a progress bar is shown, and removed at the end', { skip: noTerminal }, async () => {
    await writeFile(join(folder, 'books.csv'), `title\n${'A\n'.repeat(300)}`);
    const env = { SHELFLIST_URL: session.service.url };
    const { code, screen } = await terminal('shelflist import books.csv', { cwd: folder, env });
    assert.match(screen, /░ \d+% \| \d+ books \|/);
    assert.match(screen, new RegExp(`added 300 books in .+, left out 0\n${undo}$`));
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
    'D,,long ago',
    'E,,5',
  ].join('\n');
  const rejected = [
    { line: 3, reason: 'its year is not understood: "x"' },
    { line: 5, reason: 'it has no title' },
    { line: 7, reason: 'its quotes do not match' },
    { line: 8, reason: 'its year is not understood: "long ago"' },
  ];

  test('as text', async () => {
    const { code, stdout, stderr, books } = await load(file, ['--year-required']);
    assert.equal(books, 'A\t\t1\nE\t\t5\n');
    const list = rejected.map(({ line, reason }) => `line ${line} left out: ${reason}`);
    const [, ...said] = stderr.trimEnd().split('\n');
    assert.deepEqual(said.slice(0, -4), list);
    assert.match(
      said.slice(-3, -1).join('\n'),
      /^ids: \d+\.\.\d+\nto take this back: shelflist undo [0-9a-f]{20}$/,
    );
    assert.match(said.at(-4) ?? '', new RegExp(`^added 2 books ${seconds}, left out 4$`));
    assert.equal(said.at(-1), 'shelflist: left out 4 rows');
    assert.equal(stdout, '');
    assert.equal(code, 1);
  });

  test('as JSON', async () => {
    const { code, stdout, stderr } = await load(file, ['--year-required', '--json']);
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([summary.added, summary.rejected, summary.rejects], [2, 4, rejected]);
    assert.deepEqual(JSON.parse(stderr), {
      error: { code: 'failed', message: 'left out 4 rows' },
    });
    assert.equal(code, 1);
  });

  test('a book with a year that is not understood is added without it, and listed', async () => {
    const two = 'title,year\nA,long ago\nB,2998\nC,1\n';
    const { code, stderr, books } = await load(two);
    assert.equal(books, 'A\t\t0\nB\t\t2998\nC\t\t1\n');
    assert.match(
      stderr,
      /\nline 2: its year is not understood, and stays empty: "long ago"\nline 3: its year is far ahead: 2998\nadded 3 books .+, left out 0, 2 to check\n/,
    );
    assert.equal(code, 0);
    const { stdout } = await load(two, ['--json']);
    const { noted, notes } = JSON.parse(stdout) as { noted: number; notes: { line: number }[] };
    assert.deepEqual([noted, notes.map(({ line }) => line)], [2, [2, 3]]);
  });

  test('of many rejected rows, the first 20 are listed, and the rest counted', async () => {
    const { stderr } = await load(`title,author\n${',B\n'.repeat(25)}`);
    assert.match(stderr, /\nline 21 left out: it has no title\n… and 5 more\nadded 0 books/);
  });
});

test('a file that has only column names adds nothing, and the command says so', async () => {
  const { code, stderr } = await load('title,author\n');
  assert.match(
    stderr,
    /\nadded 0 books in .+, left out 0\nthe file has no rows of books; the first row names the columns, books follow it\n$/,
  );
  assert.equal(code, 0);
});

describe('a file that cannot be imported adds nothing', () => {
  const table: [command: Command, code: number, stderr: RegExp][] = [
    [['import', 'gone.csv'], 1, /^shelflist: cannot read gone\.csv: no such file\n$/],
    [['import', '.'], 1, /^shelflist: cannot read \.: it is a folder; name a file in it\n$/],
    [': > x; shelflist import x', 1, /^shelflist: the file is empty\n$/],
    [
      String.raw`printf 'title\nA\n' > x; shelflist import x --encoding cp037`,
      2,
      /^shelflist: unknown encoding cp037; known are utf-8, .+ibm866/,
    ],
    [
      String.raw`printf 'title\n\351\n' > x; shelflist import x`,
      2,
      /^shelflist: the encoding of the file is uncertain: windows-1252 \("é"\), macintosh \("È"\); choose one with --encoding\n$/,
    ],
    [
      String.raw`printf 'a,b\nA,B\n' > x; shelflist import x`,
      2,
      /^shelflist: no column looks like the title; .+: "a", "b"\n$/,
    ],
    [
      String.raw`printf 'a,b\nA,B\n' > x; shelflist import x -m title=c`,
      2,
      /^shelflist: column "c" not found\. .+: "a", "b"\n$/,
    ],
    [
      String.raw`printf 'PK\3\4\xff' > x; shelflist import x`,
      1,
      /^shelflist: the workbook is damaged \(zip\); open it in a spreadsheet program, and save it again as .xlsx\n$/,
    ],
    [
      String.raw`printf '%%PDF-1.7\n%%\xb5\n' > x; shelflist import x`,
      1,
      /^shelflist: this is a PDF, not a table of books; save your spreadsheet as \.xlsx, or as CSV in UTF-8\n$/,
    ],
    [
      String.raw`printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' > x; shelflist import x`,
      1,
      /^shelflist: this is a picture, not a table of books; save your spreadsheet as \.xlsx, or as CSV in UTF-8\n$/,
    ],
    [
      ['import', 'x', '-m', 'unknown=a'],
      2,
      /invalid --map 'unknown=a': expected PART=COLUMN, where PART is one of title, subtitle, volume, author, first-name, last-name, year\n/,
    ],
    [['import', 'x', '-m', 'title'], 2, /expected PART=COLUMN/],
  ];
  for (const [command, code, stderr] of table) {
    test(titleOf(command), async () => {
      const before = await session.run(['list']);
      const outcome = await session.run(command);
      assert.match(outcome.stderr, stderr);
      assert.doesNotMatch(outcome.stderr, /\n +at /);
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, code);
      assert.equal((await session.run(['list'])).stdout, before.stdout);
    });
  }
});

/** Writes three rows to an import that goes on, and waits until their books are there. */
async function writeThree(pipe: FileHandle, run: Session['run']): Promise<void> {
  await pipe.write('title\nA\nB\nC\n\nnot complete');
  const deadline = Date.now() + 60_000;
  let added = 0;
  while (added < 3 && Date.now() < deadline)
    added = (JSON.parse((await run(['list', '--json'])).stdout) as unknown[]).length;
  assert.equal(added, 3);
}

test('a service that ends during an import: exit status 5, and the number of added books', async (context) => {
  const { service, folder: cwd, run } = await startSession(context);
  await run('mkfifo pipe');
  const imported = run('shelflist import - < pipe');
  const pipe = await open(join(cwd, 'pipe'), 'w');
  await writeThree(pipe, run);
  await service.stop();
  await pipe.write('\nD\nE\n');
  await pipe.close();
  const { code, stderr } = await imported;
  assert.match(
    stderr,
    new RegExp(
      `\nadded 3 books ${seconds}, left out 0\n${undo}shelflist: cannot reach http.+; repeat it with --on-duplicate skip to add`,
    ),
  );
  assert.equal(code, 5);
});

test('a row that the service refuses is left out with its line, and the import goes on', async () => {
  const { code, stderr, books } = await load(`title\nA\n${'x'.repeat(1_100_000)}\nB\n`);
  assert.match(stderr, /\nline 3 left out: the service rejects it: longer than 1048576 bytes\nadded 2 books/);
  assert.equal(books, 'A\t\t0\nB\t\t0\n');
  assert.equal(code, 1);
});

test('a row with a byte that is not UTF-8 is left out with its line and column; --encoding reads it', async () => {
  const file = Buffer.concat([Buffer.from('title\nGrandpré\nB'), Buffer.of(0xe9), Buffer.from('\nC\n')]);
  const { code, stderr, books } = await load(file);
  assert.match(
    stderr,
    /\nline 3 left out: its title has a byte that .+ \(0xe9\): line 3, column 2\nadded 2 books/,
  );
  assert.deepEqual([code, books], [1, 'C\t\t0\nGrandpré\t\t0\n']);
  const other = await load(Buffer.from([...Buffer.from('title\n'), 0xcc, 0xf3, 0x0a]), [
    '--encoding',
    'windows-1251',
  ]);
  assert.deepEqual([other.code, other.books], [0, 'Му\t\t0\n']);
});

test('an uncertain encoding at the end of a file: nothing is added', async () => {
  const file = Buffer.concat([
    Buffer.from(`title\n${Array.from({ length: 5000 }, (_, i) => `${i}\n`).join('')}`),
    Buffer.of(0xe9, 0x0a), // A word of one letter.
  ]);
  await writeFile(join(folder, 'books.csv'), file);
  const before = (await session.run(['list', '--json'])).stdout;
  const { code, stdout, stderr } = await session.run(['import', 'books.csv']);
  assert.match(stderr, /^shelflist: the encoding of the file is uncertain: .+--encoding/);
  assert.deepEqual([code, stdout], [2, '']);
  assert.equal((await session.run(['list', '--json'])).stdout, before);
});

test('--year-required leaves out rows without a year', async () => {
  const { code, stderr, books } = await load('title,year\nA,1\nB,\nC,n.d.\n', ['--year-required']);
  assert.match(stderr, /\nline 3 left out: it has no year\nline 4 left out: it has no year\nadded 1 book/);
  assert.deepEqual([code, books], [1, 'A\t\t1\n']);
});

describe('fields without a column, and columns without a field, are named on one line', () => {
  const table: [file: string, said: RegExp][] = [
    ['title,author,year,x,y\nA,B,1,C,D\n', /^importing .+\ncolumns that are left out: "x", "y"\nadded/],
    [
      'title,x,y\nA,B,C\n',
      /^importing title from "title", no author, no year\nno column looks like the author or the year; name one with --map author=COLUMN: "x", "y"\nadded/,
    ],
    [
      'title,author,x\nA,B,C\n',
      /^importing .+, no year\nno column looks like the year; name one with --map year=COLUMN: "x"\nadded/,
    ],
    [
      '{"title":"A","author":"B"}\n',
      /^importing .+, no year\nno member of the first object looks like the year; name one with --map year=COLUMN\nadded/,
    ],
  ];
  for (const [file, said] of table) {
    test(JSON.stringify(file), async () => {
      assert.match((await load(file)).stderr, said);
    });
  }
});

test('a service that is down before the first row: no summary', async () => {
  await writeFile(join(folder, 'books.csv'), 'title\nA\n');
  const { code, stderr } = await session.run(['import', 'books.csv'], { env: down });
  assert.match(stderr, /^importing .+\nshelflist: cannot reach .+\n$/);
  assert.equal(code, 5);
});

describe('an idle standard input', { skip: noTerminal }, () => {
  const env = { SHELFLIST_URL: session.service.url };
  const prompt = 'reading from standard input; end with Ctrl-D';

  test('Ctrl-C ends the import at once', async () => {
    const { code, screen } = await terminal('shelflist import -', { cwd: folder, env }, [[prompt, '\x03']]);
    assert.match(screen, /\nshelflist: interrupted before the end of the file\n$/);
    assert.equal(code, 130);
  });

  test('Ctrl-C after the first line writes a summary', async () => {
    const typed = [
      [prompt, 'title'],
      ['importing', '\x03'],
    ] as const;
    const { code, screen } = await terminal('shelflist import -', { cwd: folder, env }, typed);
    assert.match(screen, /\nadded \d books? in .+\nshelflist: interrupted before the end of the file\n$/);
    assert.equal(code, 130);
  });
});

test('in 40 columns the bar leaves room for the numbers', { skip: noTerminal }, async () => {
  await writeFile(join(folder, 'books.csv'), `title\n${'A\n'.repeat(300)}`);
  const env = { SHELFLIST_URL: session.service.url };
  const { screen } = await terminal('stty cols 40; shelflist import books.csv', { cwd: folder, env });
  assert.match(screen, /░+ 0% \| 0 books \| 0\/s \| - s left/);
});

interface Summary {
  added: number;
  updated: number;
  skipped: number;
  rejected: number;
}

function counts(stdout: string): number[] {
  const { added, updated, skipped, rejected } = JSON.parse(stdout) as Summary;
  return [added, updated, skipped, rejected];
}

/** Makes the catalogue hold these books and no others: lines of `title,author,year`. */
async function fill(...books: string[]): Promise<void> {
  const { code, stderr } = await load(`title,author,year\n${books.join('\n')}\n`);
  assert.equal(code, 0, stderr);
}

async function books(): Promise<string> {
  const { stdout } = await session.run(['list']);
  const lines = stdout.match(/.+\n/g) ?? [];
  return lines
    .map((line) => line.replace(/^\d+\t/, ''))
    .sort()
    .join('');
}

async function put(name: string, content: string | Uint8Array): Promise<void> {
  await writeFile(join(folder, name), content);
}

function exists(name: string): boolean {
  return existsSync(join(folder, name));
}

describe('duplicates in the catalogue', () => {
  const there = ['Emma,Jane Austen,1815', 'Grandpré,B,1'];
  const file = 'title,author,year\nEMMA,jane  austen,1815\nGrandpré,B,1\nNew,C,2\nGrandpré,B,2\nnew,c,2\n';
  const old = 'Emma\tJane Austen\t1815\nGrandpré\tB\t1\n';
  const table: { action: string; first: number[]; second: number[]; after: string; said: string }[] = [
    {
      action: 'skip',
      first: [2, 0, 3, 0],
      second: [0, 0, 5, 0],
      after: `${old}Grandpré\tB\t2\nNew\tC\t2\n`,
      said: 'skipped 5 duplicates',
    },
    {
      action: 'update',
      first: [2, 1, 2, 0],
      second: [0, 0, 5, 0],
      after: 'EMMA\tjane  austen\t1815\nGrandpré\tB\t1\nGrandpré\tB\t2\nNew\tC\t2\n',
      said: 'skipped 5 duplicates',
    },
    {
      action: 'add',
      first: [5, 0, 0, 0],
      second: [5, 0, 0, 0],
      after: `EMMA\tjane  austen\t1815\nEMMA\tjane  austen\t1815\nEmma\tJane Austen\t1815\n${'Grandpré\tB\t1\n'.repeat(3)}Grandpré\tB\t2\nGrandpré\tB\t2\nNew\tC\t2\nNew\tC\t2\nnew\tc\t2\nnew\tc\t2\n`,
      said: 'added 5 books',
    },
  ];
  for (const { action, first, second, after, said } of table) {
    test(action, async () => {
      await fill(...there);
      await put('books.csv', file);
      const args = ['import', 'books.csv', '--on-duplicate', action];
      for (const expected of [first, second]) {
        const outcome = await session.run([...args, '--json']);
        assert.deepEqual(counts(outcome.stdout), expected);
        assert.deepEqual([outcome.code, outcome.stderr], [0, '']);
      }
      const sorted = (lines: string) => lines.split('\n').sort();
      assert.deepEqual(sorted(await books()), sorted(after));
      assert.match((await session.run(args)).stderr, new RegExp(said));
    });
  }

  test('an updated book keeps its id, and the others stay as they are', async () => {
    await fill('A,B,1', 'Emma,Jane Austen,1815');
    const before = JSON.parse((await session.run(['list', '--json'])).stdout) as { title: string }[];
    const { stderr } = await session.run(['import', '-', '--on-duplicate', 'update'], {
      input: 'title,author,year\nÉmma,Jane Austen,1815\n',
    });
    assert.match(stderr, new RegExp(`\nadded 0 books ${seconds}, updated 1, left out 0\n${undo}$`));
    const now = JSON.parse((await session.run(['list', '--json'])).stdout) as unknown;
    assert.deepEqual(
      now,
      before.map((book) => (book.title === 'Emma' ? { ...book, title: 'Émma' } : book)),
    );
  });

  test('another action is a usage error', async () => {
    const { code, stderr } = await session.run(['import', 'books.csv', '--on-duplicate', 'replace']);
    assert.match(stderr, /expected one of add, skip, update/);
    assert.equal(code, 2);
  });
});

describe('a dry run reports what an import would do, and changes nothing', () => {
  const file = 'title,author,year\nemma,,1\nB,,2\nB,,2\n,,3\n';
  const table: [options: string[], counts: number[], said: RegExp][] = [
    [[], [3, 0, 0, 1], /\nline 5 left out: it has no title\nwould add 3 books, leave out 1\n/],
    [['--on-duplicate', 'skip'], [1, 0, 2, 1], /\nwould add 1 book, skip 2 duplicates, leave out 1\n/],
    [
      ['--on-duplicate', 'update'],
      [1, 1, 1, 1],
      /\nwould add 1 book, update 1, skip 1 duplicate, leave out 1\n/,
    ],
  ];
  for (const [options, expected, said] of table) {
    test(options.join(' ') || 'add', async () => {
      await fill('Emma,,1');
      await put('books.csv', file);
      const args = ['import', 'books.csv', '--dry-run', ...options];
      const { code, stdout, stderr } = await session.run(args);
      assert.match(stderr, /^importing title from "title", author from "author", year from "year"\n/);
      assert.match(stderr, said);
      assert.deepEqual([code, stdout], [1, '']);
      const json = await session.run([...args, '--json']);
      assert.deepEqual(counts(json.stdout), expected);
      assert.equal((JSON.parse(json.stdout) as { dryRun: boolean }).dryRun, true);
      assert.equal(await books(), 'Emma\t\t1\n');
    });
  }

  test('it shows the first five books, and the columns that are left out', async () => {
    const rows = Array.from({ length: 6 }, (_, i) => `Book ${i},"A, B",${1990 + i},x`);
    await put('books.csv', `title,author,year,ISBN\n${rows.join('\n')}\n`);
    const { stderr } = await session.run(['import', 'books.csv', '--dry-run']);
    assert.match(
      stderr,
      /\ncolumns that are left out: "ISBN"\nthe first 5 books:\n {2}Book 0 \| A, B \| 1990\n/,
    );
    assert.match(stderr, /\n {2}Book 4 \| A, B \| 1994\nwould add 6 books/);
    const { stdout } = await session.run(['import', 'books.csv', '--dry-run', '--json']);
    const { unused, samples } = JSON.parse(stdout) as { unused: string[]; samples: unknown[] };
    assert.deepEqual(unused, ['ISBN']);
    assert.deepEqual([samples.length, samples[0]], [5, { title: 'Book 0', author: 'A, B', year: 1990 }]);
  });

  test('a dry run needs a service only to find duplicates', async () => {
    const options = { input: 'title\nA\n', env: down };
    const adding = await session.run(['import', '-', '-n'], options);
    assert.match(adding.stderr, /\nwould add 1 book, leave out 0\n$/);
    assert.equal(adding.code, 0);
    const skipping = await session.run(['import', '-', '-n', '--on-duplicate', 'skip'], options);
    assert.match(skipping.stderr, /^importing .+\nshelflist: cannot reach .+\n$/);
    assert.equal(skipping.code, 5);
  });
});

describe('--rejects: the rows that were left out, as a file', () => {
  const file = 'Titel,Verfasser,Jahr,x\nA,,1,\n"B, ""b""",V,long ago,"1\n2"\n,Nobody,3,\nC" c,,4,\nE,,5,\n';
  const mapped = ['-m', 'title=Titel', '-m', 'author=Verfasser', '-m', 'year=Jahr'];

  test('rejects of CSV have line and reason, and can be corrected and imported', async () => {
    await rm(join(folder, 'rejects.csv'), { force: true });
    const {
      code,
      stderr,
      books: added,
    } = await load(file, [...mapped, '--year-required', '--rejects', 'rejects.csv']);
    assert.match(stderr, /, left out 3\nids: .+\nto take this back: .+\nshelflist: left out 3 rows\n$/);
    assert.equal(added, 'A\t\t1\nE\t\t5\n');
    assert.equal(code, 1);
    const left = await readFile(join(folder, 'rejects.csv'), 'utf8');
    const lines = [
      'Titel,Verfasser,Jahr,x,line,reason',
      '"B, ""b""",V,long ago,"1\n2",3,"its year is not understood: ""long ago"""',
      ',Nobody,3,,5,it has no title',
      '"C""',
    ];
    assert.ok(left.startsWith(lines.join('\n')), left);
    const [corrected = ''] = left.replace('long ago', '1850').replace(',Nobody', 'D,Nobody').split('"C""');
    await put('rejects.csv', `${corrected}C,,4,,6,\n`);
    const again = await session.run(['import', 'rejects.csv', ...mapped]);
    assert.match(again.stderr, new RegExp(`\nadded 3 books ${seconds}, left out 0\n${undo}$`));
    assert.equal(await books(), 'A\t\t1\nB, "b"\tV\t1850\nC\t\t4\nD\tNobody\t3\nE\t\t5\n');
  });

  test('rejects contain the line of a row with unmatched quotes', async () => {
    await rm(join(folder, 'rejects.csv'), { force: true });
    await load('title,author\nA "B C,D\nE,F\n', ['--rejects', 'rejects.csv']);
    const left = await readFile(join(folder, 'rejects.csv'), 'utf8');
    assert.match(left, /^title,author,line,reason\n"A ""B C,D\n?",,2,its quotes do not match\n$/);
  });

  test('rejects of NDJSON are NDJSON', async () => {
    await rm(join(folder, 'rejects'), { force: true });
    const file = '{"title":"A","year":1}\n{"title":"","year":"x","more":[1]}\n{"title"\n7\n';
    const { code } = await load(file, ['--year-required', '--rejects', 'rejects']);
    assert.equal(code, 1);
    const left = (await readFile(join(folder, 'rejects'), 'utf8')).trimEnd().split('\n');
    assert.deepEqual(
      left.map((line) => JSON.parse(line) as unknown),
      [
        { title: '', year: 'x', more: [1], line: 2, reason: 'its year is not understood: "x"' },
        { value: '{"title"', line: 3, reason: 'it is not JSON' },
        { value: 7, line: 4, reason: 'it is not an object' },
      ],
    );
  });

  test('rejects of a JSON array are NDJSON', async () => {
    await rm(join(folder, 'rejects'), { force: true });
    const { stderr } = await load('[{"title":"A"},{"year":1},null]', ['--rejects', 'rejects']);
    assert.match(stderr, /\nbook 2 left out: it has no title\nbook 3 left out: it is not an object\n/);
    assert.equal(
      await readFile(join(folder, 'rejects'), 'utf8'),
      '{"year":1,"line":2,"reason":"it has no title"}\n{"value":null,"line":3,"reason":"it is not an object"}\n',
    );
  });

  test('rejects contain a row that the service refuses', async () => {
    await rm(join(folder, 'rejects.csv'), { force: true });
    await load(`title\nA\n${'x'.repeat(1_100_000)}\n`, ['--rejects', 'rejects.csv']);
    const left = await readFile(join(folder, 'rejects.csv'), 'utf8');
    assert.match(
      left,
      /^title,line,reason\nx{1100000},3,the service rejects it: longer than 1048576 bytes\n$/,
    );
  });

  test('a dry run writes no rejects', async () => {
    await rm(join(folder, 'rejects.csv'), { force: true });
    const { stderr } = await load('title\n" "\n', ['--rejects', 'rejects.csv', '--dry-run']);
    assert.match(stderr, /\nline 2 left out: it has no title\nwould add 0 books, leave out 1\n/);
    await assert.rejects(readFile(join(folder, 'rejects.csv')), { code: 'ENOENT' });
  });

  test('a repeated import continues its rejects, also after a crash in the middle of a row', async () => {
    await rm(join(folder, 'rejects.csv'), { force: true });
    const strict = ['--year-required'];
    const rows = 'title,year\nA,1\n,2\n"B\nB",x\n,4\n';
    await load(rows, [...strict, '--rejects', 'rejects.csv']);
    const whole = await readFile(join(folder, 'rejects.csv'), 'utf8');
    const ends = [whole.length, whole.indexOf('4,6,'), whole.indexOf('\nB"') + 1, whole.indexOf(',2,'), 0];
    for (const end of ends) {
      await put('rejects.csv', whole.slice(0, end));
      const { code, stderr } = await session.run([
        'import',
        'books.csv',
        ...strict,
        '--on-duplicate',
        'skip',
        '--rejects',
        'rejects.csv',
      ]);
      assert.match(stderr, /\nadded 0 books .+, skipped 1 duplicate, left out 3\n/);
      assert.equal(code, 1);
      assert.equal(await readFile(join(folder, 'rejects.csv'), 'utf8'), whole);
    }
    const corrected = whole.replace('"B\nB",x', 'B,7');
    await put('rejects.csv', corrected);
    await session.run([
      'import',
      'books.csv',
      ...strict,
      '--on-duplicate',
      'skip',
      '--rejects',
      'rejects.csv',
    ]);
    const [, row] = whole.split(/(?=\n"B\nB")/);
    const lost = (row ?? '').split('\n').slice(1, 3).join('\n');
    assert.equal(await readFile(join(folder, 'rejects.csv'), 'utf8'), `${corrected}${lost}\n`);
  });

  test('a repeated import continues rejects of NDJSON', async () => {
    await rm(join(folder, 'rejects'), { force: true });
    await load('{"title":"A"}\n{"year":1}\n7\n', ['--rejects', 'rejects']);
    const whole = await readFile(join(folder, 'rejects'), 'utf8');
    await put('rejects', whole.slice(0, -10));
    await session.run(['import', 'books.csv', '--on-duplicate', 'skip', '--rejects', 'rejects']);
    assert.equal(await readFile(join(folder, 'rejects'), 'utf8'), whole);
  });

  test('an existing rejects file stays unchanged, and nothing is imported', async () => {
    await put('there', 'mine');
    const { code, stderr, books: added } = await load('title\nA\n" "\n', ['--rejects', 'there']);
    assert.equal(stderr, 'shelflist: there exists already; name another file for the rejects\n');
    assert.equal(await readFile(join(folder, 'there'), 'utf8'), 'mine');
    assert.deepEqual([code, added], [1, '']);
  });

  const none: {
    what: string;
    file: string;
    options: string[];
    expected: number;
    env?: Record<string, string>;
  }[] = [
    { what: 'no row was left out', file: 'title\nA\n', options: [], expected: 0 },
    { what: 'the file is none', file: 'a\nA\n', options: [], expected: 2 },
    {
      what: 'the service is down',
      file: 'title\nA\n',
      options: [],
      expected: 5,
      env: { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' },
    },
  ];
  for (const { what, file, options, expected, env = {} } of none) {
    test(`no file when ${what}`, async () => {
      await put('books.csv', file);
      const { code } = await session.run(['import', 'books.csv', '--rejects', 'none', ...options], { env });
      assert.equal(code, expected);
      assert.equal(exists('none'), false);
    });
  }

  test('a rejects file in a missing folder is an error', async () => {
    const { code, stderr } = await load('title\n" "\n', ['--rejects', 'no/rejects']);
    assert.equal(stderr, 'shelflist: cannot write the rejects to no/rejects (ENOENT)\n');
    assert.equal(code, 1);
  });
});

describe('every kind of file', () => {
  for (const [what, file, expected] of kindsOfFiles) {
    test(what, async () => {
      const outcome = await load(file);
      assert.equal(outcome.books, expected);
      const count = expected.split('\n').length - 1;
      assert.match(
        outcome.stderr,
        new RegExp(`(^|\n)added ${count} books? ${seconds}, left out 0\n${undo}$`),
      );
      assert.deepEqual([outcome.code, outcome.stdout], [0, '']);
    });
  }

  for (const { what, file, said, books } of failingFiles) {
    test(what, async () => {
      const outcome = await load(file);
      assert.match(outcome.stderr, said);
      assert.doesNotMatch(outcome.stderr, /\n +at /);
      assert.deepEqual([outcome.code, outcome.stdout, outcome.books], [1, '', books]);
    });
  }
});

test('Ctrl-C during an import: 130 and a summary; repeating it with skip adds each of the rest once', async (context) => {
  const { folder: cwd, run } = await startSession(context);
  await run('mkfifo pipe');
  // Under its own number: a shell in between would get the signal in its place.
  const imported = run(
    `bash -c 'echo $$ > pid; exec "$@"' - "${process.execPath}" "${program}" import - < pipe`,
  );
  const pipe = await open(join(cwd, 'pipe'), 'w');
  await writeThree(pipe, run);
  process.kill(Number(await readFile(join(cwd, 'pid'), 'utf8')), 'SIGINT');
  const { code, stdout, stderr } = await imported;
  await pipe.close();
  const advice = 'repeat it with --on-duplicate skip to add the rest';
  assert.match(
    stderr,
    new RegExp(
      `\nadded 3 books ${seconds}, left out 0\n${undo}shelflist: interrupted before the end of the file; ${advice}\n$`,
    ),
  );
  assert.deepEqual([code, stdout], [130, '']);
  const again = await run(['import', '-', '--on-duplicate', 'skip', '--json'], {
    input: 'title\nA\nB\nC\nD\nE\n',
  });
  assert.deepEqual([again.code, ...counts(again.stdout)], [0, 2, 0, 3, 0]);
  assert.equal((await run('shelflist list | cut -f 2')).stdout, 'A\nB\nC\nD\nE\n');
});
