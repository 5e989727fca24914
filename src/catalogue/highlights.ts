import { searchedFields, type SearchedField } from './fields.ts';
import { foldWords } from './fold.ts';
import type { BookQuery } from './query.ts';
import { maxWordLength, queryWords, searchTerms, withoutSign } from './words.ts';

/** The part of a text that a search has found: from an index to another, which is excluded, in UTF-16 code units. */
export type Span = readonly [start: number, end: number];

/** Longer texts are marked at their beginning only: no table shows more of them. */
const maxLength = 300;

/** A character with its marks, which are one letter to a reader. */
const cluster = /* @__PURE__ */ new RegExp('\\P{M}\\p{M}*|\\p{M}+', 'gsu');

/** The folded words of a query, by the field whose text they are marked in. */
export function highlightedWords(query: BookQuery): Readonly<Record<SearchedField, readonly string[]>> {
  const anywhere = queryWords(query.q ?? '').map(withoutSign);
  const entries = searchedFields.map((name) => {
    const words = foldWords(query[`${name}Words`] ?? '');
    return [name, [...new Set([...anywhere, ...words])]] as const;
  });
  return Object.fromEntries(entries) as Record<SearchedField, readonly string[]>;
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
  const spans: Span[] = [];
  for (const { 0: chunk, index } of text.slice(0, maxLength).matchAll(/\S+/g)) {
    const terms = searchTerms(chunk);
    const found = words.filter((word) =>
      terms.some((term) => (isWithin ? term.includes(word) : term.startsWith(word))),
    );
    if (found.length === 0) continue;
    const letters = lettersOf(chunk);
    for (const word of found) {
      const suffixes = [...new Set(terms)].filter((term) => term.startsWith(word));
      for (const [i, { start }] of letters.entries()) {
        const end = endOf(letters, i, word);
        if (end === undefined) continue;
        if (isWithin || suffixes.some((term) => endsToken(letters, i, term)))
          spans.push([index + start, index + (letters[end - 1]?.end ?? 0)]);
      }
    }
  }
  return joined(spans);
}

/** A letter of a text, or a sign between letters. */
interface Letter {
  readonly start: number;
  readonly end: number;
  /** What may be typed for it; empty for a sign that nothing is typed for. */
  readonly forms: readonly string[];
}

function lettersOf(chunk: string): Letter[] {
  return Array.from(chunk.matchAll(cluster), ({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
    forms: [...new Set(searchTerms(text))],
  }));
}

/**
 * The index after the letters that spell a word, from one of them on; `undefined` if they do not. Signs between letters may be
 * missing from the word, as the apostrophe of `OBrien` is. Takes linear time, though a letter has several forms.
 */
function endOf(letters: readonly Letter[], from: number, word: string): number | undefined {
  let spelled = new Set([0]);
  for (let i = from; i < letters.length && spelled.size > 0; i++) {
    const forms = letters[i]?.forms ?? [];
    if (forms.length === 0 && i > from) continue;
    const next = new Set<number>();
    for (const length of spelled) {
      const rest = word.slice(length);
      if (forms.some((form) => form.startsWith(rest))) return i + 1;
      for (const form of forms) if (rest.startsWith(form)) next.add(length + form.length);
    }
    spelled = next;
  }
  return undefined;
}

/** Whether a term of the text begins at a letter: the term then ends where letters end. */
function endsToken(letters: readonly Letter[], from: number, term: string): boolean {
  const end = endOf(letters, from, term.slice(0, maxWordLength));
  if (end === undefined) return false;
  // The forms of long words are cut, and end anywhere.
  return letters[end] === undefined || letters[end].forms.length === 0 || term.length >= maxWordLength;
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
