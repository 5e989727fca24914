// What the indexes hold of a book: keys, words, and the word of its hash.
import type { BookFields } from '../../catalogue/book.ts';
import { indexedTexts, mapFields, searchedFields, textFields } from '../../catalogue/fields.ts';
import { foldText, joinFolded } from '../../catalogue/fold.ts';
import { indexKey, maxIndexedWords, searchableWords } from '../../catalogue/words.ts';
import { foldedKey } from '../../catalogue/keyset-position.ts';
import { sortKey, type SortRules } from '../../catalogue/sort-keys.ts';
import { hashFolded } from '../questions/duplicates.ts';

export interface IndexEntry {
  /** The keys of the indexed texts, for comparing them, then those of the orders by them. */
  readonly keys: readonly string[];
  /**
   * For each searched field its words, for the full-text index, whose tokenizer only splits them at spaces. The first one also
   * has that of {@link sameWord}: an index of its own would cost each create a page.
   */
  readonly words: readonly string[];
}

export function indexEntry(fields: BookFields, rules: SortRules): IndexEntry {
  const entries = mapFields(textFields, (name) => textEntry(fields[name]));
  const hash = hashFolded(indexedTexts.map((name) => entries[name].folded));
  const keys = indexedTexts.map((name) => foldedKey(entries[name].folded));
  const orders = indexedTexts.map((name, i) => sortKey(name, fields[name], rules, keys[i]));
  return {
    keys: [...keys, ...orders],
    words: searchedFields.map((name, i) =>
      i === 0 ? `${entries[name].words} ${sameWord(hash)}` : entries[name].words,
    ),
  };
}

/** The word by which `findDuplicatesOf` finds the books with a hash. No query has it: `§` is not a letter. */
export function sameWord(hash: number): string {
  return `§${hash.toString(36)}`;
}

/** Those of hashes lie between these. */
export const sameWords = { from: '§', to: '¨' } as const;

function textEntry(text: string): { folded: string; words: string } {
  const { words, forms } = searchableWords(text);
  // Those of a longer text may not be all its words.
  const folded = text.length <= maxIndexedWords ? joinFolded(words) : foldText(text);
  return { folded, words: words.concat(forms).map(indexKey).join(' ') };
}
