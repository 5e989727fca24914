// For corrections of misspelt words in a query: counts the books that have each proposed word.
import type { SearchedField } from '../../catalogue/fields.ts';
import { maxCounted } from '../contract/corrections.ts';
import type { Reading } from './reading.ts';

/** The words of the full-text index, as a table of this connection (sqlite.org/fts5.html#the_fts5vocab_virtual_table_module). */
export const createVocabulary =
  'CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)';

/** As `Vocabulary.countWords`. */
export function countWords(
  { statements, checkTime }: Reading,
  words: readonly string[],
  name: SearchedField | undefined,
): [word: string, count: number][] {
  statements.run(createVocabulary);
  const column = name === undefined ? '' : `${name} : `;
  return words
    .filter((word) => statements.row('SELECT 1 FROM temp.vocabulary WHERE term = ?', word) !== undefined)
    .map((word): [string, number] => {
      checkTime();
      // The vocabulary also has words of deleted books.
      const sql = 'SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)';
      return [word, statements.number(sql, `${column}"${word}"`, maxCounted)];
    })
    .filter(([, count]) => count > 0);
}
