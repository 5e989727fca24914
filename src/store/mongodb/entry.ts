import type { BookFields } from '../../book.ts';
import { indexWords } from '../../query/index-terms.ts';
import { textKey } from '../../query/position.ts';

/** The index entry of a book. It is part of the document, and written with it. */
export interface IndexEntry {
  /** The folded words of title and author, each once; or {@link tooManyWords}. */
  readonly words: readonly string[];
  readonly title: string;
  readonly author: string;
  /** A copy of the year, so that no index contains tombstones. */
  readonly year: number;
}

const maxWords = 2000;
/** The only entry of a book with too many words for the index. It is not itself a word. */
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
