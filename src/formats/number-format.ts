// What a cell of a workbook shows: its number in its format, for the formats that turn titles into numbers.

/** The formats that Excel knows by number, without a date that depends on the country (ECMA-376, 18.8.30). */
export const builtInFormats: Readonly<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 15: 'd-mmm-yy', 16: 'd-mmm' },
  ...{ 17: 'mmm-yy', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss', 45: 'mm:ss' },
};

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** A number of digits, with thousands, decimals and a percent sign. */
const numeric = /^(#,##)?([#0]*)(?:\.(0+))?(%)?$/;
const token = /y+|m+|d+|h+|s+|AM\/PM|"[^"]*"|\\.|[-/:., ]/giy;

/** In characters. A longer one is not of numbers alone. */
const maxFormatLength = 100;

/**
 * The text of a number in a format.
 *
 * @param date The moment of the number, if it has one.
 * @returns `undefined` if the format is another one, or general.
 */
export function formatNumber(value: number, format: string, date: Date | undefined): string | undefined {
  const [code = ''] = format.replace(/\[\$-[^\]]*\]/g, '').split(';', 1);
  if (code.length > maxFormatLength) return undefined;
  const [, thousands = '', digits = '', decimals = '', percent = ''] = numeric.exec(code) ?? [];
  if (digits.includes('0') && value >= 0) {
    const fixed = (percent === '' ? value : value * 100).toFixed(decimals.length);
    const [whole = '', fraction] = fixed.split('.');
    const padded = whole.padStart(digits.replaceAll('#', '').length, '0');
    const grouped = thousands === '' ? padded : padded.replace(/\B(?=(?:\d{3})+$)/g, ',');
    return grouped + (fraction === undefined ? '' : `.${fraction}`) + percent;
  }
  return date === undefined ? undefined : formatDate(date, code);
}

function formatDate(date: Date, code: string): string | undefined {
  const parts = code.match(token) ?? [];
  if (parts.join('') !== code || !parts.some((part) => /^[ymdhs]/i.test(part))) return undefined;
  const has12Hours = parts.some((part) => /^am/i.test(part));
  const hours = date.getUTCHours();
  const padded = (value: number, length: number) => String(value).padStart(length, '0');
  /** The letters of the part before and after, other than signs: they tell minutes from months. */
  const letters = parts.map((part) => /^[ymdhs]/i.exec(part)?.[0].toLowerCase());
  return parts
    .map((part, at) => {
      const { length } = part;
      switch (letters[at]) {
        case 'y':
          return length > 2 ? padded(date.getUTCFullYear(), 4) : padded(date.getUTCFullYear() % 100, 2);
        case 'd':
          return length > 2 ? '' : padded(date.getUTCDate(), length);
        case 'h':
          return padded(has12Hours ? hours % 12 || 12 : hours, length);
        case 's':
          return padded(date.getUTCSeconds(), length);
        case 'm': {
          const before = letters.slice(0, at).findLast((letter) => letter !== undefined);
          const after = letters.slice(at + 1).find((letter) => letter !== undefined);
          if (before === 'h' || after === 's') return padded(date.getUTCMinutes(), length);
          const month = date.getUTCMonth();
          return length > 2 ? (months[month] ?? '').slice(0, length > 3 ? 9 : 3) : padded(month + 1, length);
        }
        default:
          if (/^am/i.test(part)) return hours < 12 ? 'AM' : 'PM';
          return part.replace(/^"|"$|^\\/g, '');
      }
    })
    .join('');
}
