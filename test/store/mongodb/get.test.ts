import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { openDatabase } from '../../../src/store/mongodb/documents.ts';
import { getBooks } from '../../../src/store/mongodb/get.ts';
import { insertRaw } from '../../support/mongo-driver.ts';
import { startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

describe('books that are read together', { skip }, () => {
  test('come in one round trip, each with its own verdict', async (t) => {
    if ('skip' in mongod) return;
    const client = await new MongoClient(mongod.url, { monitorCommands: true }).connect();
    const database = openDatabase(client, `shelflist_${randomBytes(6).toString('hex')}`);
    t.after(async () => {
      await database.db.dropDatabase();
      await client.close();
    });
    await insertRaw(database.db, [
      { _id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 },
      { _id: 2, title: 'no author', year: 1 },
      { _id: 4, title: 'Persuasion', author: 'Jane Austen', year: 1817, index: {}, rev: 'x' },
      { _id: 5, title: 'Deleted', author: 'x', year: 1, rev: 'x', deletedAt: new Date() },
    ]);
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const verdicts = await getBooks(database, [4, 1, 3, 2, 1, 5]);
    assert.deepEqual(commands, ['find']);
    const emma = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
    const persuasion = { id: 4, title: 'Persuasion', author: 'Jane Austen', year: 1817 };
    const [fourth, first, none, damaged, again, deleted] = verdicts;
    assert.deepEqual([fourth, first, none], [{ value: persuasion }, { value: emma }, { value: undefined }]);
    assert.equal(again, first);
    assert.deepEqual(deleted, { value: undefined });
    assert.ok(damaged && 'error' in damaged);
    assert.match(damaged.error.message, /^record 2 is not a book/);
  });
});
