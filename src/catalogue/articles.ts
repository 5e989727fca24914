import { foldTokens } from './fold.ts';

/** The articles of the languages of the page: offered for the order by title, and not counted by the ranking. */
export const articlesOfLanguages: Readonly<Record<string, string>> = {
  en: 'the,a,an',
  de: 'der,die,das,ein,eine',
  fr: "le,la,les,l',un,une",
  es: 'el,la,los,las,un,una',
};

/** The maximum number of articles that a store ignores. */
export const maxArticles = 16;

/** Whether a value is one word of at most 64 characters, such as `the`, or an elided one, such as `l'`. */
export function isArticle(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 64) return false;
  return /^[\p{L}\p{M}]+['’]?$/u.test(value) && foldTokens(value).length === 1;
}
