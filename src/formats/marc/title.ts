import { joinTitle } from '../text/title.ts';
import { cleanText, withoutFullStop, withoutMark, withoutMarks } from './isbd.ts';
import type { DataField } from './marc-record.ts';

/**
 * Reads a title (field 245): title, subtitle ($b), and number ($n) and name ($p) of a part, without the marks of ISBD.
 *
 * A leader with `c` says that these are omitted: what looks like one belongs to the title, except before another subfield, where
 * some programs leave them.
 */
export function readTitle({ subfields }: DataField, leader: string): string {
  const isWithoutMarks = leader[18] === 'c';
  let title = '';
  let last = '';
  for (const [at, [code, value]] of subfields.entries()) {
    if (!'abnp'.includes(code)) continue;
    const clean = cleanText(value);
    const isExact = isWithoutMarks && at === subfields.length - 1;
    const ended = isExact ? clean : withoutMark(clean);
    const text = isWithoutMarks ? ended : withoutMarks(ended);
    if (text === '') continue;
    if (code === 'n' || code === 'p') {
      const separator = code === 'p' && last === 'n' ? ', ' : '. ';
      title = title === '' ? text : `${title.replace(/[.,]$/, '')}${separator}${text}`;
    } else title = joinTitle(title, text);
    last = code;
  }
  return isWithoutMarks ? title : withoutFullStop(title);
}
