import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { bookOf } from '../../support/books.ts';
import { startSession } from '../../support/session.ts';

const session = await startSession({ after });
const books = [
  bookOf({ title: 'Emma', author: 'Jane Austen' }),
  bookOf({ title: 'Persuasion', author: 'Jane Austen' }),
  bookOf({ title: 'Jane Eyre', author: 'Charlotte Brontë' }),
];
await session.run(['import', '-'], { input: JSON.stringify(books) });

describe('suggest', () => {
  const table: [args: string[], stdout: string, stderr?: string][] = [
    [['author', 'jan'], 'Jane Austen\t2\n'],
    [['author'], 'Jane Austen\t2\nCharlotte Brontë\t1\n'],
    [['author', 'AUST', 'jan'], 'Jane Austen\t2\n'],
    [['title', 'jan', 'eyr', '--json'], '[{"value":"Jane Eyre","count":1}]\n'],
    [['title', 'jan', '--format', 'csv'], 'value,count\nJane Eyre,1\n'],
    [['author', 'jan', '--format', 'table'], 'VALUE        COUNT\nJane Austen      2\n'],
    [['author', 'nobody'], '', 'no author matches: each word must begin one of its words\n'],
    [['author', 'nobody', '--json'], '[]\n'],
  ];
  for (const [args, stdout, stderr = ''] of table) {
    test(`suggest ${args.join(' ')}`, async () => {
      assert.deepEqual(await session.run(['suggest', ...args]), { code: 0, stdout, stderr });
    });
  }

  test('another field is a usage error', async () => {
    for (const args of [[], ['year'], ['publisher', 'x']]) {
      const { code, stdout } = await session.run(['suggest', ...args]);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    }
  });
});
