import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { titleOf, type Command } from '../../support/cli.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });

const emma = '1\tEmma\tJane Austen\t1815';
const hobbit = '2\tThe Hobbit\tJ.R.R. Tolkien\t1937';

/** An outcome with a placeholder for the batch, which differs from run to run. */
function withoutBatch<Outcome extends { stdout: string; stderr: string }>(outcome: Outcome): Outcome {
  const hide = (text: string) => text.replace(/(undo |"batch":")[A-Za-z0-9_-]{8,}/, '$1BATCH');
  return { ...outcome, stdout: hide(outcome.stdout), stderr: hide(outcome.stderr) };
}

describe('add says that the catalogue has a book already', () => {
  const table: [command: Command, stdout: string, stderr: string][] = [
    [['add', '--title', 'Emma', '--author', 'Jane Austen', '--year', '1815'], `${emma}\n`, ''],
    [['add', '-t', 'The Hobbit', '-a', 'J.R.R. Tolkien', '-y', '1937', '--if-new'], `${hobbit}\n`, ''],
    [
      ['add', '-t', 'émma!', '-a', 'jane austen', '-y', '1996'],
      '3\témma!\tjane austen\t1996\n',
      'note: book 1 has the same title and author\n',
    ],
    [
      ['add', '-t', 'EMMA', '-a', 'Jane Austen', '--if-new'],
      `${emma}\n`,
      'not added: book 1 has the same title and author\n',
    ],
    [
      ['add', '-t', 'EMMA', '-a', 'Jane Austen', '--if-new', '--json'],
      '{"id":1,"title":"Emma","author":"Jane Austen","year":1815}\n',
      '',
    ],
    [
      ['add', '-t', 'Emma', '-a', 'Jane Austen', '-y', '1815', '--json'],
      '{"id":4,"title":"Emma","author":"Jane Austen","year":1815}\n',
      '',
    ],
    [['add', '-t', 'C++', '-a', 'Stroustrup'], '5\tC++\tStroustrup\t0\n', ''],
    [['add', '-t', 'C', '-a', 'Stroustrup'], '6\tC\tStroustrup\t0\n', ''],
    [['add', '-t', 'The Hobit', '-a', 'J.R.R. Tolkien'], '7\tThe Hobit\tJ.R.R. Tolkien\t0\n', ''],
    [['add', '-y', '1900'], '8\t\t\t1900\n', ''],
    [['add', '-y', '1901', '--if-new'], '9\t\t\t1901\n', ''],
  ];
  for (const [command, stdout, stderr] of table) {
    test(titleOf(command), async () => {
      assert.deepEqual(await session.run(command), { code: 0, stdout, stderr });
    });
  }

  test('a title that is too long for a query is added', async () => {
    const { code, stdout, stderr } = await session.run(['add', '-t', 'x'.repeat(30_000), '--json']);
    assert.deepEqual([code, JSON.parse(stdout).id, stderr], [0, 10, '']); // eslint-disable-line @typescript-eslint/no-unsafe-member-access -- a book.
  });
});

describe('duplicates and merge, one after the other', () => {
  const table: { command: Command; code: number; stdout: string; stderr: string | RegExp }[] = [
    { command: ['duplicates'], code: 0, stdout: `1\t${emma}\n1\t4\tEmma\tJane Austen\t1815\n`, stderr: '' },
    {
      command: ['duplicates', '--level', 'year', '--format', 'csv'],
      code: 0,
      stdout:
        'group,id,title,author,year\n1,1,Emma,Jane Austen,1815\n1,3,émma!,jane austen,1996\n1,4,Emma,Jane Austen,1815\n' +
        '2,8,,,1900\n2,9,,,1901\n',
      stderr: '',
    },
    {
      command: ['duplicates', '--level', 'typo', '--format', 'ndjson'],
      code: 0,
      stdout:
        '[{"id":1,"title":"Emma","author":"Jane Austen","year":1815},{"id":4,"title":"Emma","author":"Jane Austen","year":1815}]\n' +
        '[{"id":2,"title":"The Hobbit","author":"J.R.R. Tolkien","year":1937},{"id":7,"title":"The Hobit","author":"J.R.R. Tolkien","year":0}]\n',
      stderr: '',
    },
    {
      command: ['duplicates', '--level', 'all'],
      code: 2,
      stdout: '',
      stderr: /expected one of same, year, typo/,
    },
    {
      command: ['merge', '1', '4'],
      code: 2,
      stdout: '',
      stderr: 'shelflist: merging books without a terminal needs --yes\n',
    },
    {
      command: ['merge', '1', '1', '--yes'],
      code: 2,
      stdout: '',
      stderr: 'shelflist: book 1 cannot be both kept and deleted\n',
    },
    { command: ['merge', '1', '99', '--yes'], code: 3, stdout: '', stderr: 'shelflist: book 99 not found\n' },
    {
      command: ['merge', '1', '2', '4', '--yes'],
      code: 1,
      stdout: '',
      stderr:
        'shelflist: these books are not duplicates of the first one; use --force to merge them, or `delete`:\n' +
        `  ${emma}\n  ${hobbit}\n`.replaceAll('\t', '  '),
    },
    {
      command: ['merge', '1', '4', '3', '4', '--yes'],
      code: 0,
      stdout: '',
      stderr:
        'keep book 1  Emma  Jane Austen  1815\ndelete book 4  Emma  Jane Austen  1815\ndelete book 3  émma!  jane austen  1996\n' +
        'deleted book 4\ndeleted book 3\nto take this back: shelflist undo BATCH\n',
    },
    {
      command: ['merge', '2', '7', '--yes', '--json'],
      code: 0,
      stdout:
        '{"kept":{"id":2,"title":"The Hobbit","author":"J.R.R. Tolkien","year":1937},"deleted":[7],"batch":"BATCH"}\n',
      stderr: '',
    },
    {
      command: ['merge', '1', '2', '--force', '--yes'],
      code: 0,
      stdout: '',
      stderr: /^keep book 1 .*\ndelete book 2 .*\ndeleted book 2\nto take this back: shelflist undo BATCH\n$/,
    },
    { command: ['duplicates', '--level', 'typo', '--json'], code: 0, stdout: '[]\n', stderr: '' },
    { command: ['list', 'emma'], code: 0, stdout: `${emma}\n`, stderr: '' },
  ];
  for (const { command, code, stdout, stderr } of table) {
    test(titleOf(command), async () => {
      const outcome = withoutBatch(await session.run(command));
      if (stderr instanceof RegExp) assert.match(outcome.stderr, stderr);
      assert.deepEqual({ ...outcome, ...(stderr instanceof RegExp && { stderr }) }, { code, stdout, stderr });
    });
  }

  test('on a terminal, merge asks, and duplicates says how to merge', { skip: noTerminal }, async () => {
    await session.run(['add', '-t', 'Emma', '-a', 'Jane Austen', '-y', '1815']);
    const options = { cwd: session.folder, env: { SHELFLIST_URL: session.service.url, NO_COLOR: '1' } };
    const found = await terminal('shelflist duplicates', options);
    assert.match(found.screen, /^GROUP +ID +TITLE/);
    assert.match(found.screen, /\n1 group; to keep the first book of a group: shelflist merge 1 11\n$/);
    const refused = await terminal('shelflist merge 1 11', options, [['[y/N]', 'n']]);
    assert.equal(refused.code, 1);
    assert.match(refused.screen, /Delete 1 book\?[^]*\nshelflist: nothing was deleted\n$/);
    const merged = await terminal('shelflist merge 1 11', options, [['[y/N]', 'y']]);
    assert.equal(merged.code, 0);
    const [, undo = ''] =
      /deleted book 11\nto take this back: (shelflist undo \w+)\n$/.exec(merged.screen) ?? [];
    assert.match(
      (await terminal('shelflist duplicates', options)).screen,
      /no duplicates; --level year and --level typo find less similar books\n$/,
    );
    assert.equal((await session.run(`${undo} --yes`)).code, 0);
    assert.match((await session.run(['get', '11'])).stdout, /^11\tEmma\t/);
  });
});

describe('a book that changes while merge runs', () => {
  /** Merges book 2 into book 1, which has this year when it is read again, at a service that answers a delete in this way. */
  async function mergeAt(t: TestContext, yearOfKept: number, onDelete: number) {
    const envelope = (status: number, message: string, data: unknown = null) =>
      JSON.stringify({ status, message, data });
    const read = new Set<string>();
    const stranger = await startStranger(t, ({ method, url = '' }, response) => {
      const id = Number(url.slice('/book/'.length));
      const year = id === 1 && read.has(url) ? yearOfKept : 1815;
      read.add(url);
      const book = { id, title: 'Emma', author: 'Jane Austen', year };
      const status = method === 'DELETE' ? onDelete : 200;
      response.writeHead(status, { ETag: `"${year}"` });
      if (status === 412) response.end(envelope(412, 'Precondition failed'));
      else response.end(envelope(200, 'Book retrieved successfully', book));
    });
    const env = { SHELFLIST_URL: stranger.url, SHELFLIST_TOKEN: 'a.b.c' };
    const outcome = await session.run(['merge', '1', '2', '--yes', '--json'], { env });
    return { ...outcome, deletes: stranger.requests.filter((each) => each.startsWith('DELETE')).length };
  }

  test('the kept book: nothing is deleted', async (t) => {
    const { code, stdout, stderr, deletes } = await mergeAt(t, 1816, 200);
    assert.deepEqual([code, stdout, deletes], [1, '', 0]);
    assert.match(stderr, /"precondition_failed","message":"book 1 has changed; nothing was deleted"/);
  });

  test('the other book: it is not deleted', async (t) => {
    const { code, stdout, stderr, deletes } = await mergeAt(t, 1815, 412);
    assert.deepEqual([code, deletes], [1, 1]);
    assert.match(stdout, /"deleted":\[\]/);
    assert.match(stderr, /"precondition_failed","message":"book 2 has changed; it was not deleted"/);
  });
});
