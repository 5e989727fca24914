import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openDatabase } from '../../../src/store/mongodb/schema.ts';
import { getBooks } from '../../../src/store/mongodb/get.ts';
import { bookOf } from '../../support/books.ts';
import { insertRaw } from '../../support/mongo-driver.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { mongod, skip } = await useMongod();

describe('books that are read together', { skip }, () => {
  test('come in one round trip, each with its own result', async (t) => {
    if ('skip' in mongod) return;
    const client = await new MongoClient(mongod.url, { monitorCommands: true }).connect();
    const database = openDatabase(client, `shelflist_${randomBytes(6).toString('hex')}`);
    t.after(async () => {
      await database.db.dropDatabase();
      await client.close();
    });
    const persuasion = bookOf({ title: 'Persuasion', author: 'Jane Austen', year: 1817 });
    await insertRaw(database.db, [
      { _id: 1, ...emma },
      { _id: 2, title: 'no author', year: 1 },
      { _id: 4, ...persuasion, index: {}, rev: 'x' },
      { _id: 5, ...bookOf({ title: 'Deleted', author: 'x', year: 1 }), rev: 'x', deletedAt: new Date() },
    ]);
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const results = await getBooks(database, [4, 1, 3, 2, 1, 5]);
    assert.deepEqual(commands, ['find']);
    const [fourth, first, none, damaged, again, deleted] = results;
    assert.deepEqual(
      [fourth, first, none],
      [{ value: { id: 4, ...persuasion } }, { value: { id: 1, ...emma } }, { value: undefined }],
    );
    assert.equal(again, first);
    assert.deepEqual(deleted, { value: undefined });
    assert.ok(damaged && 'error' in damaged);
    assert.match(damaged.error.message, /^record 2 is not a book/);
  });
});
