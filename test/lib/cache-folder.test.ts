import assert from 'node:assert/strict';
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, test } from 'node:test';
import { cacheFolder, createCodeFolder } from '../../src/lib/cache-folder.ts';
import { temporaryFolder } from '../support/temp.ts';

const before = process.env.XDG_CACHE_HOME;
afterEach(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
});

test(
  'a relative XDG_CACHE_HOME is ignored: no shell has replaced its ~',
  { skip: process.platform !== 'linux' },
  () => {
    process.env.XDG_CACHE_HOME = '~/cache';
    assert.equal(cacheFolder('tokens'), join(homedir(), '.cache/shelflist/tokens'));
  },
);

describe('the folder of compiled code', { skip: process.platform === 'win32' }, () => {
  test('is created for its user alone', async (context) => {
    const cache = await temporaryFolder(context);
    process.env.XDG_CACHE_HOME = join(cache, 'new');
    const folder = createCodeFolder();
    assert.equal(folder, join(cache, 'new/shelflist/code'));
    for (const each of [folder, join(folder, '..')]) assert.equal((await stat(each)).mode & 0o777, 0o700);
    assert.equal(createCodeFolder(), folder);
  });

  for (const open of ['shelflist', 'shelflist/code'])
    test(`is not used while others may write to ${open}`, async (context) => {
      const cache = await temporaryFolder(context);
      process.env.XDG_CACHE_HOME = cache;
      assert.notEqual(createCodeFolder(), undefined);
      await chmod(join(cache, open), 0o777);
      assert.equal(createCodeFolder(), undefined);
    });

  test('is not used if it cannot be created', async (context) => {
    const cache = await temporaryFolder(context);
    process.env.XDG_CACHE_HOME = cache;
    await writeFile(join(cache, 'shelflist'), 'a file where the folder should be');
    assert.equal(createCodeFolder(), undefined);
  });

  test('is not used if it belongs to somebody else', { skip: process.getuid?.() !== 0 }, async (context) => {
    const cache = await temporaryFolder(context);
    process.env.XDG_CACHE_HOME = cache;
    const folder = join(cache, 'shelflist/code');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chown(folder, 65_534, 65_534);
    assert.equal(createCodeFolder(), undefined);
  });
});
