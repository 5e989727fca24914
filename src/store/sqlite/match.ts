import type { BookFields } from '../../catalogue/book.ts';
import {
  indexedTexts,
  mapFields,
  searchedFields,
  textFields,
  type SearchedField,
} from '../../catalogue/fields.ts';
import { indexKey, searchableWords } from '../../catalogue/words.ts';
import { foldedKey, maxKeyBytes, textKey } from '../../catalogue/keyset-position.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import { sameHash } from '../same.ts';

/** The number of query words used, the longest ones. More would exceed the depth of an FTS5 expression. */
const maxWords = 16;
/** Shorter words are prefixes of so many that the index merges long lists, 0.1 s a word of a million books, before a match. */
const minLength = 3;
/** The number of these words used. */
const maxShortWords = 3;

/** The index entry of a book. */
export interface IndexEntry {
  /** The keys of the indexed texts, for comparing and sorting. */
  readonly keys: readonly string[];
  /** See {@link sameHash}. */
  readonly same: number;
  /** For each searched field its words, for the full-text index, whose tokenizer only splits them at spaces. */
  readonly words: readonly string[];
}

export function indexEntry(fields: BookFields): IndexEntry {
  const entries = mapFields(textFields, (name) => textEntry(fields[name]));
  return {
    keys: indexedTexts.map((name) => entries[name].key),
    same: sameHash(fields),
    words: searchedFields.map((name) => entries[name].words),
  };
}

function textEntry(text: string): { key: string; words: string } {
  const { words, forms, isComplete } = searchableWords(text);
  // Reuses the folded words, unless the key needs more of the text than search does.
  const key = isComplete && text.length <= maxKeyBytes ? foldedKey(words.join(' ')) : textKey(text);
  return { key, words: words.concat(forms).map(indexKey).join(' ') };
}

/** The words that a filter asks for. */
type Words = Pick<BookFilter, 'words' | 'fieldWords'>;

/** An FTS5 expression for books that have all these words as prefixes, in any column or in that of their field. */
export function matchExpression(filter: Words): string {
  return matchedWords(filter)
    .map(({ column, word }) => `${column === undefined ? '' : `${column} : `}"${indexKey(word)}"*`)
    .join(' AND ');
}

/** Whether {@link matchExpression} finds only the books with these words. */
export function isExactMatch(filter: Words): boolean {
  const words = wordsOf(filter);
  return words.length === matchedWords(filter).length && words.every(({ word }) => indexKey(word) === word);
}

function matchedWords(filter: Words) {
  const words = wordsOf(filter).sort((a, b) => b.word.length - a.word.length);
  const longCount = words.filter(({ word }) => word.length >= minLength).length;
  return words.slice(0, Math.min(maxWords, longCount + maxShortWords));
}

/** The words of a filter that take little time to look up; `undefined` if these are all or none. */
export function longWordsOf({ words, fieldWords }: Words): Words | undefined {
  const isLong = (word: string) => word.length >= minLength;
  const fields = Object.entries(fieldWords).map(([name, some]) => [name, some.filter(isLong)] as const);
  const long = { words: words.filter(isLong), fieldWords: Object.fromEntries(fields) };
  const count = wordsOf(long).length;
  return count === 0 || count === wordsOf({ words, fieldWords }).length ? undefined : long;
}

function wordsOf({ words, fieldWords }: Words): { word: string; column?: SearchedField }[] {
  return [
    ...words.map((word) => ({ word })),
    ...searchedFields.flatMap((column) => (fieldWords[column] ?? []).map((word) => ({ word, column }))),
  ];
}
