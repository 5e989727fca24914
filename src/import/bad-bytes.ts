// Marks bytes of a file that are not text, finds the marks in a row, and says where they are.
import { textFields, type BookFields, type FieldName } from '../catalogue/fields.ts';
import type { RowProblem } from '../formats/problems.ts';

/**
 * Bytes that are not text in the encoding of a file are marked while it is decoded: byte 0xE9 becomes U+DCE9, half a surrogate
 * pair, which no valid text contains. So a row can say where such a byte is, and a byte in an unused column does no harm.
 */
const firstMark = 0xdc00;

/** Half a surrogate pair. */
const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The mark of a byte. @param byte Missing where the decoder does not know it. */
export function markByte(byte = 0): string {
  return String.fromCharCode(firstMark + byte);
}

export function countBadBytes(text: string): number {
  return text.isWellFormed() ? 0 : (text.match(lone)?.length ?? 0);
}

/** The problem of the first field with a byte that is not text. */
export function badFieldOf(book: BookFields): RowProblem | undefined {
  const field = textFields.find((each) => !book[each].isWellFormed());
  return field === undefined ? undefined : badByteOf(field, book[field], 0);
}

/**
 * Locates a marked byte of a row.
 *
 * @param field Where it is.
 * @param raw The text of the row.
 * @param at Which one of its marked bytes, counted from 0.
 * @param line The line where the row starts; `undefined` if lines are not counted.
 */
export function badByteOf(field: FieldName, raw: string, at: number, line?: number): RowProblem {
  const found = [...raw.matchAll(lone)][at];
  const code = (found?.[0].charCodeAt(0) ?? firstMark) - firstMark;
  const byte = code >= 0x80 && code <= 0xff ? code : undefined;
  if (found === undefined || line === undefined) return { code: 'badByte', field, byte };
  const lines = raw.slice(0, found.index).split(/\r\n|\n|\r/);
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  return { code: 'badByte', field, byte, line: line + lines.length - 1, column };
}
