import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import { mapFields, fieldNames, type BookFields } from '../catalogue/fields.ts';

/**
 * A digest of a book, for the column `revision` of an export: 12 hexadecimal digits. Line breaks of all kinds are
 * equal, because spreadsheet programs replace them.
 */
export function digestOf(book: BookFields): string {
  const text = JSON.stringify(fieldNames.map((name) => withLineFeeds(book[name])));
  return bytesToHex(sha256(text)).slice(0, 12);
}

/**
 * A revision as it is written: a letter before the digest keeps spreadsheet programs from reading a number.
 *
 * @param isEscaped Whether the texts of the row are escaped: then the letter is `x`, else `r`.
 */
export function formatRevision(book: BookFields, isEscaped: boolean): string {
  return (isEscaped ? 'x' : 'r') + digestOf(book);
}

/** The digest of a revision; `undefined` if it is not a revision. */
export function parseRevision(text: string): string | undefined {
  return /^[rx]([0-9a-f]{12})$/.exec(text.trim())?.[1];
}

/** The fields whose values differ, apart from the kind of line breaks. */
export function changedFields(before: BookFields, after: BookFields): Partial<BookFields> {
  const changed = fieldNames.filter((name) => withLineFeeds(before[name]) !== withLineFeeds(after[name]));
  return mapFields(changed, (name) => after[name]) as Partial<BookFields>;
}

function withLineFeeds(value: string | number): string | number {
  return typeof value === 'string' && value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value;
}
