import { parseLibraryYear } from '../../catalogue/import/library-year.ts';

/** The year of a date in a record; 0 if it has none, since a date of such a record is free text. */
export function yearOf(date: string): number {
  const whole = /^\s*([+-]?[0-9]{1,16})\s*$/.exec(date)?.[1];
  const year = whole === undefined ? parseLibraryYear(date) : Number(whole);
  return year !== undefined && Number.isSafeInteger(year) ? year + 0 : 0;
}
