import type { Book } from '../../book.ts';
import { foldWords } from '../../query/fold.ts';
import { textKey } from '../../query/position.ts';

/** What a book is found by: a word of its title or author, its whole title or author, its year. */
export type Term =
  readonly [kind: 'word' | 'title' | 'author', text: string] | readonly ['year', year: number];

/** Longer words are indexed by their start. In UTF-16 units. */
const maxWordLength = 64;
/** A longer text is not cut into words: its book is looked at whenever words are asked for. In UTF-16 units. */
const maxTextLength = 10_000;

/** After all terms of a kind: none of them holds the last character of Unicode, which is no letter. */
export const lastTerm = '\u{10ffff}';

/** Stands for the words of a book whose text is too long; no word is empty. */
export const manyWords = '';

/** What a word, or the start of one, is indexed by. */
export function wordKey(word: string): string {
  // A surrogate that lost its other half has no bytes of its own.
  return word.length <= maxWordLength ? word : word.slice(0, maxWordLength).replace(/[\ud800-\udbff]$/, '');
}

export function termsOf({ title, author, year }: Book): Term[] {
  const isLong = title.length + author.length > maxTextLength;
  const words = isLong ? [manyWords] : [...foldWords(title), ...foldWords(author)].map(wordKey);
  return [
    ['title', textKey(title)],
    ['author', textKey(author)],
    ['year', year],
    ...[...new Set(words)].map((word) => ['word', word] as const),
  ];
}
