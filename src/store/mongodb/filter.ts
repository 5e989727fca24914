// Translates a filter of books into filters of documents: those that match, and those to be checked.
import type { Filter } from 'mongodb';
import { indexedIntegers, searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import { fits, indexKey, isNegative, isNumber, withoutSign, type Term } from '../../catalogue/words.ts';
import { isDecidedByKey, textKey } from '../../catalogue/keyset-position.ts';
import { hasWords, type BookFilter } from '../../catalogue/query.ts';
import type { BookDocument } from './schema.ts';
import { numberKey, tooManyWords, wordKey } from './index-entry.ts';

/** The number of words that the server searches for; the others are checked in its results. */
const maxServerWords = 8;

/** Candidates: all documents that may match a filter, by their index entries. A few do not match. */
export function candidates(filter: BookFilter): Filter<BookDocument>[] {
  return [
    ...otherTerms(filter),
    ...serverTerms(filter).map(({ term, keys }) => {
      // No book has one of no words.
      const hasWord = { 'index.words': { $in: term.length === 0 ? [] : [...keys, tooManyWords] } };
      const integers = term.filter(isNegative).flatMap((word) => hasInteger(Number(word)));
      return integers.length > 0 ? { $or: [hasWord, ...integers] } : hasWord;
    }),
  ];
}

function hasInteger(value: number): Filter<BookDocument>[] {
  return indexedIntegers.map((name) => ({ [`index.${name}`]: value }));
}

/** The candidates that certainly match; `undefined`: each one must be checked. */
export function certain(filter: BookFilter): Filter<BookDocument>[] | undefined {
  const terms = wordTerms(filter);
  const mustCheck = terms.some(({ term }) => !term.every(fits) || term.some(isNegative));
  if (mustCheck || terms.length > maxServerWords) return undefined;
  return [
    ...otherTerms(filter),
    ...givenTexts(filter).map(([name, text]) => ({ [name]: text })),
    ...terms.map((term) => ({ 'index.words': { $in: term.keys } })),
  ];
}

/** The candidates that are not {@link certain}; `undefined`: there are none. */
export function uncertain(filter: BookFilter): Filter<BookDocument>[] | undefined {
  if (certain(filter) === undefined) return candidates(filter);
  const cut = hasWords(filter) ? [{ 'index.words': tooManyWords }] : [];
  const others = givenTexts(filter).map(([name, text]) => ({ [name]: { $ne: text } }));
  if (others.length > 0) return [...candidates(filter), { $or: [...cut, ...others] }];
  return cut.length > 0 ? [...otherTerms(filter), ...cut] : undefined;
}

/** The whole texts as they were given: most books have one in this spelling, and need no check. */
function givenTexts({ texts }: BookFilter): [name: string, text: string][] {
  return Object.entries(texts).flatMap(([name, text]) => (isDecidedByKey(text) ? [] : [[name, text.text]]));
}

/** Every document that has an index entry. */
export const hasEntry: Filter<BookDocument> = {
  [`index.${indexedIntegers[0]}`]: { $gte: Number.MIN_SAFE_INTEGER, $lte: Number.MAX_SAFE_INTEGER },
};

function otherTerms({ texts, ranges }: BookFilter): Filter<BookDocument>[] {
  return [
    ...Object.entries(texts).map(([name, text]) => ({ [`index.${name}`]: textKey(text.folded) })),
    ...Object.entries(ranges).map(([name, { from, to }]) => ({
      [`index.${name}`]: { $gte: from, $lte: to },
    })),
  ];
}

/** A word, and the keys in the index of which a book must have one. */
interface WordTerm {
  readonly term: Term;
  readonly keys: readonly (RegExp | string)[];
}

function wordTerms({ words, fieldWords }: BookFilter): WordTerm[] {
  const startsIn = (names: readonly SearchedField[], term: Term) =>
    // A key of a word has only letters, digits and wide signs, so nothing in it needs escaping.
    term.flatMap((word) => names.map((name) => new RegExp(`^${wordKey(name, indexKey(withoutSign(word)))}`)));
  return [
    ...words.map((term) => ({
      term,
      keys: [
        ...startsIn(searchedFields, term),
        ...term.filter((word) => isNumber(word) && !isNegative(word)).map(numberKey),
      ],
    })),
    ...searchedFields.flatMap((name) =>
      (fieldWords[name] ?? []).map((term) => ({ term, keys: startsIn([name], term) })),
    ),
  ];
}

/** Chooses the longest words, because they occur in the fewest books. */
function serverTerms(filter: BookFilter): readonly WordTerm[] {
  const terms = wordTerms(filter);
  if (terms.length <= maxServerWords) return terms;
  const lengthOf = ({ term }: WordTerm) => Math.min(...term.map((word) => word.length));
  return terms.sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, maxServerWords);
}
