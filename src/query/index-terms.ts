import { foldWords } from './fold.ts';

/** The indexed length of a title, and of an author, in UTF-16 code units. */
export const maxIndexedLength = 32_768;

/** The number of different words indexed of a title, and of an author: the first ones. */
export const maxIndexedWords = 4_096;

/** The indexed prefix of a word, in code points. */
export const maxWordLength = 64;

/** The words that an index holds for a book. */
export interface IndexWords {
  /** Folded, each once, cut to {@link maxWordLength}. */
  readonly words: readonly string[];
  /** Whether every word of the book is indexed; `false` when its title or author exceeds a limit. */
  readonly isComplete: boolean;
}

/**
 * The words for a book's index entry. Search finds a book by the words in the first 32,768 UTF-16 code units of its
 * title and of its author. At most 4,096 different words of each are searchable.
 *
 * `matches` uses the same words, uncut: an index over these words gives exact answers for query words of up to
 * {@link maxWordLength} code points. For a longer query word, look up its {@link indexKey} and check with `matches`.
 */
export function indexWords(title: string, author: string): IndexWords {
  const [ofTitle, ofAuthor] = [searchableWords(title), searchableWords(author)];
  return {
    words: [...new Set([...ofTitle.words, ...ofAuthor.words].map(indexKey))],
    isComplete: ofTitle.isComplete && ofAuthor.isComplete,
  };
}

/** The key of a word in an index, and of a query word in a lookup. */
export function indexKey(word: string): string {
  if (word.length <= maxWordLength) return word;
  return Array.from(word.slice(0, 2 * maxWordLength))
    .slice(0, maxWordLength)
    .join('');
}

/** The searchable words of a title or an author, uncut. A word of a short text may occur twice. */
export function searchableWords(text: string): { words: string[]; isComplete: boolean } {
  if (text.length <= maxIndexedLength) return firstWords(foldWords(text), true);
  // The appended letter marks the cut: it joins the word that the limit cuts, or becomes a word of its own.
  const words = foldWords(`${start(text)}x`);
  const cutWord = words.pop()?.slice(0, -1) ?? '';
  // A long word is kept, because indexes hold only its start. A short one is dropped: cut, it is a different word.
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
