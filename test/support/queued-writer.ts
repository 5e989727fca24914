import { writeSync } from 'node:fs';
import process from 'node:process';
import { join } from 'node:path';
import { connect } from '../../src/store/sqlite/connection.ts';
import { WriteQueue } from '../../src/store/sqlite/write-queue.ts';

/**
 * A separate process that writes continuously, each transaction as soon as the last has ended, until the table `turns` has
 * a number of rows: `queued-writer.ts FOLDER NAME ROWS`. It waits for a line on its input before it begins.
 */
const [folder = '', name = '', rows = '0'] = process.argv.slice(2);
const db = connect(join(folder, 'turns.db'), { isNew: true });
const turn = new WriteQueue(join(folder, 'turns.mark'), () => false);
writeSync(1, 'ready\n');
process.stdin.once('data', () => {
  const insert = db.prepare('INSERT INTO turns (name) VALUES (?) RETURNING n');
  for (let n = 0; n < Number(rows);) {
    turn.begin(db);
    n = (insert.get(name) as unknown as number[])[0] ?? 0;
    db.exec('COMMIT');
  }
  process.exit(0);
});
