import mongoose from 'mongoose';
import type { Book, Books, Fields } from './books.ts';

interface BookDocument extends Fields {
  _id: number;
}

const schema = new mongoose.Schema<BookDocument>(
  { _id: Number, title: String, author: String, year: Number },
  { versionKey: false },
);
const counterSchema = new mongoose.Schema({ _id: String, seq: Number });

/** Books in MongoDB by mongoose, with models as in its guide. */
export async function openMongooseBooks(url: string, initial: readonly Book[]): Promise<Books> {
  const { connection } = await mongoose.connect(url);
  await connection.dropDatabase();
  const BookModel = mongoose.model('Book', schema);
  const Counter = mongoose.model('Counter', counterSchema);
  await Counter.create({ _id: 'books', seq: initial.length });
  if (initial.length > 0)
    await BookModel.insertMany(
      initial.map(({ id, ...fields }) => ({ _id: id, ...fields })),
      { lean: true },
    );
  return {
    async get(id) {
      const document = await BookModel.findById(id);
      return document === null ? undefined : toBook(document);
    },
    async list() {
      const documents = await BookModel.find().sort({ _id: 1 });
      return documents.map(toBook);
    },
    async create({ title, author, year }) {
      const counter = await Counter.findByIdAndUpdate(
        'books',
        { $inc: { seq: 1 } },
        { returnDocument: 'after' },
      );
      return toBook(await BookModel.create({ _id: counter?.seq ?? 0, title, author, year }));
    },
    async update(id, patch) {
      const document = await BookModel.findByIdAndUpdate(id, patch, { returnDocument: 'after' });
      return document === null ? undefined : toBook(document);
    },
  };
}

function toBook({ _id, title, author, year }: BookDocument): Book {
  return { id: _id, title, author, year };
}
