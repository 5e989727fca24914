import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { shelflist } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

test('a missing folder of temporary files is named, and not blamed on the backup', async (t) => {
  const cwd = await temporaryFolder(t);
  await (await openStore(`file:${join(cwd, 'data')}`)).close();
  assert.equal((await shelflist(['backup', 'x.gz', '-d', 'file:./data'], { cwd })).code, 0);
  const { TMPDIR } = process.env;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  process.env.TMPDIR = join(cwd, 'none');
  for (const command of [
    ['verify', 'x.gz'],
    ['restore', 'x.gz', '-d', 'file:./new'],
    ['copy', 'x.gz', 'file:./new'],
    ['backup', '-', '-d', 'file:./data'],
  ]) {
    const { code, stderr } = await shelflist(command, { cwd });
    assert.equal(
      stderr,
      `shelflist: cannot write a temporary file to ${join(cwd, 'none')} (ENOENT); set TMPDIR to a folder with room\n`,
    );
    assert.equal(code, 1);
  }
  assert.ok(!(await readdir(cwd)).includes('new'));
});
