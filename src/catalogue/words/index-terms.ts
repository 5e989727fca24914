import { mapFields, searchedFields, type SearchedField } from '../fields.ts';
import { foldTokens, withoutApostrophes } from './fold.ts';
import { isUnspaced, mayHaveForms, wordForms } from './word-forms.ts';

/** The indexed length of each text, in UTF-16 code units. */
export const maxIndexedLength = 32_768;

/** The number of different words indexed of each text: the first ones. */
export const maxIndexedWords = 4_096;

/** The number of further forms of words (`word-forms.ts`) indexed of each text: the first ones. */
export const maxIndexedForms = 1_024;

/** The indexed prefix of a word, in code points; also the length of a further form. */
export const maxWordLength = 64;

/**
 * The indexed prefix of a word that begins in a script without spaces, in code points. It bounds the size of an index entry:
 * each character of such a text begins a form.
 */
export const maxUnspacedLength = 16;

/** The words that an index holds for a book. */
export interface IndexWords {
  /** For each searched field: folded, each once, cut by {@link indexKey}. */
  readonly words: Readonly<Record<SearchedField, readonly string[]>>;
  /** Whether every word of the book is indexed; `false` when a text exceeds a limit. */
  readonly isComplete: boolean;
}

/** The words by which search finds a text. */
export interface SearchableWords {
  /** In the order of the text, uncut. A word of a short text may occur twice. */
  readonly words: readonly string[];
  /** Further forms of these words. */
  readonly forms: readonly string[];
  /** Whether these are all its words and forms. */
  readonly isComplete: boolean;
}

/** The fields that search reads. */
type SearchedTexts = Readonly<Record<SearchedField, string>>;

/**
 * The words for a book's index entry. Search finds a book by the words in the first 32,768 UTF-16 code units of each of its
 * searched texts. At most 4,096 different words of each are searchable, and 1,024 further forms.
 *
 * `matches` uses the same words, uncut: an index over these words gives exact answers for query words that are their own
 * {@link indexKey}. For a longer query word, look up its key and check with `matches`.
 */
export function indexWords(fields: SearchedTexts): IndexWords {
  const texts = mapFields(searchedFields, (name) => searchableWords(fields[name]));
  const keysOf = ({ words, forms }: SearchableWords) => [...new Set([...words, ...forms].map(indexKey))];
  return {
    words: mapFields(searchedFields, (name) => keysOf(texts[name])),
    isComplete: searchedFields.every((name) => texts[name].isComplete),
  };
}

/** The words by which search finds a text, and their further forms. */
export function searchTerms(text: string): string[] {
  const { words, forms } = searchableWords(text);
  return [...words, ...forms];
}

/** The key of a word in an index, and of a query word in a lookup. */
export function indexKey(word: string): string {
  if (word.length <= maxUnspacedLength) return word;
  return cut(word, isUnspaced(word) ? maxUnspacedLength : maxWordLength);
}

/** The first code points of a word. */
function cut(word: string, maxLength: number): string {
  if (word.length <= maxLength) return word;
  return Array.from(word.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join('');
}

/** The searchable words of a text. */
export function searchableWords(text: string): SearchableWords {
  if (text.length <= maxIndexedLength) return firstWords(foldTokens(text), true);
  // The appended letter marks the cut: it joins the word that the limit cuts, or becomes a word of its own.
  const tokens = foldTokens(`${start(text)}x`);
  const cutToken = tokens.pop()?.slice(0, -1) ?? '';
  const cutWord = withoutApostrophes(cutToken);
  // A long word is kept, because indexes hold only its start. A short one is dropped: cut, it is a different word.
  if (cut(cutWord, maxWordLength) !== cutWord) tokens.push(cutToken);
  return firstWords(tokens, false);
}

/** Never ends with half a surrogate pair. */
function start(text: string): string {
  return text.slice(0, maxIndexedLength).replace(/[\ud800-\udbff]$/, '');
}

function firstWords(tokens: string[], isWhole: boolean): SearchableWords {
  const [first, areAll] = firstTokens(tokens);
  if (!first.some(mayHaveForms)) return { words: first, forms: [], isComplete: isWhole && areAll };
  const words = first.map(withoutApostrophes);
  const forms: string[] = [];
  for (const token of first) {
    if (!mayHaveForms(token)) continue;
    for (const form of wordForms(token)) {
      if (forms.length === maxIndexedForms) return { words, forms, isComplete: false };
      forms.push(cut(form, maxWordLength));
    }
  }
  return { words, forms, isComplete: isWhole && areAll };
}

function firstTokens(tokens: readonly string[]): [tokens: readonly string[], areAll: boolean] {
  if (tokens.length <= maxIndexedWords) return [tokens, true];
  const different = [...new Set(tokens)];
  return [different.slice(0, maxIndexedWords), different.length <= maxIndexedWords];
}
