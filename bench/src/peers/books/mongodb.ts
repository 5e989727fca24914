import { MongoClient } from 'mongodb';
import type { Book, Books, Fields } from './books.ts';

interface BookDocument extends Fields {
  _id: number;
}

/** Books in MongoDB by its driver: a call for each request, two for a create. Its default is a durable write. */
export async function openMongodbBooks(url: string, initial: readonly Book[]): Promise<Books> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  await db.dropDatabase();
  const books = db.collection<BookDocument>('books');
  const counters = db.collection<{ _id: string; seq: number }>('counters');
  await counters.insertOne({ _id: 'books', seq: initial.length });
  if (initial.length > 0)
    await books.insertMany(initial.map(({ id, ...fields }) => ({ _id: id, ...fields })));
  return {
    async get(id) {
      const document = await books.findOne({ _id: id });
      return document === null ? undefined : toBook(document);
    },
    async list() {
      const documents = await books.find().sort({ _id: 1 }).toArray();
      return documents.map(toBook);
    },
    async create({ title, author, year }) {
      const counter = await counters.findOneAndUpdate(
        { _id: 'books' },
        { $inc: { seq: 1 } },
        { returnDocument: 'after' },
      );
      const document = { _id: counter?.seq ?? 0, title, author, year };
      await books.insertOne(document);
      return toBook(document);
    },
    async update(id, patch) {
      const document = await books.findOneAndUpdate(
        { _id: id },
        { $set: patch },
        { returnDocument: 'after' },
      );
      return document === null ? undefined : toBook(document);
    },
  };
}

function toBook({ _id, title, author, year }: BookDocument): Book {
  return { id: _id, title, author, year };
}
