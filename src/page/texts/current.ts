import type { ApiError } from '../api/api-error.ts';
import { chooseLanguage, languages } from './texts.ts';

/** The texts of the page, in the language of the browser. */
export const texts = languages[chooseLanguage(navigator.languages)];

/** What an error means to a reader. */
export function describeError({ code }: Pick<ApiError, 'code'>): string {
  const { errors } = texts;
  return code in errors ? errors[code as keyof typeof errors] : errors.other;
}

const dates = new Intl.DateTimeFormat(navigator.language, { dateStyle: 'medium', timeStyle: 'short' });

/** A time of RFC 3339 for a reader. */
export function formatTime(at: string): string {
  return dates.format(new Date(at));
}
