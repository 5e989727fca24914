import { fillFields, type BookFields } from '../../catalogue/book.ts';
import { noTitle, type ReadRecord } from '../parsed-book.ts';
import { joinAuthors, splitAuthors } from '../text/names.ts';
import { oneLine } from '../text/title.ts';
import { yearOf } from '../text/year.ts';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members that any program reads. */
export function writePlainItem({ title, author, year }: BookFields): Record<string, unknown> {
  const names = splitAuthors(author);
  return {
    type: 'book',
    title,
    ...(names.length > 0 && { author: names }),
    ...(year !== 0 && { issued: { 'date-parts': [[year]] } }),
  };
}

/** Reads the members that any program writes. */
export function readPlainItem(item: Json): ReadRecord {
  const { title, author, editor, issued } = item;
  if (typeof title !== 'string') return { reason: noTitle };
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
