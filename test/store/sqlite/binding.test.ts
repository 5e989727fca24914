import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSafe, loadBinding, locateBinding } from '../../../src/store/sqlite/binding.ts';
import { temporaryFolder } from '../../support/temp.ts';

const advice = {
  name: 'ShelflistError',
  code: 'store_unusable',
  message:
    /^cannot load SQLite for \S+ \S+: reinstall the dependencies on this machine \(npm ci\), or use MongoDB/,
};

test('a binding that is not installed is a ShelflistError with advice', async (t) => {
  const folder = await temporaryFolder(t);
  assert.throws(() => loadBinding(join(folder, 'nothing.cjs')), advice);
});

test('so is a binding without a binary for this machine', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'prebuilds'));
  const file = join(folder, 'index.cjs');
  await writeFile(file, "throw new Error('No native build was found for platform=…');");
  assert.throws(() => loadBinding(file), advice);
});

test('all copies of the package in a process use the binding that was loaded first', () => {
  const path = locateBinding();
  assert.equal(locateBinding(), path);
  assert.equal(loadBinding(), loadBinding(path));
});

test('only SQLite 3.51.3 or later is used: earlier, a reset of the log could damage the file', () => {
  const versions = ['3.50.9', '3.51.2', '3.51.3', '3.51.10', '3.52.0', '4.0.0'];
  assert.deepEqual(versions.filter(isSafe), ['3.51.3', '3.51.10', '3.52.0', '4.0.0']);
  const { DatabaseSync } = loadBinding();
  const db = new DatabaseSync(':memory:');
  const row = db.prepare('SELECT sqlite_version() AS version').get() as { version: unknown } | undefined;
  db.close();
  assert.ok(isSafe(String(row?.version)), 'so is the one that is loaded here');
});
