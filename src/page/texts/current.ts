import type { ShelflistError } from '../../catalogue/errors.ts';
import { chooseLanguage, languages } from './texts.ts';

/** The texts of the page, in the language of the browser. */
export const texts = languages[chooseLanguage(navigator.languages)];

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
