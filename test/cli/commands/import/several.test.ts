import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startSession } from '../../../support/session.ts';

const { run, folder } = await startSession({ after });
const files = {
  'one.csv': 'title,author\nNana,Zola\nRome,Zola\n',
  'two.tsv': 'name\tyear\nPot\t1880\n\t1881\n',
  'none.csv': 'colour\nred\n',
  'broken.json': '[{"title":"Pot"},{"ti',
};
for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
const count = async () => (await run(['list', '--count'])).stdout;

test('several files are one batch, and each is named', async () => {
  const { code, stderr } = await run(['import', 'one.csv', 'two.tsv']);
  assert.match(
    stderr,
    /^one\.csv \(1 of 2\):\n[^]*added 2 books[^]*\ntwo\.tsv \(2 of 2\):\n[^]*added 1 book/,
  );
  assert.match(stderr, /\n2 files: added 3 books, left out 1\n/);
  assert.equal(code, 1);
  assert.equal(await count(), '3\n');
  const [, batch = ''] = /shelflist undo (\w+)\n/.exec(stderr) ?? [];
  await run(['undo', batch, '--yes']);
  assert.equal(await count(), '0\n');
});

test('--json writes a line for each file', async () => {
  const { stdout } = await run(['import', 'one.csv', 'two.tsv', '--json']);
  const lines = stdout.trimEnd().split('\n');
  const found = lines.map((line) => JSON.parse(line) as { file: string; added: number; batch: string });
  assert.deepEqual(
    found.map(({ file, added }) => [file, added]),
    [
      ['one.csv', 2],
      ['two.tsv', 1],
    ],
  );
  assert.equal(found[0]?.batch, found[1]?.batch);
  await run(['undo', '--last', '--yes']);
});

test('a row repeats that of another file as it would one of its own', async () => {
  const again = 'title,author\nNANA,Zola\nPot,Zola\n';
  await writeFile(join(folder, 'again.csv'), again);
  const line = ['import', 'one.csv', 'again.csv', '--on-duplicate', 'skip', '--json'];
  const counts = async (...options: string[]) => {
    const { stdout } = await run([...line, ...options]);
    return stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { added: number; skipped: number })
      .map(({ added, skipped }) => [added, skipped]);
  };
  const expected = [
    [2, 0],
    [1, 1],
  ];
  assert.deepEqual(await counts('--dry-run'), expected);
  assert.deepEqual(await counts(), expected);
  await run(['undo', '--last', '--yes']);
});

test('--match id changes a book once, whatever the number of files', async () => {
  const [id = ''] = (await run(['add', '-t', 'Nana'])).stdout.split('\t');
  for (const [file, title] of Object.entries({ 'a.csv': 'Rome', 'b.csv': 'Pot' }))
    await writeFile(join(folder, file), `id,title\n${id},${title}\n`);
  for (const options of [['--dry-run'], []]) {
    const { code, stderr } = await run(['import', '--match', 'id', 'a.csv', 'b.csv', ...options]);
    assert.match(stderr, /line 2 left out: line 2 of a\.csv has the same id\n/);
    assert.equal(code, 1);
  }
  assert.match((await run(['get', id])).stdout, /\tRome\t/);
  await run(['delete', id]);
});

describe('a bad file stops the import before anything is written', () => {
  const table: [line: string[], code: number, stderr: RegExp][] = [
    [['none.csv'], 2, /^shelflist: none\.csv: no column looks like the title[^]*; nothing was imported\n$/],
    [['broken.json'], 1, /^shelflist: broken\.json: .*; nothing was imported\n$/],
    [
      ['missing.csv'],
      1,
      /^shelflist: missing\.csv: cannot read missing\.csv: no such file; nothing was imported\n$/,
    ],
    [['-'], 2, /^shelflist: -: it can be read only once; import it alone; nothing was imported\n$/],
    [['two.tsv', '--rejects', 'left.csv'], 2, /^shelflist: --rejects is for one file/],
    [['two.tsv', '--sheet', 'A'], 2, /^shelflist: one\.csv: --sheet is for workbooks/],
  ];
  for (const [line, expected, pattern] of table)
    test(line.join(' '), async () => {
      const { code, stderr } = await run(['import', 'one.csv', ...line]);
      assert.match(stderr, pattern);
      assert.equal(code, expected);
      assert.equal(await count(), '0\n');
    });
});
