import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSession } from '../support/session.ts';
import { changeFile, pagesOf } from '../support/sqlite-file.ts';

const session = await startSession({ after });
const data = join(session.folder, 'data');
await writeFile(join(session.folder, 'books.csv'), `title\n${'Emma\n'.repeat(2000)}`);
await session.run(['import', 'books.csv']);
changeFile(data, 'PRAGMA wal_checkpoint(TRUNCATE)');
const page = pagesOf(data, 'books').at(-2) ?? assert.fail('the table has one page');
const file = await open(join(data, 'shelflist.db'), 'r+');
await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096);
await file.close();
// A write of another process: the service drops the pages that it has read before.
changeFile(data, 'UPDATE books SET year = 1 WHERE id = 1');

for (const command of [['list'], ['list', 'emma'], ['export', 'books.json'], ['export', '-']])
  test(`over a damaged file, ${command.join(' ')} advises to run doctor`, async () => {
    const { code, stderr } = await session.run(command);
    assert.match(stderr, /^shelflist: .+ is damaged; run `shelflist doctor` on the machine of the service/m);
    assert.equal(code, 5);
  });
