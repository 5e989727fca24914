import type { Book } from '../../catalogue/book.ts';
import type { ReadRecord } from '../parsed-book.ts';
import { exactCopy, needsExactCopy } from '../write/exact.ts';
import { isObject, readPlainItem, writePlainItem, type Json } from './plain-item.ts';

/** Whether a JSON value is an item of CSL-JSON: it has a type, and authors with parts or a date with parts. */
export function isCslItem(value: unknown): value is Json {
  if (!isObject(value) || typeof value.type !== 'string') return false;
  const { author, issued } = value;
  return isObject(issued) || (Array.isArray(author) && author.length > 0 && author.every(isName));
}

const isName = (value: unknown) =>
  isObject(value) && ['family', 'given', 'literal'].some((part) => part in value);

/** Reads an item of CSL-JSON (https://github.com/citation-style-language/schema), as Zotero and pandoc write it. */
export function readCslItem(item: Json): ReadRecord {
  const plain = readPlainItem(item);
  const { shelflist } = isObject(item.custom) ? item.custom : {};
  const exact = exactCopy(shelflist, plain, (book) => readPlainItem(writePlainItem(book)));
  return exact === undefined ? plain : { fields: exact };
}

/**
 * A book as an item of CSL-JSON. Where reading it back would not give the same book, because of a line break or a name that
 * splits in another way, `custom` has an exact copy.
 */
export function writeCslItem(book: Book): object {
  const plain = writePlainItem(book);
  const copy = needsExactCopy(book, readPlainItem(plain));
  return { id: book.id, ...plain, ...(copy !== undefined && { custom: { shelflist: copy } }) };
}
