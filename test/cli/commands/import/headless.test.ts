import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startSession } from '../../../support/session.ts';

const { folder, run } = await startSession({ after });

describe('a spreadsheet whose first line is a book', () => {
  const text = 'Emma,Jane Austen,1815\nPersuasion,Jane Austen,1817\n';

  test('is noticed, and nothing is imported', async () => {
    await writeFile(join(folder, 'list.csv'), text);
    const { code, stderr } = await run(['import', 'list.csv']);
    assert.equal(code, 2);
    assert.match(stderr, /it has: "Emma", "Jane Austen", "1815"\. If this line is a book, add --no-header\n/);
    assert.equal((await run(['list', '--count'])).stdout, '0\n');
  });

  test('is imported with --no-header: title, author, year', async () => {
    const { code, stderr } = await run(['import', 'list.csv', '--no-header']);
    assert.equal(code, 0, stderr);
    assert.equal(
      (await run(['list'])).stdout,
      '1\tEmma\tJane Austen\t1815\n2\tPersuasion\tJane Austen\t1817\n',
    );
  });

  test('has numbers for columns, in any order', async () => {
    await writeFile(join(folder, 'other.csv'), '1847;Charlotte Brontë;Jane Eyre\n');
    const columns = ['--map', 'title=3', '--map', 'author=2', '--map', 'year=1'];
    const { code, stderr } = await run(['import', 'other.csv', '--no-header', ...columns]);
    assert.equal(code, 0, stderr);
    assert.equal((await run(['list', 'eyre'])).stdout, '3\tJane Eyre\tCharlotte Brontë\t1847\n');
  });

  test('may have a title alone', async () => {
    await writeFile(join(folder, 'titles.csv'), 'Villette\nShirley\n');
    assert.equal((await run(['import', 'titles.csv', '--no-header'])).code, 0);
    assert.equal((await run(['list', 'shirley'])).stdout, '5\tShirley\t\t0\n');
  });

  test('is a usage error for a format without columns', async () => {
    await writeFile(join(folder, 'books.bib'), '@book{a, title = {Emma}}\n');
    const { code, stderr } = await run(['import', 'books.bib', '--no-header']);
    assert.deepEqual([code, stderr.includes('--no-header does not apply to BibTeX')], [2, true], stderr);
  });

  test('is a usage error, too, if the content tells such a format; so are names of columns', async () => {
    await writeFile(join(folder, 'unnamed.txt'), '@book{a, title = {Emma}}\n');
    for (const option of ['--no-header', '--map=title=booktitle']) {
      const { code, stderr } = await run(['import', 'unnamed.txt', option, '--dry-run']);
      assert.deepEqual([code, stderr.includes('does not apply to BibTeX')], [2, true], stderr);
    }
  });
});
