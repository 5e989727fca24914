import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { shell } from '../support/cli.ts';
import { freePort } from '../support/nginx.ts';
import { root } from '../support/packed.ts';
import { temporaryFolder } from '../support/temp.ts';

const skip = process.platform === 'win32' && 'examples/chores.sh needs a POSIX shell';

test(
  'examples/chores.sh goes through a month of chores, and ends with the books it should',
  { skip },
  async (t) => {
    const cwd = await temporaryFolder(t);
    const script = join(root, 'examples/chores.sh');
    // A function of bash is no command for sh.
    const bin = `mkdir bin; printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "$(command -v node)" "${root}/dist/bin/shelflist.cjs" > bin/shelflist; chmod +x bin/shelflist`;
    const { code, stdout, stderr } = await shell(
      `${bin}; PATH="$PWD/bin:$PATH" TMPDIR="$PWD" sh ${script} ${await freePort()}`,
      { cwd },
    );
    assert.equal(code, 0, stderr);
    const [, books] = /== backup and restore\n.*\n([^]*)== done\n$/.exec(stdout) ?? assert.fail(stdout);
    assert.equal(
      books,
      [
        '7\tEmil und die Detektive\tErich Kästner\t1929',
        '1\tThe Great Gatsby\tF. Scott Fitzgerald\t1925',
        '2\tPride and Prejudice\tJane Austen\t1813',
        '3\tDie Verwandlung\tKafka, Franz\t1915',
        '4\tDer Process\tKafka, Franz\t1926',
        '8\tMomo\tMichael Ende\t1973\n',
      ].join('\n'),
    );
  },
);
