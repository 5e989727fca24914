import type { BookFields } from '../../catalogue/book.ts';
import {
  indexedTexts,
  mapFields,
  searchedFields,
  textFields,
  type SearchedField,
} from '../../catalogue/fields.ts';
import { indexKey, searchableWords } from '../../catalogue/words/index-terms.ts';
import { foldedKey, maxKeyBytes, textKey } from '../../catalogue/keyset-position.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import { sameHash } from '../same.ts';

/** The number of query words used, the longest ones. More would exceed the depth of an FTS5 expression. */
const maxWords = 16;

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
  return wordsOf(filter)
    .sort((a, b) => b.word.length - a.word.length)
    .slice(0, maxWords)
    .map(({ column, word }) => `${column === undefined ? '' : `${column} : `}"${indexKey(word)}"*`)
    .join(' AND ');
}

/** Whether {@link matchExpression} finds only the books with these words. */
export function isExactMatch(filter: Words): boolean {
  const words = wordsOf(filter);
  return words.length <= maxWords && words.every(({ word }) => indexKey(word) === word);
}

function wordsOf({ words, fieldWords }: Words): { word: string; column?: SearchedField }[] {
  return [
    ...words.map((word) => ({ word })),
    ...searchedFields.flatMap((column) => (fieldWords[column] ?? []).map((word) => ({ word, column }))),
  ];
}
