import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { fileMode } from '../../../src/lib/atomic-file.ts';
import { openTarget } from '../../../src/store/sqlite/copy.ts';
import { temporaryFolder } from '../../support/temp.ts';

const skip = process.platform === 'win32' && 'there are no modes';

test('an unfinished copy is readable by its user only, and removed if it is stopped', { skip }, async (t) => {
  const path = await temporaryFolder(t);
  const target = await openTarget(path);
  const names = await readdir(path);
  assert.ok(names.length > 0);
  for (const name of names) assert.equal(await fileMode(join(path, name)), '600', name);
  await target.close();
  assert.deepEqual(await readdir(path), []);
});
