import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Book } from '../../../src/catalogue/book.ts';
import { startSession } from '../../support/session.ts';

describe('a catalogue of several thousand books', () => {
  const count = 3_500;
  test('--limit reads as many books as requested, page by page', async (context) => {
    const many = await startSession(context);
    const rows = Array.from({ length: count }, (_, i) => `Vol. ${i + 1},${i % 2 === 0 ? 'Even' : 'Odd'}\n`);
    await many.run(['import', '-'], { input: `title,author\n${rows.join('')}` });
    const table: [options: string[], books: number, last: number][] = [
      [['--limit', '999'], 999, 999],
      [['--limit', '1000'], 1000, 1000],
      [['--limit', '1001'], 1001, 1001],
      [['--limit', '2500'], 2500, 2500],
      [['--limit', '3500'], count, count],
      [['--limit', '99999'], count, count],
      [[], count, count],
      [['odd', '--limit', '1500'], 1500, 3000],
      [['odd', '--limit', '9999'], count / 2, count],
      [['--sort', '-id', '--limit', '3000'], 3000, 501],
      [['--sort', 'title', '--limit', '1100'], 1100, 1100],
    ];
    for (const [options, length, last] of table) {
      const { code, stdout, stderr } = await many.run(['list', ...options, '--format', 'ndjson']);
      const ids = stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Book).id);
      assert.deepEqual([ids.length, ids.at(-1)], [length, last], options.join(' '));
      assert.equal(new Set(ids).size, length, options.join(' '));
      assert.equal(code, 0);
      // A list that --limit ends says how to go on.
      const isWhole = length === (options[0] === 'odd' ? count / 2 : count);
      assert.match(stderr, isWhole ? /^$/ : /^to go on, repeat this command with --after \S+\n$/);
    }
    const { stdout } = await many.run(['list', '--count', 'odd']);
    assert.equal(stdout, `${count / 2}\n`);
    for (const options of ['', '--limit 3000', '--format csv --sort title']) {
      const outcome = await many.run(`set -o pipefail; shelflist list ${options} | head -1`);
      assert.deepEqual([outcome.code, outcome.stderr], [0, ''], options);
      assert.match(outcome.stdout, /^.+\n$/);
    }
  });
});
