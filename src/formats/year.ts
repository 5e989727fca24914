// Reads a year in any form that spreadsheets, libraries and catalogues write it: the one reader of all formats.
/** A longer text is a sentence. */
const maxYearLength = 100;

/** What stands for "no year" in several languages, without anything but letters: `n.d.`, `s.a.`, `o.J.`, `б.г.`, … */
const noYear = new Set(
  (
    'nd sd sa oj bg na bd br ud zj ua uå бг бд br null none unknown undated nodate notdated nodateavailable ' +
    'ohnejahr unbekannt sansdate inconnu sinanno sinfecha sineanno безгода неизвестно forthcoming inpress ' +
    'publicationdatenotidentified dateofpublicationnotidentified 不明 不详 不詳 未知'
  ).split(' '),
);

/** The start of the date that calibre writes where it knows none. */
const calibreUnknownDate = '0101-01-01';

/**
 * Reads a year: `2008`, `2008.0`, `-1750`, `[1979]`, `c1900`, `1999?`, `1979-80`, `197-`, `MCMXCVIII`, `1 998`, `１９９８`, `44 BC`,
 * `1999 [i.e. 1998]`, `平成10年`, of two calendars ours (`2525 [1982]`), and the year of a date: `2019/10/25`, `19980501`, `Jan-98`.
 *
 * @returns 0 where the text says that there is no year (`n.d.`, `s.a.`, `[o.J.]`, `19--`, `?`, or nothing), as in a book
 * without a year; `undefined` where the text is not understood.
 */
export function parseLibraryYear(text: string): number | undefined {
  if (text.length > maxYearLength) return undefined;
  const trimmed = toAsciiDigits(text.normalize('NFKC')).trim().replace(/^['’]/, '');
  const integer = /^([+-]?\d+)(?:\.0*)?$/.exec(trimmed)?.[1] ?? withoutThousands(trimmed);
  if (integer !== undefined) return readInteger(integer);
  if (trimmed.startsWith(calibreUnknownDate)) return 0;
  const era = readEra(trimmed);
  if (era !== undefined) return era;
  if (!/\p{N}/u.test(trimmed)) return readRoman(trimmed) ?? (saysNoYear(trimmed) ? 0 : undefined);
  if (fraction.test(trimmed) && !month.test(trimmed)) return undefined;
  const isEarly = beforeCommonEra.test(trimmed);
  const year = findYear(withoutBrackets(trimmed), isEarly);
  return year !== undefined && isEarly ? -year + 0 : year;
}

/** The digits of other scripts as those of ASCII: each script has them in a row that begins at a multiple of 16, or 6 after it. */
function toAsciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const place = code % 16;
    const isRowStart = /\p{Nd}/u.test(String.fromCodePoint(code - place));
    return String(isRowStart ? place : place - 6);
  });
}

/** `1,998`, `1 998` and `1.998`: a number of four digits. */
function withoutThousands(text: string): string | undefined {
  const [, thousand, rest] = /^(\d)[,.'’\s](\d{3})$/.exec(text) ?? [];
  return thousand === undefined ? undefined : `${thousand}${rest ?? ''}`;
}

/** A date without separators. */
const compactDate = /^(1\d{3}|20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?(?:T|$)/;

function readInteger(integer: string): number | undefined {
  const [, year] = compactDate.exec(integer) ?? [];
  const number = Number(year ?? integer);
  return Number.isSafeInteger(number) ? number + 0 : undefined;
}

/** `MCMXCVIII` and `M.DCC.LXXVI`, also of printers who wrote four equal letters. Below 1400, it is a volume or a century. */
const roman = /^M{1,3}(?:C[MD]|D?C{0,4})(?:X[CL]|L?X{0,4})(?:I[XV]|V?I{0,4})$/;
const romanValues: Readonly<Record<string, number>> = { M: 1000, D: 500, C: 100, L: 50, X: 10, V: 5, I: 1 };

function readRoman(text: string): number | undefined {
  const letters = text.replace(/^(?:anno(?: domini)?|cop\.|c(?=[A-Z])|©)/i, '').replace(/[\s.,[\]()?]/g, '');
  if (!roman.test(letters)) return undefined;
  const values = Array.from(letters, (letter) => romanValues[letter] ?? 0);
  const year = values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
  return year >= 1400 ? year : undefined;
}

/** The year before the first of eras, by their names. */
const eras: readonly (readonly [names: string, before: number])[] = [
  ['明治|meiji', 1867],
  ['大正|taish[oō]', 1911],
  ['昭和|sh[oō]wa', 1925],
  ['平成|heisei', 1988],
  ['令和|reiwa', 2018],
  ['民國|民国|minguo', 1911],
  ['단기|檀紀|檀纪', -2333],
  ['พ\\.?\\s?ศ\\.?|b\\.?\\s?e\\.?(?![\\p{L}])', -543],
];
const cjkDigits = '〇一二三四五六七八九';
const eraPatterns = eras.map(
  ([names, before]) =>
    [
      new RegExp(`(?<!\\p{L})(?:中華|中华)?(?:${names})\\s*(\\d{1,4}|元|[${cjkDigits}十]{1,4})(?!\\d)`, 'iu'),
      before,
    ] as const,
);

/** `平成10年`, `Heisei 10`, `民國87年`, `พ.ศ. 2541`. */
function readEra(text: string): number | undefined {
  for (const [pattern, before] of eraPatterns) {
    const [, number] = pattern.exec(text) ?? [];
    if (number !== undefined) return before + readSmallNumber(number);
  }
  const [four] = new RegExp(`[零${cjkDigits}]{4}(?=年|$)`, 'u').exec(text) ?? [];
  return four === undefined ? undefined : Number(Array.from(four, cjkDigit).join(''));
}

const cjkDigit = (character: string) => Math.max(0, cjkDigits.indexOf(character));

/** `10`, `元` and `二十三`. */
function readSmallNumber(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  if (text === '元') return 1;
  const [tens = '', ones = ''] = text.includes('十') ? text.split('十') : ['〇', text];
  return (tens === '' ? 1 : cjkDigit(tens)) * 10 + (ones === '' ? 0 : cjkDigit(ones));
}

/**
 * A year before the common era, in about forty languages: `44 BC`, `BC 44`, `750 v. Chr.`, `44 f.Kr.`, `公元前44`. Only the full
 * stop tells the Finnish `eKr.` (before) from the Scandinavian `e.Kr.` (after).
 */
const beforeCommonEra = new RegExp(
  [
    String.raw`\d\??\s*(?:b\.?\s?c|v\.?\s?chr|v\.\s?c\b|av\.?\s?j|avant|a\.\s?c\b|a\.\s?e\.?\s?c|f\.?\s?kr|f\.?\s?v\.?\s?t|ekr|e\.?\s?a\.?\s?a)`,
    String.raw`\d\??\s*(?:до\s?н|пр\.?\s?н|p\.\s?n\.\s?e|př\.\s?(?:n|kr)|kr\.\s?e|m\.?\s?ö|î\.?\s?(?:hr|e)|π\.\s?χ|ق\.?\s?م|לפנה)`,
    String.raw`\d\??\s*(?:v\.\s?u\.\s?z|pr\.?\s?(?:kr|n|m)|pred\s|p(?:ë|r|a)ra\s?kr|п\.\s?н|пр\.?\s?хр|да\s?н|p\.\s?[em]\.\s?[sēe]|e\.\s?m\.\s?a|k\.\s?a\.|ძვ|մ\.?թ\.?ա)`,
    String.raw`\d\??\s*(?:tcn|sm|rc)(?!\p{L})|(?<!\d)\d{1,3}\s*ac(?!\p{L})|\d\s*(?:ई\.?\s?पू|ईसा पूर्व|ปีก่อน|ก่อน|قبل|پیش از|לפני)`,
    String.raw`^\W*(?:b\.?\s?c\.?\s?e?|[mİ]\.?\s?ö|i\.\s?e|公元前|西元前|紀元前|前|기원전|kr\.\s?e\.?|av\.?\s?j\.?-c)\.?\s*\d`,
    String.raw`^-\d{4}-\d\d`,
  ].join('|'),
  'iu',
);

/** The words for the common era, before and after a year of it. */
const eraBefore = String.raw`a\.?\s?d\.?|anno|kr\.?\s?u\.?|i\.\s?sz\.?|[mİ]\.?\s?s\.?|公元|西元|西暦|紀元|서기|기원`;
const eraAfter = [
  String.raw`a\.?\s?d|c\.?\s?e|[nu]\.?\s?(?:chr|c|z)|e\.\s?kr|e\.?\s?v\.?\s?t|j\.?kr|jaa|p\.?\s?kr|m\.?\s?a\.?\s?j|ap(?:r|rès)?\.?\s?j`,
  String.raw`d\.?\s?c|d\.?\s?hr|e\.?\s?[cn]|n\.\s?[el]|n\.\s?št|po\.?\s?kr|po\.?\s?chr|posl|m\.\s?[eē]|k\.\s?o|pas\s?kr|scn|masehi`,
  String.raw`н\.?\s?[еэ]|сл\.?\s?хр|р\.?\s?х|μ\.?\s?χ|م|میلادی|ميلادي|לספירה|ई|ค\.?\s?ศ|年|년`,
].join('|');

/** `ca. 868`, `44 BC`, `AD 79`, `79 n. Chr.`, `[868]`: fewer than four digits need a word, or three digits. */
const shortYear = new RegExp(
  String.raw`^(?:(?:circa|cop|ca|um|c|p|©|℗|~)\.?\s*(\d{1,3})|(?:${eraBefore})\s*(\d{1,3})|(\d{3}))\s*(?:\?|(?:${eraAfter}).*)?$`,
  'iu',
);
const afterEra = new RegExp(String.raw`^(\d{1,3})\s*(?:${eraAfter})`, 'iu');
/** As above, of a year that {@link beforeCommonEra} recognises. */
const shortEarlyYear = /(?<!\d)\d{1,3}(?!\d)/;

/** `19th century`, `18. Jh.`, `5 век`: a hundred years. */
const century =
  /cent(?:ury|\.)|jh|jahrh|si[eè]cle|siglo|s[eé]c(?:ol|ul|\.)|eeuw|[åa]rhundr|wiek|stolet|век|століт|αι[ωώ]ν|vuosisa|y[uü]zy|世紀|世纪|세기|قرن/i;

/** A year of the Hijra, which begins on another day of each of our years. */
const hijri = /\d\s*(?:a\.?\s?h\b|n\.\s?h\b|هـ|ه(?!\p{L}))|\bA\.?H\.?\s*\d/iu;

const range = /\d{4}\s*[-–—]\s*\d{4}/;

/** `2008.5` is a number, but not a year; `10.2001` and `2001.10` are months. */
const fraction = /^[+-]?\d+[.,]\d+$/;
const month = /^(?:0?[1-9]|1[0-2])\.\d{4}$|^\d{4}\.(?:0[1-9]|1[0-2])$/;

/** How the names of months begin, in several languages. */
const months =
  'jan|feb|f[eé]v|mar|m[aä]r|apr|abr|avr|may|mai|mei|mag|maj|jun|jui|giu|jul|lug|aug|ago|ao[uû]|sep|set|oct|okt|out|ott|nov|dec|dez|dic|d[eé]c|ene|gen|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек';
/** Dates with two digits of a year: `Jan-98`, `1-Jan-98`; `98-Jan`; `12/25/98`; `98/12/25`. */
const shortDates = [
  new RegExp(`^(?:\\d{1,2}[-. ]+)?(?:${months})\\p{L}*[-. '’]+(\\d\\d)$`, 'iu'),
  new RegExp(`^(\\d\\d)[-. ]+(?:${months})\\p{L}*$`, 'iu'),
  /^(?:0?[1-9]|1[0-2])([-./])(?:0?[1-9]|[12]\d|3[01])\1(?<year>\d\d)$/,
  /^(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|1[0-2])\1(?<year>\d\d)$/,
  /^(?<year>3[2-9]|[4-9]\d)([-./])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])$/,
];

function saysNoYear(text: string): boolean {
  const letters = text.toLowerCase().replace(/[^\p{L}]/gu, '');
  return letters === '' || noYear.has(letters);
}

/** Without brackets, and without what a correction replaces: `[19]79`, `1999 [i.e. 1998]`. */
function withoutBrackets(text: string): string {
  const corrected = text.split(/i\.\s?e\.|recte/i).at(-1) ?? '';
  return corrected
    .replace(/\[(\d\d)\](?=\d\d)/, '$1')
    .replace(/[[\](){}<>]/g, ' ')
    .trim();
}

function findYear(plain: string, isEarly: boolean): number | undefined {
  const [compact] = /^\d{8}(?=T)/.exec(plain) ?? [];
  if (compact !== undefined) return readInteger(compact);
  const [four, ...others] = (plain.match(/(?<!\d)\d{4}(?!\d)/g) ?? []).map(Number);
  const ours =
    four === undefined || range.test(plain) ? undefined : others.find((year) => isSameYear(four, year));
  if (ours !== undefined) return ours;
  if (hijri.test(plain)) return undefined;
  if (four !== undefined) return four;
  const [, decade] = /(?<!\d)(\d{3})[-–?ux_*](?!\d)/i.exec(plain) ?? [];
  if (decade !== undefined) return Number(decade) * 10;
  if (/^\D*\d\d(?:--|––|\?\?|uu|xx|__)\D*$/i.test(plain)) return 0;
  if (century.test(plain)) return undefined;
  for (const pattern of shortDates) {
    const found = pattern.exec(plain);
    if (found !== null) return ofTwoDigits(Number(found.groups?.year ?? found[1]));
  }
  const [, afterWord, afterAnno, alone] = shortYear.exec(plain) ?? [];
  const early = isEarly ? shortEarlyYear.exec(plain)?.[0] : undefined;
  const short = afterWord ?? afterAnno ?? alone ?? early ?? afterEra.exec(plain)?.[1];
  return short === undefined ? undefined : Number(short);
}

/** A year of this century up to ten years ahead, else of the one before. */
function ofTwoDigits(year: number): number {
  const last = new Date().getFullYear() + 10;
  const ofThis = last - (last % 100) + year;
  return ofThis > last ? ofThis - 100 : ofThis;
}

/** What years of other calendars are ahead of ours: Buddhist, Hebrew, of Persia, Bengal and of the Copts. */
const offsets = [543, 3760, -621, -593, -284];

/** Whether a year of another calendar is one of ours. Both may begin on other days. */
function isSameYear(other: number, ours: number): boolean {
  const isOff = offsets.some((offset) => Math.abs(other - ours - offset) <= 1);
  const ofHijra = Math.round(other * 0.970229 + 621.57);
  return isOff || Math.abs(ofHijra - ours) <= 1;
}
