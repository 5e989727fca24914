import assert from 'node:assert/strict';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../src/lib/make-folder.ts';
import { temporaryFolder } from '../support/temp.ts';

test('a folder is created with its parents, outermost first, and only once', async (context) => {
  const home = await temporaryFolder(context);
  const [outer, inner] = [join(home, 'a'), join(home, 'a/b')];
  assert.deepEqual(makeFolder(inner, 0o700), [outer, inner]);
  if (process.platform !== 'win32')
    for (const folder of [outer, inner]) assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(makeFolder(inner), []);
});

test('a file or a dangling link in the path is an error', async (context) => {
  const home = await temporaryFolder(context);
  writeFileSync(join(home, 'file'), '');
  symlinkSync(join(home, 'gone'), join(home, 'link'));
  assert.throws(() => makeFolder(join(home, 'file')), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(home, 'file/a/b')), { code: 'ENOTDIR' });
  assert.throws(() => makeFolder(join(home, 'link/a')), { code: 'EEXIST' });
});

test(
  'a folder that cannot be created in its parent is an error, and no endless loop',
  { skip: process.platform !== 'linux' && 'Linux has /proc' },
  () => {
    assert.throws(() => makeFolder('/proc/shelflist/code'), { code: 'ENOENT' });
  },
);

test(
  'a folder below one that was deleted is an error',
  { skip: process.platform === 'win32' },
  async (context) => {
    const home = await temporaryFolder(context);
    const before = process.cwd();
    const [gone = ''] = makeFolder(join(home, 'gone'));
    process.chdir(gone);
    rmSync(gone, { recursive: true });
    try {
      assert.throws(() => makeFolder('a/b'), { code: 'ENOENT' });
    } finally {
      process.chdir(before);
    }
  },
);
