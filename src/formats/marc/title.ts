import { joinTitle } from '../text/title.ts';
import { cleanText, withoutFullStop, withoutMark, withoutMarks } from './isbd.ts';
import type { DataField } from './marc-record.ts';

/** Reads a title (field 245): title, subtitle ($b), and number ($n) and name ($p) of a part, without the marks of ISBD. */
export function readTitle({ subfields }: DataField): string {
  let title = '';
  let last = '';
  for (const [code, value] of subfields.filter(([each]) => 'abnp'.includes(each))) {
    const text = withoutMarks(withoutMark(cleanText(value)));
    if (text === '') continue;
    if (code === 'n' || code === 'p') {
      const separator = code === 'p' && last === 'n' ? ', ' : '. ';
      title = title === '' ? text : `${title.replace(/[.,]$/, '')}${separator}${text}`;
    } else title = joinTitle(title, text);
    last = code;
  }
  return withoutFullStop(title);
}
