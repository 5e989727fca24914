import { mapFields, searchedFields, type SearchedField } from './fields.ts';
import type { BookQuery } from './query.ts';
import { maxWordLength, queryTerms, searchTerms, withoutSign } from './words.ts';

/** The part of a text that a search has found: from an index to another, which is excluded, in UTF-16 code units. */
export type Span = readonly [start: number, end: number];

/** Longer texts are marked at their beginning only: no table shows more of them. */
const maxLength = 300;

/** A character with its marks, which are one letter to a reader. */
const cluster = /* @__PURE__ */ new RegExp('\\P{M}\\p{M}*|\\p{M}+', 'gsu');

/** The words of a query, in all their forms, by the field whose text they are marked in. */
export function highlightedWords(query: BookQuery): Readonly<Record<SearchedField, readonly string[]>> {
  const wordsOf = (text = '') => queryTerms(text).flat().map(withoutSign);
  const anywhere = wordsOf(query.q);
  return mapFields(searchedFields, (name) => [...new Set([...anywhere, ...wordsOf(query[`${name}Words`])])]);
}

/**
 * The parts of a text that words of a query begin, by the rules of search: `grandpre` marks all of `GrandPré`, `brien` the end of
 * `O’Brien`. A letter is marked whole, with its marks. The parts are in order, and do not overlap.
 *
 * @param words Folded, as {@link highlightedWords} returns them.
 * @param isWithin Whether words are also marked within other words, as the search for parts of words finds them.
 */
export function highlights(text: string, words: readonly string[], isWithin = false): Span[] {
  if (words.length === 0) return [];
  const beginning = text.slice(0, maxLength);
  const terms = [...new Set(searchTerms(beginning))];
  const found = words.filter((word) =>
    terms.some((term) => (isWithin ? term.includes(word) : term.startsWith(word))),
  );
  if (found.length === 0) return [];
  const letters = lettersOf(beginning);
  const spans: Span[] = [];
  for (const word of found) {
    const begun = terms.filter((term) => term.startsWith(word));
    for (const [i, { start }] of letters.entries()) {
      const end = endOf(letters, i, word);
      if (end === undefined) continue;
      if (isWithin || begun.some((term) => beginsAt(letters, i, term)))
        spans.push([start, letters[end - 1]?.end ?? start]);
    }
  }
  return joined(spans);
}

/** A letter of a text, or a sign. */
interface Letter {
  readonly start: number;
  readonly end: number;
  /** What may be typed for it. */
  readonly forms: readonly string[];
  /** Whether words may be spelled without it, as `OBrien` is without an apostrophe. */
  readonly isSign: boolean;
}

function lettersOf(text: string): Letter[] {
  return Array.from(text.matchAll(cluster), ({ 0: letter, index }) => {
    const forms = /^[a-z0-9]$/i.test(letter) ? [letter.toLowerCase()] : searchTerms(letter);
    const isSign = forms.length === 0;
    return { start: index, end: index + letter.length, forms: isSign ? [letter] : forms, isSign };
  });
}

/**
 * The index after the letters that spell a word, from one of them on; `undefined` if they do not. Takes linear time, though a
 * letter has several forms.
 */
function endOf(letters: readonly Letter[], from: number, word: string): number | undefined {
  let spelled = [0]; // How much of the word the letters may have spelled.
  for (let i = from; i < letters.length && spelled.length > 0; i++) {
    const { forms = [], isSign = false } = letters[i] ?? {};
    const next = isSign && i > from ? [...spelled] : [];
    for (const length of spelled) {
      const left = word.length - length;
      for (const form of forms) {
        if (form.length >= left && form.startsWith(word.slice(length))) return i + 1;
        const after = length + form.length;
        if (word.startsWith(form, length) && !next.includes(after)) next.push(after);
      }
    }
    spelled = next;
  }
  return undefined;
}

/** Whether a term of the text is the one that begins at a letter: it ends where letters end, or is cut off. */
function beginsAt(letters: readonly Letter[], from: number, term: string): boolean {
  const end = endOf(letters, from, term.slice(0, maxWordLength));
  return end !== undefined && (letters[end]?.isSign !== false || term.length >= maxWordLength);
}

/** In order, with those that overlap made one. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}
