import type { BookFields } from '../../book.ts';
import { foldWords } from '../../query/fold.ts';
import { textKey } from '../../query/position.ts';

/** What the indexes know of a book. It is part of its document, and written with it. */
export interface IndexEntry {
  /** The folded words of title and author, each once; or {@link tooManyWords}. */
  readonly words: readonly string[];
  readonly title: string;
  readonly author: string;
  /** Here too, so that no index holds a tombstone. */
  readonly year: number;
}

/** Words are indexed up to this length, in code points. */
export const maxWordLength = 64;
const maxWords = 2000;
/** Not a word: the only entry of a book with more words than the index takes. */
export const tooManyWords = '*';

export function indexEntry({ title, author, year }: BookFields): IndexEntry {
  const words = new Set([...foldWords(title), ...foldWords(author)].map(cutWord));
  return {
    words: words.size > maxWords ? [tooManyWords] : [...words],
    title: textKey(title),
    author: textKey(author),
    year,
  };
}

/** A word as the index holds it. */
export function cutWord(word: string): string {
  return word.length <= maxWordLength ? word : Array.from(word).slice(0, maxWordLength).join('');
}
