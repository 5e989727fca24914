import { indexKey, searchableWords } from '../../query/index-terms.ts';

/** The longest words of a query narrow it enough; more would exceed the depth of an FTS5 expression. */
const maxWords = 16;

/** What the full-text index holds of a text: its folded words. Its tokenizer splits at spaces, and changes nothing else. */
export function wordsColumn(text: string): string {
  return searchableWords(text).words.map(indexKey).join(' ');
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
