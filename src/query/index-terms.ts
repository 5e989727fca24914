import { foldWords } from './fold.ts';

/** Search reads this much of a title, and of an author. In UTF-16 code units. */
export const maxIndexedLength = 32_768;

/** Search knows this many different words of a title, and of an author: the first ones. */
export const maxIndexedWords = 4_096;

/** An index holds this much of a word: its start. In code points. */
export const maxWordLength = 64;

/** The words that an index holds for a book. */
export interface IndexWords {
  /** Folded, each once, cut to {@link maxWordLength}. */
  readonly words: readonly string[];
  /** Whether search knows every word of the book; `false` when its title or author exceeds a limit. */
  readonly isComplete: boolean;
}

/**
 * The words for a book's index entry. Search finds a book by the words in the first 32,768 UTF-16 code units of its
 * title and of its author, at most 4,096 different words of each; later words are not searchable.
 *
 * `matches` keeps to the same words, uncut: an index over these words gives exact answers for query words of up to
 * {@link maxWordLength} code points. For a longer query word, look up its {@link indexKey} and check with `matches`.
 */
export function indexWords(title: string, author: string): IndexWords {
  const [ofTitle, ofAuthor] = [searchableWords(title), searchableWords(author)];
  return {
    words: [...new Set([...ofTitle.words, ...ofAuthor.words].map(indexKey))],
    isComplete: ofTitle.isComplete && ofAuthor.isComplete,
  };
}

/** What an index holds of a word, and what a word of a query is looked up by. */
export function indexKey(word: string): string {
  if (word.length <= maxWordLength) return word;
  return Array.from(word.slice(0, 2 * maxWordLength))
    .slice(0, maxWordLength)
    .join('');
}

/** The words of a title, or of an author, that search knows, uncut. A word of a short text may come twice. */
export function searchableWords(text: string): { words: string[]; isComplete: boolean } {
  if (text.length <= maxIndexedLength) return firstWords(foldWords(text), true);
  // The letter joins the word that the limit cuts, or is a word of its own.
  const words = foldWords(`${start(text)}x`);
  const cutWord = words.pop()?.slice(0, -1) ?? '';
  // An index holds no more than the start of a long word anyway. A short one is left out: it would be another word.
  if (indexKey(cutWord) !== cutWord) words.push(cutWord);
  return firstWords(words, false);
}

/** Never ends with half a surrogate pair. */
function start(text: string): string {
  return text.slice(0, maxIndexedLength).replace(/[\ud800-\udbff]$/, '');
}

function firstWords(words: string[], isComplete: boolean): { words: string[]; isComplete: boolean } {
  if (words.length <= maxIndexedWords) return { words, isComplete };
  const different = [...new Set(words)];
  if (different.length <= maxIndexedWords) return { words: different, isComplete };
  return { words: different.slice(0, maxIndexedWords), isComplete: false };
}
