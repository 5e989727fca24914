import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.ts';
import { compiledPath } from '../../support/compiled-path.ts';
import { DatabaseSync } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

const rows = 1500;

describe('processes that write continuously', () => {
  for (const names of [
    ['a', 'b'],
    ['a', 'b', 'c'],
  ]) {
    test(`${names.length} of them: each gets its turn before the others have had many`, async (t) => {
      const folder = await temporaryFolder(t);
      const file = join(folder, 'turns.db');
      const prepared = new DatabaseSync(file);
      prepared.exec('PRAGMA journal_mode = WAL; CREATE TABLE turns (n INTEGER PRIMARY KEY, name TEXT)');
      prepared.close();
      const script = compiledPath(join(import.meta.dirname, '../../support/queued-writer.ts'));
      const children = names.map((name) =>
        spawn(process.execPath, [script, folder, name, String(rows)], {
          stdio: ['pipe', 'pipe', 'inherit'],
        }),
      );
      t.after(() => children.map((child) => child.kill('SIGKILL')));
      const ends = children.map((child) => once(child, 'exit'));
      await Promise.all(children.map((child) => once(child.stdout, 'data')));
      for (const child of children) child.stdin.end('go\n');
      for (const [code] of await Promise.all(ends)) assert.equal(code, 0);

      const db = new DatabaseSync(file);
      const taken = db.prepare('SELECT name FROM turns ORDER BY n').all() as { name: string }[];
      db.close();
      // Counts turns only while all processes are writing: a finished process asks for no more turns.
      const begun = Math.max(...names.map((name) => taken.findIndex((each) => each.name === name)));
      const together = taken.slice(begun, rows).map(({ name }) => name);
      assert.ok(together.length > rows / 3, `all have begun after ${begun} of ${rows} turns`);
      // One wait may be long, if the system gives a process no time: its claim lapses then.
      const waits = names.map((name) => waitOfMost(together, name));
      t.diagnostic(`99 of 100 waits of each, in turns of others: up to ${waits.join(', ')}`);
      for (const wait of waits) assert.ok(wait <= rows / 20, `${wait} turns of others`);
      for (const name of names) {
        const share = together.filter((each) => each === name).length / together.length;
        assert.ok(share > 0.5 / names.length, `${name} has had ${(100 * share).toFixed()} % of the turns`);
      }
    });
  }
});

/** The turns of others between two of its own, in 99 of 100 cases at most. */
function waitOfMost(taken: readonly string[], name: string): number {
  const own = taken.flatMap((each, i) => (each === name ? [i] : []));
  const waits = own.map((place, i) => place - (own[i - 1] ?? place - 1) - 1).sort((a, b) => a - b);
  return waits[Math.floor(waits.length * 0.99)] ?? Infinity;
}

test('a wait for a busy file ends with its caller, and begins no transaction', async (t) => {
  const folder = await temporaryFolder(t);
  const [one, other] = [connect(join(folder, 'x.db'), { isNew: true }), connect(join(folder, 'x.db'))];
  let checks = 0;
  const turn = new WriteQueue(join(folder, 'mark'), () => ++checks === 20);
  one.exec('BEGIN IMMEDIATE');
  assert.throws(
    () => {
      turn.begin(other);
    },
    { code: 'unavailable' },
  );
  assert.equal(other.isTransaction, false);
  one.exec('COMMIT');
  turn.begin(other);
  other.exec('COMMIT');
  turn.close();
  one.close();
  other.close();
});
