import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { newestFormat, readFormat } from '../../../src/store/sqlite/migrations.ts';
import { compiledPath } from '../../support/compiled-path.ts';
import { askAll, keptAnswers, keptFormats, placeKeptFile } from '../kept-formats.ts';
import { faultsOf, readFileRows } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { sized } from '../../support/size.ts';

const historyDays = 36_500;
const opener = compiledPath(join(import.meta.dirname, '../../support/opener.ts'));
const changes = 'trace=pwrite64,write,fsync,fdatasync,ftruncate,rename,link,unlink,fchmod';

/**
 * Opens a store in a process of its own, which SIGKILL ends at a write: the first thread that makes so many, or the main one;
 * `null` if none makes so many.
 */
function openKilled(path: string, when: number, threads: readonly string[]) {
  const inject = `inject=${changes.slice(6)}:signal=KILL:when=${when}`;
  const args = [...threads, '-qq', '-o', '/dev/null', '-e', changes, '-e', 'signal=none', '-e', inject];
  return spawnSync('strace', [...args, process.execPath, opener, `file:${path}`]).signal;
}

const { error } = spawnSync('strace', ['-o', '/dev/null', 'true']);
const skip = error !== undefined && `strace cannot be run here: ${error.message}`;

/** In the short form, one write of so many, of the first and the last format. */
const step = sized({ short: 13, long: 1 });
const formats = keptFormats.filter((_, i, { length }) =>
  sized({ short: i % (length - 1) === 0, long: true }),
);

describe('a start that migrates the store, killed at one write after the other', { skip }, () => {
  for (const format of formats)
    test(`leaves format ${format} or the newest one, and the next start loses nothing`, async (t) => {
      const expected = await keptAnswers(format);
      const found = new Set<number>();
      let kills = 0;
      for (const threads of [['-f'], []])
        for (let [isKilled, when] = [true, 1]; isKilled; when += step, kills += Number(isKilled)) {
          const path = await temporaryFolder(t);
          await placeKeptFile(format, path);
          isKilled = openKilled(path, when, threads) === 'SIGKILL';
          const [row] = readFileRows(path, 'PRAGMA user_version');
          if (isKilled) found.add(Number(row?.user_version));
          const store = await openStore(`file:${path}`, { historyDays });
          assert.deepEqual(await askAll(store, expected), expected, `killed at write ${when}`);
          await store.close();
          assert.deepEqual(faultsOf(path), []);
        }
      assert.ok(kills >= 20 / step, `${kills} kills`);
      assert.ok(found.has(newestFormat) && found.size === 2, `versions ${[...found].join()}`);
    });
});

test('a store that another process has open is not migrated', async (t) => {
  const path = await temporaryFolder(t);
  await placeKeptFile(1, path);
  const other = connect(join(path, 'shelflist.db'));
  t.after(() => {
    other.close();
  });
  other.exec('PRAGMA journal_mode = WAL; SELECT 1 FROM sqlite_schema');
  await assert.rejects(
    openStore(`file:${path}`),
    /needs it alone; stop the process that has it open, and start again/,
  );
  assert.equal(readFormat(other), 1);
});
