import type { ShelflistError } from '../../catalogue/errors.ts';
import { chooseLanguage, languages } from './texts.ts';

/** The language of the page: the first one of the browser that it has. */
export const language = chooseLanguage(navigator.languages);

export const texts = languages[language];

/** What an error means to a reader. */
export function describeError({ code }: Pick<ShelflistError, 'code'>): string {
  const { errors } = texts;
  return code in errors ? errors[code as keyof typeof errors] : errors.other;
}

const dates = new Intl.DateTimeFormat(languageOfDates(), { dateStyle: 'medium', timeStyle: 'short' });

/** A time for a reader. */
export function formatTime(at: Date): string {
  return dates.format(at);
}

/** The language of the browser; that of the texts if it is no valid tag, as `en-US@posix` of Chrome under LANG=C.UTF-8. */
function languageOfDates(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language)[0] ?? texts.language;
  } catch {
    return texts.language;
  }
}
