import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, watch } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { cleanEnvironment, program } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

for (const line of [
  ['verify', '-'],
  ['copy', '--dry-run', '-', 'file:./new'],
  ['restore', '--dry-run', '-', '-d', 'file:./new'],
])
  test(`Ctrl-C leaves no temporary file of ${line.join(' ')}`, async (t) => {
    const cwd = await temporaryFolder(t);
    const TMPDIR = join(cwd, 'temporary');
    await mkdir(TMPDIR);
    const watched = watch(TMPDIR, { signal: t.signal })[Symbol.asyncIterator]();
    const created = watched.next();
    const child = spawn(process.execPath, [program, ...line], {
      cwd,
      env: cleanEnvironment(cwd, { TMPDIR }),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    const ended = Promise.all([once(child, 'close') as Promise<[number | null]>, text(child.stderr)]);
    await created; // It waits for the rest of the backup.
    child.kill('SIGINT');
    const [[code], stderr] = await ended;
    assert.match(stderr, /^shelflist: interrupted before the (backup|source) was checked\n$/);
    assert.equal(code, 130);
    assert.deepEqual(await readdir(TMPDIR), []);
  });
