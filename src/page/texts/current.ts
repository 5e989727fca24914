import type { ShelflistError } from '../../catalogue/errors.ts';
import { chosenLanguage } from './choice.ts';
import { en } from '../../texts/en.ts';
import { chooseLanguage, languageOf, type Language, type Texts } from '../../texts/texts.ts';

/** The names of the scripts of the languages, which are beside this one: English is in this one. The build inserts them. */
declare const textScripts: Readonly<Record<Exclude<Language, 'en'>, string>>;

/** The language that the service has for the page, if it has one. */
const set = languageOf(document.getElementById('app')?.dataset.pageLanguage ?? '');

/**
 * The texts in the language that was chosen in this browser, else that of the service, else the first of the browser that the page
 * has; in English if their script cannot be loaded.
 */
export const texts = await load(chosenLanguage() ?? set ?? chooseLanguage(navigator.languages));

export const language: Language = languageOf(texts.language) ?? 'en';

async function load(wanted: Language): Promise<Texts> {
  if (wanted === 'en') return en;
  try {
    const { href } = new URL(textScripts[wanted], import.meta.url);
    return ((await import(href)) as { texts: Texts }).texts;
  } catch {
    return en;
  }
}

/** What an error means to a reader. */
export function describeError({ code }: Pick<ShelflistError, 'code'>): string {
  const { errors } = texts;
  if (code === 'store_damaged') return errors.internal;
  if (code === 'batch_not_found') return errors.not_found;
  return code in errors ? errors[code as keyof typeof errors] : errors.other;
}

const dates = new Intl.DateTimeFormat(localeOfDates(), { dateStyle: 'medium', timeStyle: 'short' });

/** A time for a reader. */
export function formatTime(at: Date): string {
  return dates.format(at);
}

/** The reader's own variant of the language, such as `en-GB`; not a tag like `en-US@posix` of Chrome under LANG=C.UTF-8. */
function localeOfDates(): string {
  const own = navigator.languages.find((tag) => languageOf(tag) === language) ?? language;
  try {
    return Intl.getCanonicalLocales(own)[0] ?? language;
  } catch {
    return language;
  }
}
