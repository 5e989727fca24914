import { parseLibraryYear } from './year.ts';

/** Joins a title and its subtitle: `Emma: a novel`; a title that ends with a mark of its own needs no colon. */
export function joinTitle(title: string, subtitle: string): string {
  if (title === '' || subtitle === '') return title + subtitle;
  return /[?!.:;,…]$/.test(title) ? `${title} ${subtitle}` : `${title}: ${subtitle}`;
}

/** Joins a title and its subtitles. Its time is linear, unlike that of joining one after the other. */
export function joinTitles(parts: readonly string[]): string {
  const joined: string[] = [];
  for (const part of parts) {
    if (part === '') continue;
    const last = joined.at(-1);
    if (last !== undefined) joined.push(joinTitle(last.slice(-1), part).slice(1));
    else joined.push(part);
  }
  return joined.join('');
}

/** Replaces each run of white space by a space, and trims. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The year of a date in a record; 0 if it has none, since a date of such a record is free text. */
export function yearOf(date: string): number {
  return parseLibraryYear(date) ?? 0;
}

/**
 * Removes the marks around a leading article that sorting ignores, as libraries write them: the control characters of ISO 6630
 * (U+0098, U+009C), and `<<Der>> Prozess`.
 */
export function withoutSortMarks(text: string): string {
  return text.replace(/[\u0098\u009c]/g, '').replace(/^<<([^<>\s]{1,10}?)\s?>>(?=\s)/, '$1');
}
