import type { BookFields } from '../../catalogue/book.ts';
import {
  indexedTexts,
  mapFields,
  searchedFields,
  textFields,
  type SearchedField,
} from '../../catalogue/fields.ts';
import { foldText } from '../../catalogue/fold.ts';
import { indexKey, maxIndexedWords, searchableWords } from '../../catalogue/words.ts';
import { foldedKey } from '../../catalogue/keyset-position.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import { hashFolded } from '../contract/duplicates.ts';

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
  /**
   * For each searched field its words, for the full-text index, whose tokenizer only splits them at spaces. The first one also
   * has the word of {@link sameWord}: an index of its own would cost each create a page.
   */
  readonly words: readonly string[];
}

export function indexEntry(fields: BookFields): IndexEntry {
  const entries = mapFields(textFields, (name) => textEntry(fields[name]));
  const hash = hashFolded(indexedTexts.map((name) => entries[name].folded));
  return {
    keys: indexedTexts.map((name) => foldedKey(entries[name].folded)),
    words: searchedFields.map((name, i) =>
      i === 0 ? `${entries[name].words} ${sameWord(hash)}` : entries[name].words,
    ),
  };
}

/** The word by which `findSame` finds the books with a hash. No query has it: `§` is not a letter. */
export function sameWord(hash: number): string {
  return `§${hash.toString(36)}`;
}

function textEntry(text: string): { folded: string; words: string } {
  const { words, forms } = searchableWords(text);
  // Those of a longer text may not be all its words.
  const folded = text.length <= maxIndexedWords ? words.join(' ') : foldText(text);
  return { folded, words: words.concat(forms).map(indexKey).join(' ') };
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
