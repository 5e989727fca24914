import type { Book, BookFields } from '../catalogue/book.ts';
import { type FieldName, fieldNames } from '../catalogue/fields.ts';
import { exactCopy, needsExactCopy, noTitle, type ReadRecord } from './record.ts';
import { joinAuthors, splitAuthors } from './author-names.ts';
import { oneLine, withoutSortMarks, yearOf } from './text.ts';

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

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of each field that any program reads. */
const plainMembers: Readonly<Record<FieldName, (book: BookFields) => object>> = {
  title: ({ title }) => ({ title }),
  author({ author }) {
    const names = splitAuthors(author);
    return names.length > 0 ? { author: names } : {};
  },
  year: ({ year }) => (year === 0 ? {} : { issued: { 'date-parts': [[year]] } }),
};

function writePlainItem(book: BookFields): Json {
  return Object.assign({ type: 'book' }, ...fieldNames.map((name) => plainMembers[name](book))) as Json;
}

/** Reads the members that any program writes. */
function readPlainItem(item: Json): ReadRecord {
  const { title, author, editor, issued } = item;
  if (typeof title !== 'string') return { problem: noTitle };
  const fields = {
    title: withoutSortMarks(oneLine(title.replace(markup, ''))),
    author: joinAuthors(namesOf(author)) || joinAuthors(namesOf(editor)),
    year: readDate(issued),
  };
  return { fields };
}

/** The tags that an item may contain for rich text. */
const markup = /<\/?(?:i|b|sub|sup|sc|span)(?:\s[^<>]*)?>/g;

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isObject).map(naturalName) : [];
}

const nameParts = ['given', 'dropping-particle', 'non-dropping-particle', 'family', 'suffix'] as const;

function naturalName(name: Json): string {
  if (typeof name.literal === 'string') return name.literal;
  return nameParts
    .map((part) => name[part])
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}

function readDate(date: unknown): number {
  if (!isObject(date)) return yearOfValue(date);
  const parts: unknown = date['date-parts'];
  const start: unknown = Array.isArray(parts) ? parts[0] : undefined;
  const year: unknown = Array.isArray(start) ? start[0] : undefined;
  const isGiven = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  return yearOfValue([year, date.raw, date.literal].find(isGiven));
}

function yearOfValue(value: unknown): number {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : 0;
  return typeof value === 'string' ? yearOf(value) : 0;
}
