import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Book } from '../../../src/catalogue/book.ts';
import { titleOf, type Command } from '../../support/cli.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });
const { run } = session;

const batchOf = (text: string) => /shelflist undo ([\w-]+)\n/.exec(text)?.[1] ?? assert.fail(text);
const list = async () => (await run(['list'])).stdout;
const undo = 'to take this back: shelflist undo [\\w-]+\\n';

describe('history, revert and trash, one after the other', () => {
  before(async () => {
    for (const line of [
      ['add', '-t', 'Emma', '-y', '1815'],
      ['add', '-t', 'Sanditon'],
      ['add', '-t', 'Lady'],
      ['update', '1', '-y', '1816'],
    ])
      assert.equal((await run(line)).code, 0);
    assert.equal((await run(['trash'])).stderr, 'no deleted books\n');
    // Two commands: the trash is ordered by time, and one command deletes its books at the same time.
    for (const id of [1, 2]) assert.equal((await run(['delete', String(id), '--yes'])).code, 0);
  });

  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
  const table: { commandLine: Command; code: number; stdout: RegExp; stderr?: RegExp }[] = [
    {
      commandLine: ['history', '1'],
      code: 0,
      stdout: new RegExp(
        `^\\d+\t${time}\tdeleted\tEmma\t\t1816\t[\\w-]+\t1\n\\d+\t${time}\tupdated\tEmma\t\t1815\t\t1\n$`,
      ),
    },
    {
      commandLine: ['history', '2', '--json'],
      code: 0,
      stdout: new RegExp(
        `^\\[{"version":"\\d+","at":"${time}","change":"deleted","title":"Sanditon","author":"","year":0,"batch":"[\\w-]+","id":2}\\]\n$`,
      ),
    },
    { commandLine: ['history', '3'], code: 0, stdout: /^$/, stderr: /^book 3 has no earlier state\n$/ },
    { commandLine: ['history', '3', '--json'], code: 0, stdout: /^\[\]\n$/ },
    {
      commandLine: "printf '2\\n3-9000000\\n' | shelflist history - --json id | tr -d '\\n'",
      code: 0,
      stdout: /^\[\{"id":2\}\]$/,
    },
    {
      commandLine: ['history', '3-9'],
      code: 0,
      stdout: /^$/,
      stderr: /^these books have no earlier state\n$/,
    },
    { commandLine: ['history', '9'], code: 3, stdout: /^$/, stderr: /^shelflist: book 9 not found\n$/ },
    {
      commandLine: ['trash'],
      code: 0,
      stdout: new RegExp(`^2\tSanditon\t\t0\t${time}\t[\\w-]+\n1\tEmma\t\t1816\t${time}\t[\\w-]+\n$`),
    },
    {
      commandLine: ['trash', '--limit', '1', '--format', 'csv'],
      code: 0,
      stdout: /^id,title,author,year,deletedAt,batch\r?\n2,Sanditon,,0,.+\r?\n$/,
      stderr: /^to go on, repeat this command with --after \d+\n$/,
    },
    { commandLine: ['trash', '--limit', '0'], code: 2, stdout: /^$/, stderr: /expected a whole number/ },
    {
      commandLine: ['revert', '1', '--to', '0'],
      code: 3,
      stdout: /^$/,
      stderr: /^shelflist: book 1 not found, or has no version 0; `shelflist history 1`/,
    },
    {
      commandLine: ['revert', '1'],
      code: 0,
      stdout: /^1\tEmma\t\t1816\n$/,
      stderr: /^brought back book 1\n$/,
    },
    {
      commandLine: ['revert', '1', '--to', '0'],
      code: 3,
      stdout: /^$/,
      stderr: /^shelflist: book 1 has no version 0; `shelflist history 1` lists what is kept\n$/,
    },
    {
      commandLine: ['revert', '9'],
      code: 3,
      stdout: /^$/,
      stderr: /^shelflist: book 9 not found, or has no earlier state; /,
    },
    { commandLine: ['revert', '0'], code: 2, stdout: /^$/, stderr: /expected an id from 1/ },
    {
      commandLine: ['revert', '1', '2', '--to', '0'],
      code: 2,
      stdout: /^$/,
      stderr: /^shelflist: --to needs one id: versions are those of one book\n$/,
    },
    { commandLine: ['trash'], code: 0, stdout: new RegExp(`^2\tSanditon\t\t0\t${time}\t[\\w-]+\n$`) },
    {
      commandLine: 'shelflist revert 1 --to $(shelflist history 1 | tail -n 1 | cut -f 1) --json',
      code: 0,
      stdout: /^\[.*"year":1815}\]\n$/,
    },
    {
      commandLine: ['revert', '1'],
      code: 0,
      stdout: /^1\tEmma\t\t1816\n$/,
      stderr: /^reverted book 1: year from 1815 to 1816\n$/,
    },
    {
      commandLine: ['revert', '1'],
      code: 0,
      stdout: /^1\tEmma\t\t1815\n$/,
      stderr: /^reverted book 1: year from 1816 to 1815\n$/,
    },
    {
      commandLine: 'shelflist revert 1 --to $(shelflist history 1 | tail -n 1 | cut -f 1)',
      code: 0,
      stdout: /^1\tEmma\t\t1815\n$/,
      stderr: /^book 1 has this state already; nothing was changed\n$/,
    },
    { commandLine: ['revert', '1', '--json'], code: 0, stdout: /^\[.*"year":1816}\]\n$/ },
  ];
  for (const { commandLine, code, stdout, stderr = /^$/ } of table)
    test(titleOf(commandLine), async () => {
      const outcome = await run(commandLine);
      assert.match(outcome.stderr, stderr);
      assert.match(outcome.stdout, stdout);
      assert.equal(outcome.code, code);
    });
});

describe('undo', () => {
  test('takes an import back, and a second one takes that back', async () => {
    const books = await list();
    const imported = await run(['import', '-'], { input: 'title\nA\nB\nC\n' });
    const withImport = await list();
    const [, ids] = /\nids: (\d+\.\.\d+)\n/.exec(imported.stderr) ?? [];
    assert.ok(ids, imported.stderr);
    const undone = await run(['undo', batchOf(imported.stderr), '--yes']);
    assert.match(
      undone.stderr,
      new RegExp(`^batch of [-\\d]{10} [:\\d]{8}: created 3 books\nundid 3 books\n${undo}$`),
    );
    assert.deepEqual([undone.code, undone.stdout, await list()], [0, '', books]);
    const again = await run(['undo', batchOf(undone.stderr), '--yes', '--json']);
    assert.match(again.stdout, /^{"batch":"undo-[\w-]+","undone":3,"left":\[\]}\n$/);
    assert.deepEqual([again.code, again.stderr, await list()], [0, '', withImport]);
  });

  test('--last does not fall back to an older batch if the books of the newest were changed since', async () => {
    const books = await list();
    const older = batchOf((await run(['import', '-'], { input: 'title\nA\n' })).stderr);
    const newest = batchOf((await run(['import', '-'], { input: 'title\nChanged since\n' })).stderr);
    const { stdout } = await run(['list', '--title', 'Changed since', '--json']);
    const [book] = JSON.parse(stdout) as Book[];
    await run(['update', String(book?.id), '-y', '1900']);
    const before = await list();
    const { code, stderr } = await run(['undo', '--last', '--yes']);
    assert.match(
      stderr,
      new RegExp(
        `^shelflist: cannot take back the newest batch, ${newest} of .+: its books were changed since; name another`,
      ),
    );
    assert.deepEqual([code, await list()], [1, before]);
    await run(['delete', String(book?.id), '--yes']);
    await run(['undo', older, '--yes']);
    assert.equal(await list(), books);
  });

  test('--last takes back the newest batch that is not an undo; --list shows what can be taken back, and of which books', async () => {
    const books = await list();
    const imported = await run(['import', '-'], { input: 'title\nA\n' });
    const batch = batchOf(imported.stderr);
    const changed = await run(['import', '-'], { input: 'title\nB\nC\n' });
    const last = batchOf(changed.stderr);
    const undone = await run(['undo', '--last', '--yes']);
    assert.match(undone.stderr, /: created 2 books\nundid 2 books\n/);
    assert.match((await run(['undo', '--last', '--yes'])).stderr, /: created 1 book\nundid 1 book\n/);
    assert.deepEqual(await list(), books);
    const { stdout, stderr, code } = await run(['undo', '--list', '--limit', '4']);
    const lines = stdout.split('\n').map((line) => line.split('\t'));
    assert.match(stderr, /^to go on, repeat this command with --after \d+\n$/);
    assert.deepEqual([code, lines.length], [0, 5]);
    assert.deepEqual(
      lines.slice(0, 4).map(([name = '', , ...rest]) => [name.replace(/^undo-.+/, 'undo'), ...rest]),
      [
        ['undo', 'deleted 1 book', 'true', 'A'],
        ['undo', 'deleted 2 books', 'true', 'C, B'],
        [last, 'created 2 books', 'false', 'C, B'],
        [batch, 'created 1 book', 'false', 'A'],
      ],
    );
    const csv = await run(['undo', '--list', '--limit', '1', '--format', 'csv']);
    assert.match(csv.stdout, /^batch,at,changes,undoable,books\nundo-[^,]+,[^,]+,deleted 1 book,true,A\n$/);
    assert.equal((await run(['undo', '--last', '--format', 'csv'])).code, 2);
    const ndjson = await run(['undo', '--list', '--limit', '1', '--format', 'ndjson']);
    const json = await run(['undo', '--list', '--limit', '1', '--json']);
    assert.equal(json.stdout, `[${ndjson.stdout.trim()}]\n`);
    assert.match(
      json.stdout,
      /^\[{"batch":"undo-[\w-]+","at":"[^"]+","created":0,"updated":0,"deleted":1,"reverted":0,"undoable":true}/,
    );
  });

  for (const args of [
    [],
    ['--last', '--list'],
    ['a-batch-id', '--last'],
    ['--list', '--yes'],
    ['a-batch-id', '--list'],
  ])
    test(`${args.join(' ')}: names one batch, --last or --list`, async () => {
      const { stdout, stderr, code } = await run(['undo', ...args]);
      assert.deepEqual([stdout, code], ['', 2]);
      assert.match(stderr, /name a batch, or give --last or --list|cannot be used with/);
    });

  test('leaves books that were changed since, lists them, and exits with 1', async () => {
    const { stdout } = await run(['import', '-', '--json'], { input: 'title\nA\nB\nC\n' });
    const { batch, ids } = JSON.parse(stdout) as { batch: string; ids: number[] };
    const first = String(ids[0]);
    await run(['update', first, '--year', '7']);
    const undone = await run(['undo', batch, '--yes']);
    assert.match(
      undone.stderr,
      new RegExp(
        `undid 2 books\nskipped 1 book: ${first}\n${undo}shelflist: skipped 1 book that was changed since\n$`,
      ),
    );
    assert.equal(undone.code, 1);
  });

  test('says that a batch is already undone', async (context) => {
    const summary = {
      batch: 'my-import',
      at: '2026-01-02T03:04:05.678Z',
      created: 2,
      updated: 0,
      deleted: 0,
      reverted: 0,
      undoable: true,
    };
    const server = await startStranger(context, (request, response) => {
      const data = request.method === 'GET' ? summary : { batch: null, undone: 0, left: [], next: null };
      response.end(JSON.stringify({ status: 200, message: 'x', data }));
    });
    const env = { SHELFLIST_URL: server.url, SHELFLIST_TOKEN: 'x' };
    const { code, stdout, stderr } = await run(['undo', 'my-import', '--yes'], { env });
    assert.match(stderr, /: created 2 books\nbatch my-import is already undone\n$/);
    assert.deepEqual([code, stdout], [0, '']);
    const asJson = await run(['undo', 'my-import', '--yes', '--json'], { env });
    assert.deepEqual(asJson, { code: 0, stdout: '{"batch":null,"undone":0,"left":[]}\n', stderr: '' });
  });

  test('says how to go on after the service failed in between', async (context) => {
    const counts = { created: 2000, updated: 0, deleted: 0, reverted: 0 };
    const summary = { batch: 'my-import', at: '2026-01-02T03:04:05.678Z', ...counts, undoable: true };
    let steps = 0;
    const server = await startStranger(context, (request, response) => {
      if (request.method === 'POST' && ++steps > 1) return response.destroy();
      const step = { batch: 'my-undo-1', undone: 1000, left: [], next: 1000 };
      const data = request.method === 'GET' ? summary : step;
      return response.end(JSON.stringify({ status: 200, message: 'x', data }));
    });
    const env = { SHELFLIST_URL: server.url, SHELFLIST_TOKEN: 'x' };
    const { code, stderr } = await run(['undo', 'my-import', '--yes'], { env });
    assert.match(stderr, /\nshelflist: .+; repeat it to undo the rest\n$/);
    assert.equal(code, 5);
  });

  test('takes back the books that an import updated', async () => {
    await run(['import', '-'], { input: 'title,author\nPersuasion,Jane Austen\n' });
    const books = await list();
    const input = 'title,author\nPERSUASION,JANE AUSTEN\n';
    const updated = await run(['import', '-', '--on-duplicate', 'update'], { input });
    assert.match(updated.stderr, new RegExp(`, updated 1, left out 0\n${undo}$`));
    assert.notEqual(await list(), books);
    await run(['undo', batchOf(updated.stderr), '--yes']);
    assert.equal(await list(), books);
  });

  test('of an unknown batch exits with 3, of an invalid one with 2, and without --yes with 2', async () => {
    for (const [line, code, stderr] of [
      [
        ['unknown-batch', '--yes'],
        3,
        /^shelflist: batch unknown-batch not found: no book was changed in it, .+; check the id\n$/,
      ],
      [
        ['x', '--yes'],
        2,
        /invalid <batch> 'x': expected 8 to 64 letters, digits, _ and -; `shelflist undo --list` shows them\n/,
      ],
      [['unknown-batch'], 2, /^shelflist: undoing a batch without a terminal needs --yes\n$/],
    ] as const) {
      const outcome = await run(['undo', ...line]);
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.code, code);
    }
  });

  test('asks on a terminal', { skip: noTerminal }, async () => {
    const books = await list();
    const { stderr } = await run(['import', '-'], { input: 'title\nA\n' });
    const options = { cwd: session.folder, env: { SHELFLIST_URL: session.service.url } };
    const line = `shelflist undo ${batchOf(stderr)}`;
    const no = await terminal(line, options, [['Take it back? [y/N]', 'n']]);
    assert.match(no.screen, /: created 1 book \(A\)\n[^]*\nshelflist: nothing was undone\n$/);
    assert.equal(no.code, 1);
    const yes = await terminal(line, options, [['Take it back? [y/N]', 'y']]);
    assert.equal(yes.code, 0);
    assert.equal(await list(), books);
    const again = await terminal(line, options, []);
    assert.match(again.screen, /^batch of .+: created 1 book \(A\)\n[^]*batch \w+ is already undone\n$/);
    assert.doesNotMatch(again.screen, /Take it back/);
    assert.equal(again.code, 0);
  });

  test('does not ask when all books were changed since', { skip: noTerminal }, async () => {
    const { stdout } = await run(['import', '-', '--json'], { input: 'title\nA\n' });
    const { batch, ids } = JSON.parse(stdout) as { batch: string; ids: number[] };
    const id = String(ids[0]);
    await run(['update', id, '--year', '7']);
    const options = { cwd: session.folder, env: { SHELFLIST_URL: session.service.url } };
    const { code, screen } = await terminal(`shelflist undo ${batch}`, options, []);
    assert.match(screen, new RegExp(`\\nskipped 1 book: ${id}\n`));
    assert.doesNotMatch(screen, /Take it back/);
    assert.equal(code, 1);
  });
});

describe('change', () => {
  const austin = '"title","author"\n"Emma","Jane Austin"\n"Emma","jane austin"\n"Emma","Jane Austen"\n';
  const authors = async () => {
    const { stdout } = await run(['list', '--title', 'Emma', '--json']);
    return (JSON.parse(stdout) as Book[]).map(({ author }) => author);
  };
  before(async () => {
    await run(['delete', '--title', 'Emma', '--yes']);
    await run(['import', '-'], { input: austin });
  });

  test('--dry-run shows the books as they would be, and changes nothing', async () => {
    const before = await authors();
    const line = ['change', '--author', 'Jane Austin', '--to-author', 'Jane Austen', '--dry-run'];
    const { code, stdout, stderr } = await run(line);
    assert.match(stdout, /^\d+\tEmma\tJane Austen\t0\n\d+\tEmma\tJane Austen\t0\n$/);
    assert.deepEqual([code, stderr, await authors()], [0, 'would change 2 books\n', before]);
  });

  test('changes the books of a query, and one undo takes all back', async () => {
    const before = await authors();
    const line = ['change', '--author', 'Jane Austin', '--to-author', 'Jane Austen', '--yes'];
    const { code, stdout, stderr } = await run(line);
    assert.match(stderr, new RegExp(`^changed 2 books\n${undo}$`));
    assert.deepEqual([code, stdout, await authors()], [0, '', Array(3).fill('Jane Austen')]);
    const again = await run(line);
    assert.deepEqual([again.code, again.stderr], [0, 'changed 0 books\n']);
    // Books that have the value already do not count, nor are they part of a batch.
    const dry = await run(['change', '--title', 'Emma', '--to-author', 'Jane Austen', '--dry-run', '--json']);
    assert.deepEqual([dry.code, dry.stdout], [0, '[]\n']);
    await run(['undo', batchOf(stderr), '--yes']);
    assert.deepEqual(await authors(), before);
  });

  test('leaves the books of authors and titles alone that differ in vowel signs or other signs', async () => {
    const input = 'title,author\nA,राम\nB,रोम\nIn C,रमा\nIn C++,กิน\nIn C#,กัน\n"In C.",Unmistakable\n';
    await run(['import', '-'], { input });
    const changed = async (...line: string[]) => {
      const { stderr } = await run(['change', ...line, '--yes']);
      await run(['undo', batchOf(stderr), '--yes']);
      return stderr.split('\n', 1)[0];
    };
    assert.equal(await changed('--author', 'राम', '--to-author', 'Ram'), 'changed 1 book');
    assert.equal(await changed('--author', 'กิน', '--to-author', 'Kin'), 'changed 1 book');
    assert.equal(await changed('--title', 'in c', '--to-year', '1'), 'changed 2 books');
    assert.equal(await changed('--title', 'in c#', '--to-year', '1'), 'changed 1 book');
    const { stdout } = await run(['list', '--title', 'In C', '--json']);
    assert.deepEqual(
      (JSON.parse(stdout) as Book[]).map(({ title }) => title),
      ['In C', 'In C.'],
    );
  });

  const table: [commandLine: Command, code: number, stderr: RegExp][] = [
    [
      ['change', '--author', 'x', '--yes'],
      2,
      /^shelflist: name at least one of --to-title, --to-author and --to-year\n$/,
    ],
    [
      ['change', '--to-author', 'x', '--yes'],
      2,
      /^shelflist: name ids, or words and filters that select books, or --all for every book\n$/,
    ],
    [['change', 'emma', '--to-author', 'x', '--all', '--yes'], 2, /^shelflist: name ids, or words and/],
    [
      ['change', 'emma', '--to-author', 'x'],
      2,
      /^shelflist: changing several books without a terminal needs --yes\n$/,
    ],
    [['change', 'emma', '--to-year', '1.5', '--yes'], 2, /expected a whole number/],
    [['change', '-', '--to-year', '1', '--yes'], 0, /^changed 0 books\n$/],
    [['change', '!', '--to-year', '1', '--yes'], 2, /nothing to search for/],
  ];
  for (const [line, code, stderr] of table)
    test(`${titleOf(line)}: ${code}`, async () => {
      const before = await list();
      const outcome = await run(line);
      assert.match(outcome.stderr, stderr);
      assert.deepEqual([outcome.code, outcome.stdout, await list()], [code, '', before]);
    });

  test('--all changes every book; integers and empty texts too', async () => {
    const before = await list();
    const { stdout } = await run(['change', '--all', '--to-year=-7', '--to-title', '', '--yes', '--json']);
    const { batch, changed, left } = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal((changed as number[]).length, before.split('\n').length - 1);
    assert.deepEqual(left, []);
    assert.match(await list(), /^(\d+\t\t.*\t-7\n)+$/);
    await run(['undo', String(batch), '--yes']);
    assert.equal(await list(), before);
  });
});

describe('delete', () => {
  let first: number;
  before(async () => {
    const { stdout } = await run(['import', '-', '--json'], {
      input: `title\n"Volume\n0"\n${Array.from({ length: 29 }, (_, i) => `Volume ${i + 1}\n`).join('')}`,
    });
    first = Number((JSON.parse(stdout) as { ids: number[] }).ids[0]);
  });

  test('takes ranges, of which some books may be gone, and one undo brings all back', async () => {
    const before = await list();
    await run(['delete', String(first + 2)]);
    const { code, stderr } = await run([
      'delete',
      String(first),
      `${first + 1}..${first + 4}`,
      `${first + 9}..9007199254740991`,
      '--yes',
    ]);
    assert.match(
      stderr,
      new RegExp(
        `^deleted 25 books: ${first}\\.\\.${first + 1}, ${first + 3}\\.\\.${first + 4}, ${first + 9}\\.\\.${first + 29}\n${undo}$`,
      ),
    );
    assert.equal(code, 0);
    await run(['undo', batchOf(stderr), '--yes']);
    await run(['revert', String(first + 2)]);
    assert.equal(await list(), before);
  });

  test('takes ids from standard input, and a query', async () => {
    const before = await list();
    const input = `${first}\n${first + 1} ${first + 2}..${first + 3}\n`;
    const byId = await run(['delete', '-', '--yes'], { input });
    assert.match(byId.stderr, /^deleted 4 books/);
    const byQuery = await run(['delete', '--words', 'volume', '--year', '0', '--yes']);
    assert.match(byQuery.stderr, /^deleted 26 books/);
    for (const { stderr } of [byId, byQuery]) await run(['undo', batchOf(stderr), '--yes']);
    assert.equal(await list(), before);
  });

  const table: { line: Command; code: number; stderr: RegExp; input?: string }[] = [
    { line: ['delete'], code: 2, stderr: /^shelflist: name ids, or words and filters that select books\n$/ },
    {
      line: ['delete', '1', '--author', 'x', '--yes'],
      code: 2,
      stderr: /^shelflist: name ids, or words and filters, but not both\n$/,
    },
    {
      line: ['delete', '7..3', '--yes'],
      code: 2,
      stderr: /^shelflist: invalid id '7\.\.3': the range is reversed; did you mean 3\.\.7\?\n$/,
    },
    {
      line: ['delete', '1..2..3', '--yes'],
      code: 2,
      stderr: /expected an id from 1 to 2\^53-1, or a range such as 3-7\n$/,
    },
    { line: ['delete', '1..x', '--yes'], code: 2, stderr: /expected an id from 1/ },
    { line: ['delete', '1..', '--yes'], code: 2, stderr: /expected an id from 1/ },
    {
      line: ['delete', '-', '--yes'],
      code: 2,
      stderr: /^shelflist: invalid "x" on standard input: expected an id from 1/,
      input: '1,x',
    },
    {
      line: ['delete', '-', '--yes'],
      code: 2,
      stderr: /^shelflist: invalid "7\.\.3" on standard input: the range is reversed/,
      input: '1 7..3',
    },
    {
      line: ['delete', '--author', 'x'],
      code: 2,
      stderr: /^shelflist: deleting several books without a terminal needs --yes\n$/,
    },
    { line: ['delete', '--author', 'nobody', '--yes'], code: 0, stderr: /^deleted 0 books\n$/ },
  ];
  for (const { line, code, stderr, input } of table)
    test(`${titleOf(line)}: ${code}`, async () => {
      const before = await list();
      const outcome = await run(line, input === undefined ? {} : { input });
      assert.match(outcome.stderr, stderr);
      assert.deepEqual([outcome.code, await list()], [code, before]);
    });

  test('shows the books before it asks', { skip: noTerminal }, async () => {
    const options = { cwd: session.folder, env: { SHELFLIST_URL: session.service.url } };
    const { code, screen } = await terminal(`shelflist delete ${first}..${first + 11}`, options, [
      ['Delete 12 books? [y/N]', 'n'],
    ]);
    assert.match(screen, new RegExp(`^${first}  Volume 0    0\n`));
    assert.match(screen, /Volume 9 .+\n… and 2 more\n/);
    assert.equal(code, 1);
  });
});
