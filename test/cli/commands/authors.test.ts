import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { titleOf, type Command } from '../../support/cli.ts';
import { startSession } from '../../support/session.ts';

const session = await startSession({ after });
for (const author of ['Jane Austen', 'Jane Austen', 'Austen, Jane', 'JANE AUSTEN', 'J.R.R. Tolkien'])
  await session.run(['add', '-t', `By ${author}`, '-a', author]);

describe('authors', () => {
  const table: [command: Command, stdout: string, stderr: string][] = [
    [['authors'], 'Austen, Jane\t1\nJ.R.R. Tolkien\t1\nJane Austen\t3\n', ''],
    [['authors', 'aust', 'j', '--sort', '-count'], 'Jane Austen\t3\nAusten, Jane\t1\n', ''],
    [
      ['authors', '--limit', '1', '--json'],
      '[{"author":"Austen, Jane","count":1}]\n',
      'to go on, repeat this command with --after WyJPNjNLZnFrZEFzOSIsImF1c3RlbiBqYW5lIl0\n',
    ],
    [['authors', '--format', 'csv', 'tolk'], 'author,count\nJ.R.R. Tolkien,1\n', ''],
    [['authors', 'nobody'], '', 'no author matches: each word must begin one of its words\n'],
    [['authors', '--variants'], '1\tJane Austen\t2\n1\tAusten, Jane\t1\n1\tJANE AUSTEN\t1\n', ''],
    [
      ['authors', '--variants', '--json'],
      '[[{"author":"Jane Austen","count":2},{"author":"Austen, Jane","count":1},{"author":"JANE AUSTEN","count":1}]]\n',
      '',
    ],
    [['authors', '--variants', 'tolkien'], '', 'no author that matches has several spellings\n'],
  ];
  for (const [command, stdout, stderr] of table)
    test(titleOf(command), async () => {
      assert.deepEqual(await session.run(command), { code: 0, stdout, stderr });
    });

  const refused: [command: Command, stderr: RegExp][] = [
    [['authors', '--join', 'Jane Austen', 'X'], /joining authors without a terminal needs --yes/],
    [['authors', '--join', 'Jane Austen', '--yes'], /--join needs the spelling to keep/],
    [['authors', '--join', '--variants', 'A', 'B'], /cannot be used with|conflict/],
  ];
  for (const [command, expected] of refused)
    test(`${titleOf(command)} is refused`, async () => {
      const { code, stderr } = await session.run(command);
      assert.equal(code, 2);
      assert.match(stderr, expected);
    });

  test('--join says which spellings no book has', async () => {
    const { code, stderr } = await session.run([
      'authors',
      '--join',
      'Jane Austen',
      'Nobody',
      'J.R.R. Tolkien',
      '--yes',
    ]);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^no book has the author "Nobody"; `shelflist authors --variants` lists spellings\n1 book to/,
    );
    await session.run(['undo', '--last', '--yes']);
  });

  test('--join gives all books the first spelling, as one batch that one undo takes back', async () => {
    const join = ['authors', '--join', 'Jane Austen', 'austen, jane', 'JANE AUSTEN', '--yes'];
    const { code, stderr } = await session.run(join);
    assert.equal(code, 0);
    const [, batch = ''] =
      /^2 books to change to "Jane Austen"\nchanged 2 books\nto take this back: \S+ undo (\S+)\n$/.exec(
        stderr,
      ) ?? [];
    assert.ok(batch, stderr);
    assert.equal((await session.run(['authors', 'austen'])).stdout, 'Jane Austen\t4\n');
    assert.equal((await session.run(['undo', batch, '--yes'])).code, 0);
    assert.equal((await session.run(['authors', 'austen'])).stdout, 'Austen, Jane\t1\nJane Austen\t3\n');
  });
});
