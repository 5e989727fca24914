// The part of a document that indexes find it by: keys, words, hash.
import type { BookFields } from '../../catalogue/book.ts';
import {
  indexedIntegers,
  indexedTexts,
  mapFields,
  type IndexedInteger,
  type IndexedText,
  type SearchedField,
} from '../../catalogue/fields.ts';
import { indexWords, numbersOf } from '../../catalogue/words.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { sortKey, type SortRules } from '../../catalogue/sort-keys.ts';
import { duplicateHash } from '../questions/duplicates.ts';
import { indexVersion } from './order.ts';

/** The keys by which texts are ordered. */
const orderMembers = indexedTexts.map((name) => `${name}Order` as const);

/**
 * The keys of the indexed texts, for comparing and for ordering them, and copies of the indexed integers: no index contains
 * tombstones.
 */
type IndexedValues = Readonly<
  Record<IndexedText | `${IndexedText}Order`, string> & Record<IndexedInteger, number>
>;

/** The index entry of a book. It is part of the document, and written with it. */
export interface IndexEntry extends IndexedValues {
  /** The folded words of each searched text, each once, as {@link wordKey}, and the numbers; or {@link tooManyWords}. */
  readonly words: readonly string[];
  /** {@link duplicateHash} of the book. */
  readonly same: number;
  /** Names the rules that made this entry: {@link indexVersion}. */
  readonly rules: string;
}

/** The members with an index of their own. */
export const indexedMembers = [...indexedTexts, ...indexedIntegers, ...orderMembers];

const maxWords = 2000;
/** Stands for the words of a book with too many for the index. It is not a word itself. */
export const tooManyWords = '*';

/** A word in the index: `author:austen`. Its field comes first, so that words of one field are a range. */
export function wordKey(name: SearchedField, word: string): string {
  return `${name}:${word}`;
}

/** The word in the index by which a number finds the books of a year. */
export function numberKey(number: string): string {
  return `:${number}`;
}

/** @param rules Those of the database. */
export function indexEntry(fields: BookFields, rules: SortRules): IndexEntry {
  const keys = mapFields(indexedTexts, (name) => textKey(fields[name]));
  const words = Object.entries(indexWords(fields).words).flatMap(([name, all]) =>
    all.map((word) => wordKey(name as SearchedField, word)),
  );
  return {
    words: words.length > maxWords ? [tooManyWords] : [...words, ...numbersOf(fields).map(numberKey)],
    same: duplicateHash(fields),
    ...keys,
    ...orderKeys(fields, rules, keys),
    ...mapFields(indexedIntegers, (name) => fields[name]),
    rules: indexVersion(rules),
  };
}

function orderKeys(
  fields: BookFields,
  rules: SortRules,
  keys: Readonly<Record<IndexedText, string>>,
): Record<`${IndexedText}Order`, string> {
  return Object.fromEntries(
    indexedTexts.map((name) => [`${name}Order`, sortKey(name, fields[name], rules, keys[name])]),
  ) as Record<`${IndexedText}Order`, string>;
}
