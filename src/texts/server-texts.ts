import { de, deServer } from './de.ts';
import { en, enServer } from './en.ts';
import { es, esServer } from './es.ts';
import { fr, frServer } from './fr.ts';
import type { Language, Texts } from './texts.ts';

/** What each language has a text for in documents that the server renders, besides the texts of the page. */
export type ServerTexts = typeof enServer;

export type AllTexts = Texts & ServerTexts;

/** The languages of what the server renders. */
export const serverLanguages: Readonly<Record<Language, AllTexts>> = {
  en: { ...en, ...enServer },
  de: { ...de, ...deServer },
  fr: { ...fr, ...frServer },
  es: { ...es, ...esServer },
};
