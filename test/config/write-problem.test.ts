import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeWriteProblem } from '../../src/config/write-problem.ts';
import { temporaryFolder } from '../support/temp.ts';

const problem = (code?: string) => Object.assign(new Error('it failed'), code === undefined ? {} : { code });

test('a file that cannot be written has a reason, and something to do', async (t) => {
  const table: [code: string, platform: NodeJS.Platform, what: RegExp][] = [
    ['EACCES', 'linux', /: this user has no permission to write there; use a folder of your own, or /],
    ['EPERM', 'win32', /: this user has no permission to write there; /],
    ['EPERM', 'darwin', /: macOS refuses it; allow it in System Settings, /],
    ['EROFS', 'linux', /: its file system is read-only; /],
    ['ENOSPC', 'linux', /: the disk is full; /],
    ['ENOTDIR', 'linux', /: a part of its path is a file; /],
    ['ENOENT', 'linux', /: its folder no longer exists; /],
    ['EMFILE', 'linux', /\(EMFILE\)$/],
  ];
  for (const [code, platform, what] of table) {
    const text = describeWriteProblem('/books/.env', problem(code), platform);
    assert.ok(text.startsWith(`cannot write /books/.env (${code})`), text);
    assert.match(text, what);
  }
  assert.equal(describeWriteProblem('/books/.env', problem()), 'cannot write /books/.env (unknown reason)');
  const link = join(await temporaryFolder(t), '.env');
  await symlink('/nowhere/.env', link);
  assert.match(
    describeWriteProblem(link, problem('ENOENT')),
    /it is a link to \/nowhere\/\.env, which is missing; /,
  );
});
