import { de } from './de.ts';
import { en } from './en.ts';

/** What each language has a text for. */
export type Texts = typeof en;

/** The languages of the page. Another one is a file, and a row here and in `server-texts.ts`. */
export const languages = { en, de } satisfies Record<string, Texts>;

export type Language = keyof typeof languages;

/** Chooses the first language that the page has, of language tags such as `de-AT`, best first. Default: English. */
export function chooseLanguage(tags: readonly string[]): Language {
  const names = Object.keys(languages) as Language[];
  for (const tag of tags) {
    const found = names.find((name) => name === tag.toLowerCase().split(/[-_]/, 1)[0]);
    if (found !== undefined) return found;
  }
  return 'en';
}
