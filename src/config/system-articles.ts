import { articlesOfLanguages } from '../catalogue/articles.ts';
import type { Environment } from './environment.ts';

/** The language of the system, perhaps with a region: `de_AT.UTF-8`, `de-AT`, `C`. */
export function systemLocale({ LC_ALL, LC_MESSAGES, LANG }: Environment): string {
  return LC_ALL || LC_MESSAGES || LANG || Intl.DateTimeFormat().resolvedOptions().locale;
}

/** The leading articles of the language of the system, for `SORT_ARTICLES`; those of English for one without a list. */
export function articlesOfSystem(env: Environment): string {
  const [language = ''] = systemLocale(env).split(/[_.@-]/, 1);
  const known = Object.hasOwn(articlesOfLanguages, language) ? language : 'en';
  return articlesOfLanguages[known] ?? '';
}
