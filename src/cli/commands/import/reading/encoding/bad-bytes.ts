import { textFields, type BookFields } from '../../../../../catalogue/fields.ts';

/**
 * Bytes that are not text in the encoding of a file are marked while it is decoded: byte 0xE9 becomes U+DCE9, half a surrogate
 * pair, which no valid text contains. So a row can say where such a byte is, and a byte in an unused column does no harm.
 */
const firstMark = 0xdc00;

/** Half a surrogate pair. */
export const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The mark of a byte. @param byte Missing if it is unknown. */
export function markByte(byte = 0): string {
  return String.fromCharCode(firstMark + byte);
}

/** Where a marked byte is, in a message. Lines and columns are counted from 1; a column is a character. */
function describe(mark: string, place: string): string {
  const byte = mark.charCodeAt(0) - firstMark;
  const shown = byte >= 0x80 && byte <= 0xff ? ` (0x${byte.toString(16)})` : '';
  return `a byte that is not text in the encoding of the file${shown}${place}`;
}

/** The marked bytes of a text, in their order. */
export function badBytes(text: string): RegExpExecArray[] {
  return [...text.matchAll(lone)];
}

/** Why a book has a byte that is not text; `undefined` if it has none. */
export function findBadField(book: BookFields): string | undefined {
  const name = textFields.find((each) => !book[each].isWellFormed());
  return name === undefined ? undefined : `its ${name} has ${describeBadByte(book[name], 0)}`;
}

/** The number of marked bytes in a text. */
export function countBadBytes(text: string): number {
  return text.isWellFormed() ? 0 : (text.match(lone)?.length ?? 0);
}

/**
 * Describes a marked byte of a row.
 *
 * @param at Which one of them, counted from 0.
 * @param line The line where the row starts; `undefined` if lines are not counted.
 */
export function describeBadByte(raw: string, at: number, line?: number): string {
  const found = badBytes(raw)[at];
  if (found === undefined || line === undefined) return describe(found?.[0] ?? '', '');
  const lines = raw.slice(0, found.index).split(/\r\n|\n|\r/);
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  return describe(found[0], `: line ${line + lines.length - 1}, column ${column}`);
}
