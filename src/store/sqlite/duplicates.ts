// findSame: finds the stored book that is the same as a given one, by the hash of its folded texts.
import type { Book, BookFields } from '../../catalogue/book.ts';
import { chooseSame, sameHash, stillIndexing } from '../contract/duplicates.ts';
import { toStoredBook } from './connection.ts';
import { sameWord } from './index-entry.ts';
import type { Reading } from './reading.ts';
import { bookColumns, isFolded } from './schema.ts';

/** As `BookStore.findSame`: the full-text index has a word for each spelling. */
export function findSame(reading: Reading, wanted: readonly BookFields[]): (Readonly<Book> | undefined)[] {
  if (!isFolded(reading.statements)) throw stillIndexing();
  return chooseSame(wanted, booksWith(reading, new Set(wanted.map(sameHash))));
}

function* booksWith({ statements, checkTime }: Reading, hashes: Iterable<number>): Generator<Book> {
  const sql = `SELECT ${bookColumns} FROM words CROSS JOIN books ON books.id = words.rowid WHERE words MATCH ?`;
  for (const hash of hashes) {
    for (const row of statements.each(sql, `"${sameWord(hash)}"`)) {
      checkTime();
      const book = toStoredBook(row);
      if (book !== undefined) yield book;
    }
  }
}
