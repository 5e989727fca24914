import { readFileSync } from 'node:fs';
import type { Book, Books } from '../books/books.ts';
import { readSettings } from './settings.ts';

/** Reads the initial books of a peer. */
export function readInitialBooks(): Book[] {
  return JSON.parse(readFileSync(readSettings().books, 'utf8')) as Book[];
}

/** Opens the database of the peer; loads only that driver. */
export async function openBooks(): Promise<Books> {
  const { store, database } = readSettings();
  const initial = readInitialBooks();
  if (store === 'lmdb') return (await import('../books/lmdb.ts')).openLmdbBooks(database, initial);
  if (store === 'mongodb') return (await import('../books/mongodb.ts')).openMongodbBooks(database, initial);
  return (await import('../books/mongoose.ts')).openMongooseBooks(database, initial);
}
