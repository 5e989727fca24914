import { type Book, type BookFields, fillFields } from '../catalogue/book.ts';
import { exactCopy, needsExactCopy, noTitle, type ReadRecord } from './record.ts';
import { joinAuthors, oneLine, splitAuthors, yearOf } from './text.ts';

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

type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members that any program reads. */
function writePlainItem({ title, author, year }: BookFields): Record<string, unknown> {
  const names = splitAuthors(author);
  return {
    type: 'book',
    title,
    ...(names.length > 0 && { author: names }),
    ...(year !== 0 && { issued: { 'date-parts': [[year]] } }),
  };
}

/** Reads the members that any program writes. */
function readPlainItem(item: Json): ReadRecord {
  const { title, author, editor, issued } = item;
  if (typeof title !== 'string') return { problem: noTitle };
  const fields = fillFields({
    title: oneLine(title.replace(markup, '')),
    author: joinAuthors(namesOf(author)) || joinAuthors(namesOf(editor)),
    year: readDate(issued),
  });
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
  if (typeof date === 'string' || typeof date === 'number') return yearOf(String(date));
  if (!isObject(date)) return 0;
  const parts: unknown = date['date-parts'];
  const start: unknown = Array.isArray(parts) ? parts[0] : undefined;
  const year: unknown = Array.isArray(start) ? start[0] : undefined;
  const written = [year, date.raw, date.literal].find(
    (value) => typeof value === 'number' || typeof value === 'string',
  );
  return written === undefined ? 0 : yearOf(String(written));
}
