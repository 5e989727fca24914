// How well a book fits the words of a query: the order `best`.
import type { Book } from './book.ts';
import { foldText, toLetters } from './fold.ts';
import { articlesOfLanguages } from './articles.ts';
import { sequencesOf } from './word-forms.ts';
import { queryTerms, searchTerms, withoutSign, type Term } from './words.ts';

/** The words of a query, with which books are ranked. */
export interface RankingWords {
  /** In the order of the query, each way to spell them, joined by spaces. Without a leading article. */
  readonly sequences: readonly string[];
  /** The same, not joined. */
  readonly words: readonly (readonly string[])[];
  /** The same words, with alternatives, each with a space before and after it. */
  readonly terms: readonly Term[];
  /** The same with a space before each: beginnings of words. */
  readonly starts: readonly Term[];
  /** As they were typed. */
  readonly text: string;
}

type Fitted = Pick<Book, 'title' | 'author'>;

/** @param texts Those of a query that have words, such as `q`, `titleWords` and `authorWords`. */
export function rankingWords(texts: readonly string[]): RankingWords {
  const text = texts.join(' ').trim().slice(0, maxQuery);
  const terms = queryTerms(text).map((term) => term.map(withoutSign));
  const wanted = sequences(text);
  return {
    sequences: wanted,
    words: wanted.map((sequence) => sequence.split(' ')),
    terms: terms.map((term) => term.map((word) => ` ${word} `)),
    starts: terms.map((term) => term.map((word) => ` ${word}`)),
    text,
  };
}

/** The articles that begin a title without counting: words, and one that is one word with the next. */
export const titleArticles: readonly string[] = /* @__PURE__ */ Object.values(articlesOfLanguages)
  .flatMap((some) => some.split(','))
  .filter((article) => !article.endsWith("'"));
const articles: ReadonlySet<string> = /* @__PURE__ */ new Set(titleArticles);
const elided = /^\s*[lL]['’](?=\S)/;

/** The part of a text that is compared, in UTF-16 code units. Long titles are told apart by their beginnings. */
export const maxCompared = 200;
/** The same of a query. */
const maxQuery = 400;
/** The part of a text that is compared if its letters take far more: ﷺ becomes 18. */
const maxExpanded = 20;

/** What is compared of a book. */
export interface Compared {
  readonly title: TitleForms;
  /** The words by which search finds the author, with a space before and after each. */
  readonly author: string;
}

export function comparedOf({ title, author }: Fitted): Compared {
  return { title: formsOf(comparedPart(title)), author: rememberedTerms(comparedPart(author)) };
}

/**
 * How well a book fits: the lower, the better. It is level × 10⁸ + words of the title × 10⁴ + words including those in brackets;
 * docs/http-api.md lists the levels, 1 to 9.
 */
export function rankOf(words: RankingWords, { title, author }: Fitted): number {
  return rankOfCompared(words, {
    title: rememberedForms(comparedPart(title)),
    author: rememberedTerms(comparedPart(author)),
  });
}

/** As {@link rankOf}. */
export function rankOfCompared(words: RankingWords, { title, author }: Compared): number {
  return (levelOf(words, title, author) * perLevel + title.length) * perLevel + title.wholeLength;
}

/** A copy: a slice would keep the whole text in memory. */
function comparedPart(text: string): string {
  return text.length > maxCompared ? Array.from(text.slice(0, maxCompared)).join('') : text;
}

function withoutExpanded(part: string): string {
  return isAscii.test(part) || toLetters(part).length <= 2 * maxCompared ? part : part.slice(0, maxExpanded);
}

const isAscii = /^[ -~]*$/;

/** The factor between the parts of a rank: more than the words of a title that is compared. */
const perLevel = 10_000;

/** Whether a rank is that of a book whose title the query names, or begins. */
export function isTitleMatch(rank: number): boolean {
  return rank < 5 * perLevel * perLevel; // Levels 1 to 4.
}

/**
 * The beginnings of keys (`textKey`) of the titles that a query may name: its words, and those before or after some that may be the
 * author's; also behind an article.
 */
export function titleStarts({ words, text }: RankingWords): { whole: string[]; parts: string[] } {
  const all = [foldText(text.replace(elided, '')).split(' '), ...words].map(joinWithoutArticle);
  const parts = all.flatMap((each) => {
    const words = each.split(' ').slice(0, maxParts);
    return words.flatMap((_, i) =>
      i === 0 ? [] : [words.slice(0, i), words.slice(i)].map(joinWithoutArticle),
    );
  });
  return { whole: withArticles(all), parts: withArticles(parts.filter((part) => !all.includes(part))) };
}

function withArticles(starts: readonly string[]): string[] {
  return [...new Set(starts)]
    .filter((start) => start !== '')
    .flatMap((start) => [start, ...titleArticles.map((article) => `${article} ${start}`), `l${start}`]);
}

/** The number of words of a query among which an author is looked for. */
const maxParts = 8;

/** A title as it is compared. Words are joined by spaces. */
interface TitleForms {
  /** Its words, without what stands in brackets, in each spelling. */
  readonly names: readonly string[];
  /** The same, and those without a subtitle. */
  readonly wholeNames: readonly string[];
  /** The number of words of the first name, and of the whole title. */
  readonly length: number;
  readonly wholeLength: number;
  /** The words by which search finds the name, and the whole title, with a space before and after each. */
  readonly terms: string;
  readonly wholeTerms: string;
}

/** Remembers what was made of texts: searches rank the same ones again and again. */
function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size >= maxRemembered) known.clear();
    known.set(text, made);
    return made;
  };
}

/** About 10 MB. */
const maxRemembered = 20_000;

function formsOf(part: string): TitleForms {
  const title = withoutExpanded(part);
  const main = withoutBrackets(title);
  const named = withoutSubtitle(main);
  const names = sequences(main);
  const terms = spacedTerms(main);
  const length = lengthOf(names[0] ?? '');
  return {
    names,
    wholeNames: named === main ? names : [...names, ...sequences(named)],
    length,
    wholeLength: main === title ? length : lengthOf(sequences(title)[0] ?? ''),
    terms,
    wholeTerms: main === title ? terms : spacedTerms(title),
  };
}

function spacedTerms(text: string): string {
  return ` ${searchTerms(withoutExpanded(text)).join(' ')} `;
}

const rememberedForms = /* @__PURE__ */ remembered(formsOf);
const rememberedTerms = /* @__PURE__ */ remembered(spacedTerms);

/** The level of a book, as docs/http-api.md lists them. */
function levelOf(query: RankingWords, title: TitleForms, author: string): number {
  const { sequences: wanted, words, terms, starts } = query;
  const asTitle = nearness(wanted, title);
  if (asTitle > 0) return asTitle;
  const asRest = nearness(
    words.flatMap((each) => restOf(each, author)),
    title,
  );
  if (asRest > 0) return 2 + asRest;
  if (haveAll(terms, title.terms)) return 5;
  if (haveAll(starts, title.terms)) return 6;
  if (haveAll(terms, author) || haveAll(terms, title.wholeTerms)) return 7;
  return haveAll(terms, title.wholeTerms + author) ? 8 : 9;
}

/** 1: some words are the title; 2: they begin it, the last word as a beginning; 0: neither. */
function nearness(wanted: readonly string[], { names, wholeNames }: TitleForms): 0 | 1 | 2 {
  if (wanted.some((sequence) => wholeNames.includes(sequence))) return 1;
  return wanted.some((sequence) => names.some((name) => name.startsWith(sequence))) ? 2 : 0;
}

/** The words that are not whole words of the author, if some are. */
function restOf(words: readonly string[], author: string): string[] {
  if (words.length === 1) return [];
  const rest = words.filter((word) => !author.includes(` ${word} `));
  return rest.length === 0 || rest.length === words.length ? [] : [joinWithoutArticle(rest)];
}

/** Whether a text has each term. */
function haveAll(terms: readonly Term[], text: string): boolean {
  return terms.every((term) => term.some((word) => text.includes(word)));
}

/** The words of a text, without a leading article, in each spelling. */
function sequences(text: string): string[] {
  const all = sequencesOf(text.replace(elided, '')).map(joinWithoutArticle);
  return all.length === 1 ? all : [...new Set(all)];
}

/** An article that is all stays. */
function joinWithoutArticle(words: readonly string[]): string {
  return (words.length > 1 && articles.has(words[0] ?? '') ? words.slice(1) : words).join(' ');
}

function lengthOf(sequence: string): number {
  let length = sequence === '' ? 0 : 1;
  for (let i = sequence.indexOf(' '); i !== -1; i = sequence.indexOf(' ', i + 1)) length++;
  return length;
}

/** A title without what stands in brackets at its end, unless that is all. */
function withoutBrackets(title: string): string {
  let end = title.length;
  for (let start = startOfBrackets(title, end); start > 0; start = startOfBrackets(title, end)) end = start;
  return end === title.length ? title : title.slice(0, end);
}

/** Where the brackets that end a text begin, with the spaces before them; -1: it has none. */
function startOfBrackets(title: string, end: number): number {
  let last = end - 1;
  while (title[last] === ' ') last--;
  const opening = title[last] === ')' ? '(' : title[last] === ']' ? '[' : undefined;
  if (opening === undefined) return -1;
  let depth = 0;
  for (let i = last; i >= 0; i--) {
    if (title[i] === title[last]) depth++;
    else if (title[i] === opening) depth--;
    if (depth > 0) continue;
    while (title[i - 1] === ' ') i--;
    return i;
  }
  return -1;
}

/** A title without a subtitle, unless that is all. */
function withoutSubtitle(title: string): string {
  const [, named] = /^([^:;]*[^:;\s][^:;]*)[:;]/.exec(title) ?? [];
  return named ?? title;
}
