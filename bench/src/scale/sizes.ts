import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Collection, type Db, type Document, type IndexDescription } from 'mongodb';
import { openStore } from '../../../src/store/drivers.ts';
import type { CompleteStore } from '../../../src/store/contract/store.ts';
import { variations } from '../data.ts';
import type { Book } from '../peers/books/books.ts';
import { printTable, readable } from './table.ts';

/** The number of creates in flight. */
const inFlight = 1000;
const million = 1e6;
const mb = (bytes: number) => readable(bytes / 1e6);

/** Fills both stores with the same books, and reads what they need of memory, disk and time. */
export async function measureSizes(url: string, books: readonly Book[], count: number): Promise<void> {
  const perMillion = million / count;
  const rows: Record<string, string>[] = [];
  const address = new URL(url);
  address.pathname = '/scale_sizes';
  const client = await MongoClient.connect(url);
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-scale-'));
  try {
    const db = client.db('scale_sizes');
    const mongodb = await openStore(address.href);
    const filled = await fill(mongodb, books, count);
    const created = await statsOf(db);
    await changeAll(mongodb, count);
    const changed = await statsOf(db);
    await mongodb.close();
    rows.push(
      row('documents, new', created.size, perMillion),
      row('documents, each changed once', changed.size, perMillion),
      ...Object.entries(created.indexSizes as Record<string, number>).map(([name, size]) =>
        row(`index ${name}`, size, perMillion),
      ),
      row('all indexes', created.totalIndexSize, perMillion),
      row('documents on disk (compressed)', created.storageSize, perMillion),
    );
    printTable(`MongoDB, MB a million books (measured with ${readable(count)})`, rows);
    printTable('MongoDB, time', [
      { what: 'creates a second', figure: readable(filled) },
      {
        what: `seconds to build all indexes of ${readable(count)} books`,
        figure: await rebuild(db.collection('books')),
      },
    ]);

    const place = join(folder, 'books');
    const sqlite = await openStore(`file:${place}`);
    const rate = await fill(sqlite, books, count);
    await sqlite.close();
    const fresh = await sizeOf(place);
    const again = await openStore(`file:${place}`);
    await changeAll(again, count);
    await again.close();
    printTable(`SQLite, MB a million books (measured with ${readable(count)})`, [
      row('file, new books', fresh, perMillion),
      row('file, each changed once', await sizeOf(place), perMillion),
    ]);
    printTable('SQLite, time', [{ what: 'creates a second', figure: readable(rate) }]);
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The sizes of the collection, after everything is written to its files. */
async function statsOf(db: Db): Promise<Document> {
  await db.admin().command({ fsync: 1 });
  return db.command({ collStats: 'books' });
}

function row(what: string, bytes: unknown, perMillion: number): Record<string, string> {
  return { what, MB: mb(Number(bytes) * perMillion) };
}

/** Creates books; returns their number a second. */
async function fill(store: CompleteStore, books: readonly Book[], count: number): Promise<number> {
  const begun = performance.now();
  const source = variations(books, count);
  const create = async () => {
    for (const { title, author, year } of source) await store.create({ title, author, year });
  };
  await Promise.all(Array.from({ length: inFlight }, create));
  return (count / (performance.now() - begun)) * 1000;
}

/** Changes the year of each book: its earlier state is kept. */
async function changeAll(store: CompleteStore, count: number): Promise<void> {
  let id = 0;
  const change = async () => {
    while (id < count) await store.update(++id, { year: 2000 });
  };
  await Promise.all(Array.from({ length: inFlight / 5 }, change));
}

/** Drops the indexes, and builds them again; returns the seconds. */
async function rebuild(books: Collection): Promise<string> {
  const all: Document[] = await books.indexes();
  const own = all.filter(({ name }) => name !== '_id_').map(({ v: _, ...rest }) => rest);
  await books.dropIndexes();
  const begun = performance.now();
  await books.createIndexes(own as IndexDescription[]);
  return ((performance.now() - begun) / 1000).toFixed(1);
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
