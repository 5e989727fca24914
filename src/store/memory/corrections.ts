// Corrections: counts words by reading all books.
import type { Book } from '../../catalogue/book.ts';
import type { Correction } from '../../catalogue/correction.ts';
import { searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import { matches, toFilter, type BookQuery } from '../../catalogue/query.ts';
import { searchTerms } from '../../catalogue/words.ts';
import { correct, maxCounted } from '../contract/corrections.ts';

/** As `BookStore.corrections`. */
export function corrections(books: readonly Book[], query: BookQuery, limit: number): Promise<Correction[]> {
  const count = (each: BookQuery) => {
    const filter = toFilter(each);
    return books.filter((book) => matches(filter, book)).length;
  };
  return correct(query, limit, {
    count: (each, most) => Promise.resolve(Math.min(count(each), most)),
    countWords: (words, name) => Promise.resolve(countWords(books, words, name)),
  });
}

function countWords(
  books: readonly Book[],
  words: readonly string[],
  name: SearchedField | undefined,
): Map<string, number> {
  const wanted = new Set(words);
  const counts = new Map<string, number>();
  for (const book of books) {
    const names = name === undefined ? searchedFields : [name];
    for (const word of new Set(names.flatMap((each) => searchTerms(book[each]))))
      if (wanted.has(word)) counts.set(word, Math.min((counts.get(word) ?? 0) + 1, maxCounted));
  }
  return counts;
}
