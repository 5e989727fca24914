import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test, after } from 'node:test';
import { startSession } from '../../../support/session.ts';

const session = await startSession({ after });
const path = (name: string) => join(session.folder, name);

interface Summary {
  added: number;
  updated: number;
  unchanged: number;
  skipped: number;
  rejected: number;
  rejects: { line: number; reason: string }[];
  batch?: string;
}

/** Imports a file with `--match id`; gives the summary. */
async function match(file: string, options: string[] = []): Promise<Summary & { code: number | null }> {
  const { code, stdout, stderr } = await session.run(['import', file, '--match', 'id', '--json', ...options]);
  assert.notEqual(stdout, '', stderr);
  return { code, ...(JSON.parse(stdout) as Summary) };
}

const counts = ({ added, updated, unchanged, skipped, rejected }: Summary) => [
  added,
  updated,
  unchanged,
  skipped,
  rejected,
];

/** Fills an empty catalogue with three books, and exports it; gives the lines of the file. */
let lines: string[] = [];
let ids: number[] = [];
beforeEach(async () => {
  const old = (await session.run(['list'])).stdout.match(/^\d+/gm) ?? [];
  if (old.length > 0) await session.run(['delete', '--yes', ...old]);
  await session.run(['import', '-'], {
    input: 'title,author,year\nEmma,Jane Austen,1815\n"Grandpré, 书","",-1\n"A\r\nB",C,0\n',
  });
  await session.run(['export', 'books.csv', '--with-ids', '--force']);
  lines = (await readFile(path('books.csv'), 'utf8')).split(/\r\n(?=\d|$)/);
  ids = lines.slice(1, -1).map((line) => Number(line.split(',')[0]));
});

async function list(): Promise<string> {
  return (await session.run(['list'])).stdout.replace(/^\d+\t/gm, '');
}

const emma = 'Emma\tJane Austen\t1815\n';
const others = 'Grandpré, 书\t\t-1\nA B\tC\t0\n';

describe('an export that is imported again', () => {
  const exports = [
    ['x.csv'],
    ['x.csv', '--excel'],
    ['x.csv', '--delimiter', ';'],
    ['x.xlsx'],
    ['x.tsv'],
    ['x.tsv', '--excel'],
    ['x.json'],
    ['x.ndjson'],
  ];
  for (const options of exports) {
    test(`without an edit changes nothing: ${options.join(' ')}`, async () => {
      await rm(path(options[0] ?? ''), { force: true });
      assert.equal((await session.run(['export', ...options, '--with-ids'])).code, 0);
      const summary = await match(options[0] ?? '');
      assert.deepEqual([summary.code, ...counts(summary)], [0, 0, 0, 3, 0, 0]);
      assert.equal(summary.batch, undefined);
    });
  }

  test('with edits changes only these, and one undo takes them back', async () => {
    const edited = lines.join('\r\n').replace(',1815,', ',1816,').replace('书', '書');
    await writeFile(path('books.csv'), `${edited},Persuasion,Jane Austen,1817,\r\n`);
    const dry = await session.run(['import', 'books.csv', '--match', 'id', '--dry-run']);
    assert.match(dry.stderr, /\nline 2 would change book \d+: year 1815 -> 1816\nline 3 would change book/);
    assert.match(dry.stderr, /\nwould add 1 book, update 2, leave 1 as it is, leave out 0\n$/);
    assert.equal(await list(), emma + others);
    const summary = await match('books.csv');
    assert.deepEqual([summary.code, ...counts(summary)], [0, 1, 2, 1, 0, 0]);
    const after = 'Emma\tJane Austen\t1816\nGrandpré, 書\t\t-1\nA B\tC\t0\nPersuasion\tJane Austen\t1817\n';
    assert.equal(await list(), after);
    // As after a crash: nothing is changed or added twice.
    const again = await match('books.csv');
    assert.deepEqual([again.code, ...counts(again)], [0, 0, 0, 3, 1, 0]);
    assert.equal(await list(), after);
    assert.equal((await session.run(['undo', summary.batch ?? '', '--yes'])).code, 0);
    assert.equal(await list(), emma + others);
  });

  test('saved by a program that replaces line breaks and quotes, changes nothing', async () => {
    const saved = lines.join('\n').replaceAll('\r\n', '\n').replaceAll('""', '');
    await writeFile(path('books.csv'), `\uFEFF${saved}`);
    const summary = await match('books.csv');
    assert.deepEqual([summary.code, ...counts(summary)], [0, 0, 0, 3, 0, 0]);
  });

  test('a year edited as a book was deleted says so, and an id that never was', async () => {
    await session.run(['delete', String(ids[0] ?? 0)]);
    await writeFile(path('books.csv'), [...lines.slice(0, -1), '999999,X,Y,1,', ''].join('\r\n'));
    const summary = await match('books.csv');
    assert.deepEqual([summary.code, ...counts(summary)], [1, 0, 0, 2, 0, 2]);
    assert.deepEqual(
      summary.rejects.map(({ reason }) => reason),
      [ids[0], 999999].map((id) => `no book has the id ${id}; to add the row as a new book, clear its id`),
    );
  });

  test('edits of a book that somebody else has changed are conflicts, and go to the rejects', async () => {
    await session.run(['update', String(ids[0] ?? 0), '--title', 'EMMA']);
    await session.run(['update', String(ids[1] ?? 0), '--title', 'Other']);
    await writeFile(path('books.csv'), lines.join('\r\n').replace(',1815,', ',1816,'));
    await rm(path('left.csv'), { force: true });
    const summary = await match('books.csv', ['--rejects', 'left.csv']);
    assert.deepEqual([summary.code, ...counts(summary)], [1, 0, 0, 2, 0, 1]);
    const reason = `book ${ids[0]} has changed since the export: its title is now "EMMA", its year is now 1815`;
    assert.deepEqual(summary.rejects, [{ line: 2, reason }]);
    assert.match(
      await readFile(path('left.csv'), 'utf8'),
      /^id,title,author,year,revision,line,reason\n\d+,Emma,/,
    );
    assert.equal(await list(), 'EMMA\tJane Austen\t1815\nOther\t\t-1\nA B\tC\t0\n');
  });

  test('a row without its revision changes the book as it is now', async () => {
    await session.run(['update', String(ids[0] ?? 0), '--title', 'EMMA']);
    await writeFile(path('x.csv'), `id,year\n${ids[0]},1816\n${ids[1]},-1\n`);
    const summary = await match('x.csv');
    assert.deepEqual([summary.code, ...counts(summary)], [0, 0, 1, 1, 0, 0]);
    assert.equal(await list(), `EMMA\tJane Austen\t1816\n${others}`);
  });
});

test('--year-required is for rows that give a year, or a new book', async () => {
  await writeFile(path('x.csv'), `id,title\n${ids[0]},EMMA\n,New\n`);
  const summary = await match('x.csv', ['--year-required']);
  assert.deepEqual([summary.code, ...counts(summary)], [1, 0, 1, 0, 0, 1]);
  assert.deepEqual(summary.rejects, [{ line: 3, reason: 'it has no year' }]);
  await writeFile(path('x.ndjson'), `{"id":${ids[0]},"title":"Emma"}\n{"id":${ids[0]},"year":0}\n`);
  const again = await match('x.ndjson', ['--year-required']);
  assert.deepEqual([again.code, again.updated, again.rejected], [1, 1, 1]);
});

describe('rows that cannot be matched are left out', () => {
  const table: [what: string, row: (id: number, revision: string) => string, reason: RegExp][] = [
    [
      'an id twice',
      (id, r) => `${id},Emma,Jane Austen,1815,${r}\n${id},Emma,X,1815,${r}`,
      /^line 2 has the same id$/,
    ],
    ['text as an id', () => 'x,Emma,,1,', /^its id is not the id of a book: "x"$/],
    ['a damaged revision', (id) => `${id},Emma,X,1815,7E+12`, /^its revision is damaged: "7E\+12"; empty it/],
    ['a title that is gone', (id, r) => `${id},,Jane Austen,1815,${r}`, /^it has no title$/],
    ['a new row without a title', () => ',,X,1,', /^it has no title$/],
  ];
  for (const [what, row, reason] of table) {
    test(what, async () => {
      const revision = lines[1]?.split(',').at(-1) ?? '';
      await writeFile(path('x.csv'), `id,title,author,year,revision\n${row(ids[0] ?? 0, revision)}\n`);
      const summary = await match('x.csv');
      assert.match(summary.rejects[0]?.reason ?? '', reason);
      assert.deepEqual([summary.code, summary.rejected, summary.updated], [1, 1, 0]);
      assert.equal(await list(), emma + others);
    });
  }

  test('a text that a program saved in an encoding without its characters', async () => {
    await writeFile(path('books.csv'), lines.join('\r\n').replace('书', '?'));
    const summary = await match('books.csv');
    assert.equal(summary.rejects[0]?.reason, 'its title has lost characters; save the file as "CSV UTF-8"');
  });

  test('a file without ids is refused', async () => {
    const { code, stderr } = await session.run(['import', '-', '--match', 'id'], { input: 'title\nA\n' });
    assert.match(stderr, /no column is named "id"; `export --with-ids` writes it/);
    assert.equal(code, 2);
  });
});

test('--excel makes formulas harmless, and the import takes exactly these prefixes away', async () => {
  const titles = ['=1+1', "'=1+1", "''-x", "'tis", '007', '1984', '1/2', '+1', '@x', "'"];
  const json = titles.map((title) => ({ title, author: '-A', year: -5 }));
  await session.run(['import', '-', '--json'], { input: JSON.stringify(json) });
  await session.run(['export', 'x.csv', '--excel', '--force']);
  const text = await readFile(path('x.csv'), 'utf8');
  assert.ok(text.startsWith('\uFEFFid,title,author,year,revision\r\n'));
  const cells = titles.map(
    (_, i) =>
      text
        .split('\r\n')
        .at(-titles.length - 1 + i)
        ?.split(',')[1],
  );
  assert.deepEqual(cells, ["'=1+1", "''=1+1", "'''-x", "'tis", "'007", '1984', "'1/2", "'+1", "'@x", "'"]);
  assert.match(text, /,'-A,-5,x[0-9a-f]{12}\r\n/);
  const summary = await match('x.csv');
  assert.deepEqual([summary.code, ...counts(summary)], [0, 0, 0, 13, 0, 0]);
  const skipped = await session.run(['import', 'x.csv', '--on-duplicate', 'skip', '--json']);
  assert.deepEqual((JSON.parse(skipped.stdout) as Summary).added, 0);
});
