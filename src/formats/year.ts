/** What stands for "no year" in several languages, without anything but letters: `n.d.`, `s.a.`, `o.J.`, `б.г.`, … */
const noYear = new Set(
  (
    'nd sd sa oj bg na bd br ud zj ua uå бг бд бр null none unknown undated nodate notdated nodateavailable ' +
    'ohnejahr unbekannt sansdate inconnu sinanno sinfecha sineanno безгода неизвестно ' +
    'publicationdatenotidentified dateofpublicationnotidentified'
  ).split(' '),
);

/** A year before the common era: `44 BC`, `750 v. Chr.`, `av. J.-C.`, `a. C.`, `до н. э.`, `p.n.e.` */
const beforeCommonEra = /\d\??\s*(?:b\.?\s?c|v\.?\s?chr|av\.?\s?j|a\.\s?c\b|до\s?н|p\.\s?n\.\s?e)/i;

/** `ca. 868`, `44 BC`, `79 n. Chr.`, `[868]`: fewer than four digits need a word, or three digits. */
const shortYear =
  /^(?:(?:(?:circa|cop|ca|um|c|p|©|℗|~)\.?\s*)(\d{1,3})|(\d{3}))(?:\s*\?|\s*(?:a\.?d|c\.?e|n\.?\s?chr|[нд]).*)?$/i;
/** As above, of a year that {@link beforeCommonEra} recognises. */
const shortEarlyYear = /(?<!\d)\d{1,3}(?!\d)/;

/** `2008.5` is a number, but not a year; `10.2001` and `2001.10` are months. */
const fraction = /^[+-]?\d+[.,]\d+$/;
const month = /^(?:0?[1-9]|1[0-2])\.\d{4}$|^\d{4}\.(?:0[1-9]|1[0-2])$/;

/**
 * Reads a year as spreadsheets, libraries and catalogues write it: `2008`, `2008.0`, `-1750`, `[1979]`, `c1900`, `ca. 1880`,
 * `1999?`, `1979-80`, `197-`, `44 BC`, `1999 [i.e. 1998]`, and the year of a date: `2019/10/25`, `May 2001`, `25.10.2019`,
 * `1813-01-28T00:00:00+00:00`.
 *
 * @returns 0 where the text says that there is no year (`n.d.`, `s.a.`, `[o.J.]`, `19--`, `?`, or nothing), as in a book
 * without a year; `undefined` where the text is not understood.
 */
export function parseLibraryYear(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxYearLength) return undefined;
  const integer = /^([+-]?\d+)(?:\.0*)?$/.exec(trimmed)?.[1];
  if (integer !== undefined) return Number.isSafeInteger(Number(integer)) ? Number(integer) + 0 : undefined;
  if (trimmed.startsWith(calibreUnknownDate)) return 0;
  if (!/\p{N}/u.test(trimmed)) return saysNoYear(trimmed) ? 0 : undefined;
  if (fraction.test(trimmed) && !month.test(trimmed)) return undefined;
  const corrected = trimmed.split(/i\.\s?e\.|recte/i).at(-1) ?? '';
  const plain = corrected
    .replace(/\[(\d\d)\](?=\d\d)/, '$1')
    .replace(/[[\](){}<>]/g, ' ')
    .trim();
  const isEarly = beforeCommonEra.test(plain);
  const year = findYear(plain, isEarly);
  return year !== undefined && isEarly ? -year + 0 : year;
}

/** A longer text is a sentence. */
const maxYearLength = 100;

/** The start of the date that calibre writes where it knows none. */
const calibreUnknownDate = '0101-01-01';

function saysNoYear(text: string): boolean {
  const letters = text.toLowerCase().replace(/[^\p{L}]/gu, '');
  return letters === '' || noYear.has(letters);
}

function findYear(plain: string, isEarly: boolean): number | undefined {
  const [four] = /(?<!\d)\d{4}(?!\d)/.exec(plain) ?? [];
  if (four !== undefined) return Number(four);
  const [, decade] = /(?<!\d)(\d{3})[-–?ux_*](?!\d)/i.exec(plain) ?? [];
  if (decade !== undefined) return Number(decade) * 10;
  if (/^\D*\d\d(?:--|––|\?\?|uu|xx|__)\D*$/i.test(plain)) return 0;
  const [, afterWord, alone] = shortYear.exec(plain) ?? [];
  const short = afterWord ?? alone ?? (isEarly ? shortEarlyYear.exec(plain)?.[0] : undefined);
  return short === undefined ? undefined : Number(short);
}
