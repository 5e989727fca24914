// The words that may stand for those of a query, and what each costs.
import { maxLength, replacementsOf, type Replacement } from '../../catalogue/correction.ts';
import { codePointsOf } from '../../catalogue/edit-distance.ts';
import { compareFolded } from '../../catalogue/fold.ts';
import type { BookQuery, WordMember } from '../../catalogue/query.ts';
import type { WordList } from '../../catalogue/word-list.ts';
import { isConjunction } from '../../catalogue/word-forms.ts';
import { isNumber, queryTerms, withoutSign } from '../../catalogue/words.ts';
import { forEachYielding, type PrioritySignal } from '../../lib/scheduler.ts';

/** The maximum number of replacements of a word. */
const maxReplacements = 150;
/** The minimum length of the parts of a word that is split, in code points. */
const minPart = 2;
/** An error weighs more than everything else in all words of a query. */
const errorCost = 1000;
/** A space that is missing or too many is the most frequent error. */
const spaceCost = errorCost - 10;
/** What the beginning of a word costs more than a whole one. */
export const startCost = 30;
const otherFirstCost = 1;

/** A word of a query as it was typed. */
export interface Typed {
  readonly member: WordMember;
  readonly word: string;
  /** Its spelling, with capital letters and accents. */
  readonly text: string;
  /** Whether a book may have it, by the words of all books. */
  readonly isKnown: (words: WordList) => boolean;
  /** Whether it is the last one of its member: people see results before they have typed it whole. */
  readonly isLast: boolean;
}

/** A word of a corrected query. */
export interface Placed {
  readonly member: WordMember;
  readonly text: string;
  /** Whether some book must have it as a whole word; a last one then costs less. */
  readonly isWhole: boolean;
  readonly isLast: boolean;
}

/** What may stand for one typed word, or for two neighbours. */
export interface Option {
  readonly words: readonly Placed[];
  /** The number of typed words. */
  readonly span: number;
  readonly cost: number;
}

/** The words of a member, with conjunctions and signs. */
export function typedWords(query: BookQuery, member: WordMember): Typed[] {
  const words = (query[member] ?? '').split(/\s+/).flatMap((part) => {
    const terms = queryTerms(part);
    return terms.flatMap((term) => {
      const [word] = term;
      if (word === undefined) return [];
      const isKnown = (words: WordList) =>
        isNumber(word) || isConjunction(word) || term.some((each) => words.hasStart(each));
      return { member, word, text: terms.length === 1 ? part : word, isKnown };
    });
  });
  return words.map((word, i) => ({ ...word, isLast: i === words.length - 1 }));
}

/** The options at each typed word. */
export async function optionsOf(
  typed: readonly Typed[],
  words: WordList,
  signal: PrioritySignal | undefined,
): Promise<Option[][]> {
  const replacements = typed.map(({ word, isLast }) => ({
    compare: replacementsOf(withoutSign(word), isLast),
    found: new Map<string, Replacement>(),
  }));
  const compareAll = (word: string) => {
    for (const { compare, found } of replacements) {
      const replacement = compare(word);
      if (replacement === undefined) continue;
      const before = found.get(replacement.word);
      if (before === undefined || costOf(replacement) < costOf(before))
        found.set(replacement.word, replacement);
    }
  };
  await forEachYielding(words, compareAll, signal);
  return typed.map((each, i) => {
    const { member, word, isLast } = each;
    const options = [...(replacements[i]?.found.values() ?? [])]
      .sort((a, b) => costOf(a) - costOf(b) || compareFolded(a.word, b.word))
      .slice(0, maxReplacements)
      .map((one) => optionOf(member, [one.word], { cost: costOf(one), isWhole: !one.isStart, isLast }));
    for (const parts of splitsOf(word))
      if (parts.every((part) => words.has(part))) options.push(optionOf(member, parts, { cost: spaceCost }));
    const next = typed[i + 1];
    const joined = word + (next?.word ?? '');
    if (next?.member === member && codePointsOf(joined).length <= maxLength && words.hasStart(joined)) {
      const isWhole = words.has(joined);
      const cost = spaceCost + (isWhole ? 0 : startCost);
      options.push(optionOf(member, [joined], { cost, isWhole, isLast: true, span: 2 }));
    }
    if (each.isKnown(words) || options.length === 0)
      options.push({ words: [{ ...each, isWhole: false }], span: 1, cost: 0 });
    return options;
  });
}

/** @param isLast Whether the last one of the words may be the beginning of one. */
function optionOf(
  member: WordMember,
  words: readonly string[],
  { cost, isWhole = true, isLast = false, span = 1 }: Pick<Option, 'cost'> & Partial<Option & Placed>,
): Option {
  return { words: words.map((text) => ({ member, text, isWhole, isLast })), span, cost };
}

function costOf({ errors, isStart, hasOtherFirst }: Replacement): number {
  return errors * errorCost + (isStart ? startCost : 0) + (hasOtherFirst ? otherFirstCost : 0);
}

/** The ways to split a word in two: none if it is too long to be corrected, because each costs a search of all words. */
function splitsOf(word: string): [string, string][] {
  const letters = Array.from(word);
  if (letters.length > maxLength) return [];
  const count = Math.max(0, letters.length - 2 * minPart + 1);
  return Array.from({ length: count }, (_, i) => [
    letters.slice(0, i + minPart).join(''),
    letters.slice(i + minPart).join(''),
  ]);
}
