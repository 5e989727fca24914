import type { Book } from '../../book.ts';
import type { Io } from '../io.ts';
import { writeRecord, writeRecords, type Column, type OutputOptions } from './records.ts';

const columns: readonly Column<Book>[] = [
  { name: 'id', align: 'right', style: 'cyan' },
  { name: 'title', share: 3 },
  { name: 'author', share: 2 },
  { name: 'year', align: 'right' },
];

/** Writes books as the options say; gives how many there were. */
export function writeBooks(
  io: Io,
  books: Iterable<Book> | AsyncIterable<Book>,
  options: OutputOptions,
): Promise<number> {
  return writeRecords(io, columns, books, options);
}

/** Writes one book. */
export function writeBook(io: Io, book: Book, options: OutputOptions): Promise<void> {
  return writeRecord(io, columns, book, options);
}
