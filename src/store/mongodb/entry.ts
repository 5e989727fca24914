import type { CreateIndexesOptions, IndexDescription } from 'mongodb';
import type { BookFields } from '../../book.ts';
import { foldWords } from '../../query/fold.ts';
import { textKey } from '../../query/position.ts';

/** What the indexes know of a book. It stands in the book's record, and is put there after the book. */
export interface IndexEntry {
  /** The folded words of title and author, each once; or {@link tooManyWords}. */
  readonly words: readonly string[];
  readonly title: string;
  readonly author: string;
  readonly year: number;
}

/** Words that are alike up to here count as alike in the index. In code points. */
export const maxWordLength = 64;
const maxWords = 2000;
/** No word: it stands for all the words of a book that has too many for the index. */
export const tooManyWords = '*';

export function indexEntry({ title, author, year }: BookFields): IndexEntry {
  const words = new Set([title, author].flatMap(foldWords).map(cutWord));
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

/**
 * The indexes. Partial, so that a new book costs next to nothing: only the first one knows it until it has its entry.
 * An old entry stays where it is until a new one takes its place, and so a book is never out of sight meanwhile.
 */
export const indexes: readonly (IndexDescription & CreateIndexesOptions)[] = [
  // `null` stands for missing too: a record that another program put there is found like one of ours.
  { name: 'shelflist_unindexed', key: { indexed: 1, _id: 1 }, partialFilterExpression: { indexed: null } },
  partial('words', { 'index.words': 1 }),
  partial('title', { 'index.title': 1, _id: 1 }),
  partial('author', { 'index.author': 1, _id: 1 }),
  partial('year', { 'index.year': 1, _id: 1 }),
];

function partial(field: keyof IndexEntry, key: Record<string, 1>): IndexDescription {
  return {
    name: `shelflist_${field}`,
    key,
    partialFilterExpression: { [`index.${field}`]: { $exists: true } },
  };
}
