import type { BookFields } from '../../book.ts';
import { indexWords } from '../../query/index-terms.ts';
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

const maxWords = 2000;
/** Not a word: the only entry of a book with more words than the index takes. */
export const tooManyWords = '*';

export function indexEntry({ title, author, year }: BookFields): IndexEntry {
  const { words } = indexWords(title, author);
  return {
    words: words.length > maxWords ? [tooManyWords] : words,
    title: textKey(title),
    author: textKey(author),
    year,
  };
}
