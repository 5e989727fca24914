/** Makes the driver calls of a request of shelflist, one after another, without a server. */
import { readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import type { Book } from '../peers/books/books.ts';
import { summarise } from './summary.ts';

export interface DriverTask {
  readonly url: string;
  readonly books: readonly Book[];
  readonly kind: 'book' | 'create';
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

const { url, books, kind, seconds, warmUpSeconds } = JSON.parse(readFileSync(0, 'utf8')) as DriverTask;
const client = await MongoClient.connect(url);
const db = client.db(undefined, { writeConcern: { w: 'majority', journal: true } });
await db.dropDatabase();
const collection = db.collection<Omit<Book, 'id'> & { _id: number }>('books');
const counters = db.collection<{ _id: string; seq: number; version: string }>('counters');
await counters.insertOne({ _id: 'books', seq: books.length, version: '' });
await collection.insertMany(books.map(({ id, ...fields }) => ({ _id: id, ...fields })));

const calls = {
  book: () => collection.findOne({ _id: 7 }),
  /** The id, the book, and the version of the list. */
  async create() {
    const counter = await counters.findOneAndUpdate(
      { _id: 'books' },
      { $inc: { seq: 1 } },
      { returnDocument: 'after', writeConcern: { w: 1 } },
    );
    const _id = counter?.seq ?? 0;
    await collection.insertOne({
      _id,
      title: 'The War of the Garden and the Sea',
      author: 'Jane Austen',
      year: 1815,
    });
    await counters.updateOne({ _id: 'books' }, { $set: { version: String(_id) } });
  },
};

const latencies: number[] = [];
const begin = performance.now() + warmUpSeconds * 1000;
const end = begin + seconds * 1000;
for (let before = performance.now(); before < end;) {
  await calls[kind]();
  const after = performance.now();
  if (before >= begin) latencies.push(after - before);
  before = after;
}
await client.close();
process.stdout.write(JSON.stringify(summarise(latencies, seconds)));
