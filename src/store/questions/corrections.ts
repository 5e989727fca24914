// Finds other words for a query that finds nothing, among the words of all books.
import { type Correction } from '../../catalogue/correction.ts';
import type { Book } from '../../catalogue/book.ts';
import { searchedFields, wordMembers } from '../../catalogue/fields.ts';
import type { BookQuery, WordMember } from '../../catalogue/query.ts';
import type { WordList } from '../../catalogue/word-list.ts';
import { isConjunction } from '../../catalogue/word-forms.ts';
import { searchTerms } from '../../catalogue/words.ts';
import type { PrioritySignal } from '../../lib/scheduler.ts';
import { optionsOf, startCost, typedWords, type Option, type Placed } from './correction-options.ts';

/** Queries with more words are not corrected. */
const maxWords = 8;
/** The maximum number of queries that are tried until one finds something, and after that. */
const maxAsked = 200;
const maxAskedMore = 40;
/** Their time, in milliseconds: those of a very large catalogue may take long. */
const maxAskingMs = 1500;
/** Corrections that find more books than this are equally good. */
const maxFound = 100;

/** What corrections need to know of a catalogue. */
export interface Lexicon {
  /** The first books that a query finds. */
  find(query: BookQuery, limit: number): Promise<readonly Book[]>;
  /** The words of all books, and perhaps of some that are gone. */
  words(): Promise<WordList>;
}

/** A corrected query that finds something. */
interface Found {
  readonly correction: Correction;
  readonly cost: number;
  readonly count: number;
}

/**
 * Corrects the words of a query that finds nothing. Of the queries that find something, those with the fewest errors come first;
 * then those of whole words, and with unchanged first letters; then those that find the most books.
 */
export async function correct(
  query: BookQuery,
  limit: number,
  lexicon: Lexicon,
  signal?: PrioritySignal,
): Promise<Correction[]> {
  const typed = wordMembers.flatMap((member) => typedWords(query, member));
  if (typed.length === 0 || typed.length > maxWords) return [];
  const starts = new StartQueue(await optionsOf(typed, await lexicon.words(), signal));
  const seen = new Set([keyOf(typed)]);
  const found: Found[] = [];
  const end = performance.now() + maxAskingMs;
  let left = maxAsked;
  for (let start = starts.next(); start !== undefined; start = starts.next(worstOf(found, limit))) {
    signal?.throwIfAborted();
    const { words, span, cost } = start;
    const isWhole = span === typed.length;
    if (isWhole && seen.has(keyOf(words))) continue;
    // Queries with other words do not ask for conjunctions.
    if (!isWhole && words.every(({ text }) => isConjunction(text))) {
      starts.addAfter(start);
      continue;
    }
    if (left-- === 0 || performance.now() > end) break;
    const correction = toCorrection(query, words);
    const conditions: BookQuery = { ...query, ...withoutWords, ...correction, sort: 'id' };
    const books = await lexicon.find(conditions, isWhole ? maxFound : 1);
    if (books.length === 0) continue;
    if (!isWhole) {
      starts.addAfter(start);
      continue;
    }
    seen.add(keyOf(words));
    const more = costOfStarts(words, books);
    if (more === undefined) continue;
    found.push({ correction, cost: cost + more, count: books.length });
    left = Math.min(left, maxAskedMore);
  }
  return found
    .sort((a, b) => a.cost - b.cost || b.count - a.count)
    .slice(0, limit)
    .map(({ correction }) => correction);
}

/** The highest cost of a correction that may still be among the best. */
function worstOf(found: readonly Found[], limit: number): number {
  if (found.length < limit) return Infinity;
  return found.map(({ cost }) => cost).sort((a, b) => a - b)[limit - 1] ?? Infinity;
}

const withoutWords = Object.fromEntries(wordMembers.map((member) => [member, undefined]));

function keyOf(words: readonly Pick<Placed, 'member' | 'text'>[]): string {
  return words.map(({ member, text }) => `${member} ${text}`).join('\n');
}

/**
 * The added cost of words that only begin words of the books: the list may hold whole words of books that are gone. `undefined`: such
 * a word is not the last one, and so must be whole.
 */
function costOfStarts(words: readonly Placed[], books: readonly Book[]): number | undefined {
  let cost = 0;
  for (const { member, text, isWhole, isLast } of words) {
    if (!isWhole) continue;
    const names = searchedFields.filter((name) => member === 'q' || member === `${name}Words`);
    const isPresent = ({ ...texts }: Book) => names.some((name) => searchTerms(texts[name]).includes(text));
    if (books.some(isPresent)) continue;
    if (!isLast) return undefined;
    cost += startCost;
  }
  return cost;
}

/** A member without a replaced word keeps its spelling. */
function toCorrection(query: BookQuery, words: readonly Placed[]): Correction {
  const members = [...new Set(words.map(({ member }) => member))].map((member) => {
    const text = textOf(words, member);
    return [member, text === textOf(typedWords(query, member), member) ? query[member] : text] as const;
  });
  return Object.fromEntries(members);
}

function textOf(words: readonly Pick<Placed, 'member' | 'text'>[], member: WordMember): string {
  return words
    .filter((each) => each.member === member)
    .map(({ text }) => text)
    .join(' ');
}

/** The beginning of a corrected query: it stands for the first ones of the typed words. */
type Start = Option;

/**
 * The beginnings of corrected queries: those with the lowest cost first, and of these the longest. Each is tried before it goes on,
 * so that what finds nothing ends early.
 */
class StartQueue {
  readonly #options: readonly (readonly Option[])[];
  /** The lowest cost of the typed words from each place on. */
  readonly #least: number[];
  /** By the lowest cost of a whole query that begins so. */
  readonly #byCost = new Map<number, Start[]>();

  constructor(options: readonly (readonly Option[])[]) {
    this.#options = options;
    this.#least = [...options.map(() => Infinity), 0];
    for (const [i, some] of [...options.entries()].reverse())
      this.#least[i] = Math.min(...some.map(({ cost, span }) => cost + this.#leastFrom(i + span)));
    this.addAfter({ words: [], span: 0, cost: 0 });
  }

  /** Adds each way to go on. */
  addAfter({ words, span, cost }: Start): void {
    const options = this.#options[span] ?? [];
    // The last one comes first.
    for (const option of options.toReversed()) {
      const start = {
        words: [...words, ...option.words],
        span: span + option.span,
        cost: cost + option.cost,
      };
      const least = start.cost + this.#leastFrom(start.span);
      const others = this.#byCost.get(least);
      if (others === undefined) this.#byCost.set(least, [start]);
      else others.push(start);
    }
  }

  /** @param most The highest cost that is still wanted. */
  next(most = Infinity): Start | undefined {
    const least = Math.min(...this.#byCost.keys());
    if (least > most) return undefined;
    const starts = this.#byCost.get(least);
    const start = starts?.pop();
    if (starts?.length === 0) this.#byCost.delete(least);
    return start;
  }

  #leastFrom(place: number): number {
    return this.#least[place] ?? Infinity;
  }
}
