import { articlesOfLanguages } from '../catalogue/articles.ts';
import type { Environment } from './environment.ts';

/** The leading articles of the language of the system, for `SORT_ARTICLES`; those of English for one without a list. */
export function articlesOfSystem(env: Environment): string {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || Intl.DateTimeFormat().resolvedOptions().locale;
  const [language = ''] = locale.split(/[_.@-]/, 1);
  const known = Object.hasOwn(articlesOfLanguages, language) ? language : 'en';
  return articlesOfLanguages[known] ?? '';
}
