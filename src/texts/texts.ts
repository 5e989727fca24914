import type { en } from './en.ts';

/** What each language has a text for. */
export type Texts = typeof en;

/**
 * The languages of the page, each by its own name. Another one is a file, and a row here, in `server-texts.ts` and in
 * `problems.ts`.
 */
export const languageNames = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

export type Language = keyof typeof languageNames;

export const languages = Object.keys(languageNames) as Language[];

/** The language of the page that a tag such as `de-AT` names. */
export function languageOf(tag: string): Language | undefined {
  const [name] = tag.toLowerCase().split(/[-_]/, 1);
  return languages.find((each) => each === name);
}

/** Chooses the first language that the page has, of language tags such as `de-AT`, best first. Default: English. */
export function chooseLanguage(tags: readonly string[]): Language {
  return tags.map(languageOf).find((each) => each !== undefined) ?? 'en';
}
