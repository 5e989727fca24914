import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { connect, Statements } from '../../../src/store/sqlite/connection.ts';
import { readSame } from '../../../src/store/sqlite/duplicates.ts';
import { bookOf } from '../../support/books.ts';
import { temporaryFolder } from '../../support/temp.ts';

test('a search for equal books ends after a group when its time is over, and goes on from there', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  const titles = ['Emma', 'Persuasion', 'Sanditon', 'Emma', 'Sanditon', 'Lady Susan', 'EMMA', 'Persuasion'];
  await store.createMany(titles.map((title) => bookOf({ title })));
  await store.close();
  const db = connect(join(folder, 'shelflist.db'), { isNew: true });
  t.after(() => {
    db.close();
  });
  const reading = { statements: new Statements(db), checkTime: () => undefined };
  const whole = readSame(reading);
  assert.deepEqual(whole.groups.toSorted(), [
    [1, 4, 7],
    [2, 8],
    [3, 5],
  ]);
  assert.deepEqual([whole.read, whole.next], [4, undefined]);
  const groups: number[][] = [];
  let [read, parts] = [0, 0];
  for (let after: string | undefined; ;) {
    const part = readSame(reading, after, -1);
    assert.ok(part.groups.length <= 1);
    groups.push(...part.groups.map((group) => [...group]));
    read += part.read;
    parts++;
    after = part.next;
    if (after === undefined) break;
  }
  assert.deepEqual(groups, whole.groups);
  assert.deepEqual([read, parts], [4, 4]);
});
