import { indexKey, searchableWords } from '../../query/index-terms.ts';
import { foldedKey, maxKeyBytes, textKey } from '../../query/position.ts';

/** The number of query words used, the longest ones. More would exceed the depth of an FTS5 expression. */
const maxWords = 16;

/** The index entry of a text. */
export interface IndexEntry {
  /** The key for comparison and order. */
  readonly key: string;
  /** Its words for the full-text index, whose tokenizer only splits them at spaces. */
  readonly words: string;
}

export function indexEntry(text: string): IndexEntry {
  const { words, isComplete } = searchableWords(text);
  // Reuses the folded words, unless the key needs more of the text than search does.
  const key = isComplete && text.length <= maxKeyBytes ? foldedKey(words.join(' ')) : textKey(text);
  return { key, words: words.map(indexKey).join(' ') };
}

/** An FTS5 expression for books that have all these words as prefixes. */
export function matchExpression(words: readonly string[]): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .slice(0, maxWords)
    .map((word) => `"${indexKey(word)}"*`)
    .join(' AND ');
}

/** Whether {@link matchExpression} finds only the books with these words. */
export function isExactMatch(words: readonly string[]): boolean {
  return words.length <= maxWords && words.every((word) => indexKey(word) === word);
}
