import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openStore } from '../../src/index.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { changeFile } from '../support/sqlite-file.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

const run = promisify(execFile);
const books = sized({ short: 20_000, long: 500_000 });

let skip: string | false = false;
try {
  await run('strace', ['-o', '/dev/null', 'true']);
} catch (error) {
  skip = `strace cannot be run here: ${(error as Error).message.trim()}`;
}

describe('a start reads the same few pages, however many books there are', { skip }, () => {
  const cleanup: (() => unknown)[] = [];
  const scope: Scope = { after: (fn) => cleanup.push(fn) };
  const folders = { small: '', large: '' };

  before(async () => {
    for (const [name, number] of [
      ['small', 1],
      ['large', books],
    ] as const) {
      const folder = (folders[name] = await temporaryFolder(scope));
      await (await openStore(`file:${folder}`)).close();
      changeFile(
        folder,
        `BEGIN;
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${number})
         INSERT INTO books (title, author, year, title_key, author_key)
         SELECT 'title ' || i, 'author', i % 2000, 'title ' || i, 'author' FROM n;
         INSERT INTO words (rowid, title, author) SELECT id, title_key, author_key FROM books;
         COMMIT;
         PRAGMA wal_checkpoint(TRUNCATE)`,
      );
    }
  });

  test('after a clean shutdown', async (t) => {
    const small = await readAtStart(folders.small);
    const large = await readAtStart(folders.large);
    t.diagnostic(`${small} and ${large} bytes read`);
    const { size } = await stat(join(folders.large, 'shelflist.db'));
    assert.ok(size > 500 * 4096);
    assert.ok(small > 0 && large <= small + 40 * 4096, `${small} and ${large} bytes`);
    for (const fn of cleanup.reverse()) await fn();
  });
});

/** The bytes that a process reads of a store's files when it opens and closes the store. */
async function readAtStart(folder: string): Promise<number> {
  const script = compiledPath(join(import.meta.dirname, '../support/opener.ts'));
  const trace = join(folder, '.trace');
  const options = ['-f', '-y', '-qq', '-e', 'trace=pread64,read', '-e', 'signal=none', '-o', trace];
  await run('strace', [...options, process.execPath, script, `file:${folder}`]);
  const lines = (await readFile(trace, 'latin1')).split('\n');
  return lines
    .filter((line) => line.includes('shelflist.db'))
    .map((line) => Number(/= (\d+)$/.exec(line)?.[1] ?? 0))
    .reduce((sum, bytes) => sum + bytes, 0);
}
