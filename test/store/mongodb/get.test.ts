import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { MongoClient, type Document } from 'mongodb';
import { getBooks } from '../../../src/store/mongodb/get.ts';
import type { BookDocument, CounterDocument } from '../../../src/store/mongodb/prepare.ts';
import { createDecode } from '../../../src/store/mongodb/record.ts';
import { startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

describe('books that are read together', { skip }, () => {
  test('come in one round trip, each with its own verdict', async (t) => {
    if ('skip' in mongod) return;
    const client = await new MongoClient(mongod.url, { monitorCommands: true }).connect();
    const db = client.db(`shelflist_${randomBytes(6).toString('hex')}`);
    t.after(async () => {
      await db.dropDatabase();
      await client.close();
    });
    const records: Document[] = [
      { _id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 },
      { _id: 2, title: 'no author', year: 1 },
      { _id: 4, title: 'Persuasion', author: 'Jane Austen', year: 1817, index: {}, indexed: true },
    ];
    await db.collection('books').insertMany(records);
    const collections = {
      books: db.collection<BookDocument>('books'),
      counters: db.collection<CounterDocument>('counters'),
    };
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const verdicts = await getBooks(collections, createDecode('here'), [4, 1, 3, 2, 1]);
    assert.deepEqual(commands, ['find']);
    const emma = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
    const persuasion = { id: 4, title: 'Persuasion', author: 'Jane Austen', year: 1817 };
    const [fourth, first, none, damaged, again] = verdicts;
    assert.deepEqual([fourth, first, none], [{ value: persuasion }, { value: emma }, { value: undefined }]);
    assert.equal(again, first);
    assert.ok(damaged && 'error' in damaged);
    assert.equal(damaged.error.message, 'record 2 of here is not a book');
  });
});
