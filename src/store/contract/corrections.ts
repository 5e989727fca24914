// Finds other words for a query that finds nothing, with two questions that every store answers.
import { singleEdits, wordMembers, type Correction, type WordMember } from '../../catalogue/correction.ts';
import { searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import { compareFolded, foldWords } from '../../catalogue/fold.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { queryWords, withoutSign } from '../../catalogue/words.ts';

/** Queries with more words are not corrected. */
const maxWords = 8;
/** The maximum number of replacements of a word. */
const maxReplacements = 6;
/** The maximum number of corrected queries. */
const maxConsidered = 60;
/** The number of them that are tried until one finds something, and after that. */
const maxAsked = 24;
const maxAskedMore = 4;
/** Corrections that find more books than this are equally good. */
const maxFound = 200;
/** Replacing a word that occurs in some book is worth less than any replacement of a word that does not. */
const knownWordCost = 100;

/** Words in more books than this count as equally frequent. */
export const maxCounted = 20_000;

/** The word counts of a store. */
export interface Vocabulary {
  /**
   * The number of books that have each of these whole words, up to 20,000; words without a book are missing.
   *
   * @param name The field of the words. Default: any searched field.
   */
  countWords(
    words: readonly string[],
    name: SearchedField | undefined,
  ): Promise<Iterable<readonly [word: string, count: number]>>;
  /** The number of books that a query finds, up to a limit. */
  count(query: BookQuery, limit: number): Promise<number>;
}

/** A word of a query, and its replacements, best first. The word itself is one of them if a book has it. */
interface Slot {
  readonly member: WordMember;
  readonly options: readonly { readonly word: string; readonly cost: number }[];
}

interface Candidate {
  readonly words: readonly string[];
  readonly cost: number;
}

/**
 * Corrects the words of a query that finds nothing: each word that no book has becomes one at a single edit that some book
 * has, and so may other words. Every correction finds something. A query that finds something has no corrections.
 */
export async function correct(
  query: BookQuery,
  limit: number,
  vocabulary: Vocabulary,
): Promise<Correction[]> {
  const words = wordMembers.flatMap((member) => wordsOf(query, member).map((word) => ({ member, word })));
  if (words.length === 0 || words.length > maxWords || (await vocabulary.count(query, 1)) > 0) return [];
  const slots: Slot[] = [];
  for (const { member, word } of words) {
    const options = await findOptions(word, member, vocabulary);
    if (options.length === 0) return [];
    slots.push({ member, options });
  }
  const found: { readonly correction: Correction; readonly count: number }[] = [];
  let left = maxAsked;
  for (const candidate of combine(slots)) {
    if (candidate.words.every((word, i) => word === words[i]?.word)) continue;
    if (left-- === 0) break;
    const correction = toCorrection(query, slots, candidate.words);
    const count = await vocabulary.count({ ...query, ...correction }, maxFound);
    if (count === 0) continue;
    found.push({ correction, count });
    left = Math.min(left, maxAskedMore);
  }
  return found
    .sort((a, b) => b.count - a.count)
    .slice(0, limit)
    .map(({ correction }) => correction);
}

function wordsOf(query: BookQuery, member: WordMember): string[] {
  const text = query[member] ?? '';
  return member === 'q' ? queryWords(text) : foldWords(text);
}

async function findOptions(
  word: string,
  member: WordMember,
  vocabulary: Vocabulary,
): Promise<Slot['options']> {
  const name = searchedFields.find((each) => `${each}Words` === member);
  const isKnown = (await vocabulary.count({ [member]: word }, 1)) > 0;
  const found = [...(await vocabulary.countWords(singleEdits(withoutSign(word)), name))];
  // People rarely mistake the first letter.
  const first = withoutSign(word).charAt(0);
  const isUnlikely = (each: string) => Number(!each.startsWith(first));
  found.sort(
    ([a, countA], [b, countB]) => isUnlikely(a) - isUnlikely(b) || countB - countA || compareFolded(a, b),
  );
  const replacements = found.slice(0, maxReplacements).map(([each], i) => ({
    word: each,
    cost: i + (isKnown ? knownWordCost : 0),
  }));
  return isKnown ? [{ word, cost: 0 }, ...replacements] : replacements;
}

/** The best combinations of options, one for each word, best first. */
function combine(slots: readonly Slot[]): readonly Candidate[] {
  let candidates: Candidate[] = [{ words: [], cost: 0 }];
  for (const { options } of slots) {
    candidates = candidates
      .flatMap(({ words, cost }) =>
        options.map((option) => ({ words: [...words, option.word], cost: cost + option.cost })),
      )
      .sort((a, b) => a.cost - b.cost)
      .slice(0, maxConsidered);
  }
  return candidates;
}

/** A text without a replaced word keeps its spelling. */
function toCorrection(query: BookQuery, slots: readonly Slot[], words: readonly string[]): Correction {
  const members = [...new Set(slots.map(({ member }) => member))].map((member) => {
    const given = query[member] ?? '';
    const own = words.filter((_, i) => slots[i]?.member === member).join(' ');
    return [member, own === wordsOf(query, member).join(' ') ? given : own] as const;
  });
  return Object.fromEntries(members);
}
