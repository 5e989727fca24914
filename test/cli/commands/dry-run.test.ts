import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSession } from '../../support/session.ts';

const { run, folder } = await startSession({ after });
await run(['add', '-t', 'Nana']);
const store = ['--database-url', 'file:./data'];

test('backup, restore and copy with --dry-run say what they would do, and write nothing', async () => {
  await mkdir(join(folder, 'backups'));
  await run(['backup', 'books.backup', ...store]);
  await run(['backup', 'backups', '--keep', '3', ...store]);
  const [kept = ''] = await readdir(join(folder, 'backups'));
  await symlink('nowhere', join(folder, 'link'));
  const before = (await readdir(folder, { recursive: true })).sort();
  const table: [line: string[], code: number, stderr: RegExp][] = [
    [
      ['backup', 'new.backup', ...store],
      0,
      /^would back up the store, whose last id is 1, to new\.backup\n$/,
    ],
    [['backup', '-', ...store], 0, / to standard output\n$/],
    [['backup', 'books.backup', ...store], 1, /exists already; --force replaces it\n$/],
    [['backup', 'nowhere/new.backup', ...store], 1, /cannot write to the folder .+nowhere \(ENOENT\)\n$/],
    [['backup', 'new.backup', '--database-url', 'file:./none'], 1, /there is no store/],
    [['backup', 'backups', '--keep', '1', ...store], 0, new RegExp(`\nwould remove ${kept}\n$`)],
    [
      ['restore', 'books.backup', '--database-url', 'file:./copy'],
      0,
      /^would restore 1 book to .*copy; the last id is 1\n$/,
    ],
    [['restore', 'books.backup', ...store], 1, /data: there is a store already; stop its service/],
    [['restore', 'books.backup', '--database-url', 'file:./backups'], 1, /the folder contains other files/],
    [['restore', 'books.backup', '--database-url', 'file:./books.backup/x'], 1, /is a file; name a folder/],
    [['copy', 'file:./data', 'file:./copy'], 0, /^would copy 1 book to .*copy\n$/],
    [['copy', 'books.backup', 'file:./copy'], 0, /^would copy 1 book to .*copy\n$/],
    [['copy', 'books.backup', 'file:./data'], 1, /data: there is a store already; stop its service/],
    [['copy', 'books.backup', 'file:./backups'], 1, /the folder contains other files/],
    [['copy', 'file:./data', 'file:./link'], 1, /it is a link to nowhere, which is missing/],
    [['copy', 'file:./data', 'memory:'], 1, /books in memory cannot be copied/],
  ];
  for (const [line, expected, pattern] of table) {
    const { code, stderr } = await run([...line, '--dry-run']);
    assert.match(stderr, pattern, line.join(' '));
    assert.equal(code, expected, line.join(' '));
    const [command] = line;
    if (expected === 1 && command !== 'backup')
      assert.equal((await run(line)).stderr, stderr, `${line.join(' ')} without --dry-run`);
  }
  assert.deepEqual((await readdir(folder, { recursive: true })).sort(), before);
});

test('edit --dry-run says what would change, and keeps the text', async () => {
  await writeFile(join(folder, 'editor'), '#!/bin/sh\nsed -i s/Nana/Rome/ "$1"\n', { mode: 0o755 });
  const env = { EDITOR: join(folder, 'editor') };
  const { code, stdout, stderr } = await run(['edit', '1', '--dry-run'], { env });
  assert.deepEqual([code, stdout], [0, '1\tRome\t\t0\n']);
  assert.match(stderr, /^would change title from "Nana" to "Rome"\n/);
  const [, file = ''] =
    /\nyour text is kept: `shelflist edit 1 --draft (\S+)` submits it\n/.exec(stderr) ?? [];
  assert.equal((await run(['get', '1'])).stdout, '1\tNana\t\t0\n');
  assert.equal((await run(['edit', '1', '--draft', file])).code, 0);
  assert.equal((await run(['get', '1'])).stdout, '1\tRome\t\t0\n');
});

test('edit takes ids from standard input, one book after the other', async () => {
  await run(['add', '-t', 'Rome']);
  await writeFile(join(folder, 'editor'), '#!/bin/sh\nsed -i s/Rome/Pot/ "$1"\n', { mode: 0o755 });
  const env = { EDITOR: join(folder, 'editor') };
  const { code, stdout } = await run(['edit', '-', '--json', 'id,title'], { env, input: '1-2' });
  assert.deepEqual([code, stdout], [0, '[{"id":1,"title":"Pot"},{"id":2,"title":"Pot"}]\n']);
  const { stderr } = await run(['edit', '1-2', '--draft', 'editor']);
  assert.match(stderr, /--draft needs one id/);
});
