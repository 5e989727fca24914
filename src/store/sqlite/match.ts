import { indexKey, searchableWords } from '../../query/index-terms.ts';
import { foldedKey, maxKeyBytes, textKey } from '../../query/position.ts';

/** The longest words of a query narrow it enough; more would exceed the depth of an FTS5 expression. */
const maxWords = 16;

/** What the indexes hold of a text. */
export interface IndexEntry {
  /** What it is compared and ordered by. */
  readonly key: string;
  /** Its words for the full-text index, whose tokenizer splits them at spaces and changes nothing else. */
  readonly words: string;
}

export function indexEntry(text: string): IndexEntry {
  const { words, isComplete } = searchableWords(text);
  // Folded once, unless the key needs what search leaves out.
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

/** Whether {@link matchExpression} finds exactly the books with these words, and no others. */
export function isExactMatch(words: readonly string[]): boolean {
  return words.length <= maxWords && words.every((word) => indexKey(word) === word);
}
