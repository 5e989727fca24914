// The words of all books: the terms of the full-text index.
import { keyWord } from '../../catalogue/words.ts';
import { toText } from './connection.ts';
import { sameWords } from './index-entry.ts';
import type { QueryContext } from './reading.ts';

/** The words of the full-text index, as a table of this connection (sqlite.org/fts5.html#the_fts5vocab_virtual_table_module). */
export const createVocabulary =
  'CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)';

/** The number of terms of a part: some ten milliseconds, because the index reads the books of each. */
const maxTerms = 5000;

/** Some words, in the order of the index. */
export interface WordsPart {
  readonly words: readonly string[];
  /** The last term, which the next part follows; `undefined`: there are no more. */
  readonly last: string | undefined;
}

/** The words after a term. */
export function readWords({ statements, checkTime }: QueryContext, after = ''): WordsPart {
  statements.run(createVocabulary);
  checkTime();
  // The words of hashes, one for each book, are a range of their own.
  const isBefore = after < sameWords.from;
  const sql = 'SELECT term FROM temp.vocabulary WHERE term > ? AND term < ? ORDER BY term LIMIT ?';
  const rows = statements.rows(sql, after, isBefore ? sameWords.from : highestTerm, maxTerms);
  const terms = rows.map(([term = null]) => toText(term));
  const next = isBefore ? sameWords.to : undefined;
  return {
    words: terms.map(keyWord),
    last: terms.length < maxTerms ? next : terms.at(-1),
  };
}

/** More than any term. */
const highestTerm = '\u{10ffff}';
