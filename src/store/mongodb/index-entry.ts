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
import { articleField, slotKeys, type TitleOrder } from '../../catalogue/title-order.ts';
import { sameHash } from '../contract/duplicates.ts';

/** The keys of the indexed texts, and copies of the indexed integers: no index contains tombstones. */
type IndexedValues = Readonly<Record<IndexedText, string> & Record<IndexedInteger, number>>;

/** The index entry of a book. It is part of the document, and written with it. */
export interface IndexEntry extends IndexedValues {
  /** The folded words of each searched text, each once, as {@link wordKey}, and the numbers; or {@link tooManyWords}. */
  readonly words: readonly string[];
  /** {@link sameHash} of the book. */
  readonly same: number;
  /** The two slots for the keys of an order of titles without articles ({@link TitleOrder}). */
  readonly order0?: string;
  readonly order1?: string;
}

/** The fields with an index of their own. */
export const indexedFields = [...indexedTexts, ...indexedIntegers];

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

/** @param order The order of titles that the database has, or gets. */
export function indexEntry(fields: BookFields, order: TitleOrder): IndexEntry {
  const [order0, order1] = slotKeys(order, fields[articleField]);
  const words = Object.entries(indexWords(fields).words).flatMap(([name, all]) =>
    all.map((word) => wordKey(name as SearchedField, word)),
  );
  return {
    words: words.length > maxWords ? [tooManyWords] : [...words, ...numbersOf(fields).map(numberKey)],
    same: sameHash(fields),
    ...mapFields(indexedTexts, (name) => textKey(fields[name])),
    ...mapFields(indexedIntegers, (name) => fields[name]),
    ...(order0 !== undefined && { order0 }),
    ...(order1 !== undefined && { order1 }),
  };
}
