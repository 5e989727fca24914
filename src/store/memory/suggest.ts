// Suggestions, by reading all books.
import type { Book } from '../../catalogue/book.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, toFilter } from '../../catalogue/query.ts';
import { commonSpelling, countKeys, maxSpellings, type Suggestion } from '../../catalogue/suggestion.ts';

/** As `BookStore.suggest`. */
export function suggest(
  books: readonly Book[],
  name: SuggestedField,
  text: string,
  limit: number,
): Suggestion[] {
  const filter = toFilter({ [`${name}Words`]: text });
  const keys = new Set(books.filter((book) => matches(filter, book)).map((book) => textKey(book[name])));
  return countKeys(books.map((book) => textKey(book[name])))
    .filter(({ key }) => keys.has(key))
    .slice(0, limit)
    .map(({ key, count }) => ({ value: spellingOf(books, name, key), count }));
}

/** The usual spelling of the texts with a key. */
export function spellingOf(books: readonly Book[], name: SuggestedField, key: string): string {
  const texts = books.map((book) => book[name]).filter((text) => textKey(text) === key);
  return commonSpelling(texts.slice(0, maxSpellings));
}
