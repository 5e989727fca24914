import { ShelflistError } from './errors.ts';

/** What a user says of a book. `year` is any integer from -(2^53-1) to 2^53-1; text is any Unicode string. */
export interface BookFields {
  title: string;
  author: string;
  year: number;
}

/** A stored book. `id` is assigned by the service: 1, 2, 3, …, never used twice, at most 2^53-1. */
export interface Book extends BookFields {
  id: number;
}

/** The fields that an update names; the others keep their stored value. */
export type BookPatch = Partial<BookFields>;

/**
 * Reads book fields from untrusted JSON: a plain object whose `title` and `author` are strings and whose
 * `year` is an integer, each of them optional (`undefined` is as good as missing); every other member is
 * ignored, `id` among them.
 *
 * @throws {ShelflistError} `invalid_input`, naming the field.
 */
export function parseBookPatch(value: unknown): BookPatch {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('a book is a JSON object with title, author and year');
  }
  const patch: BookPatch = {};
  const { title, author, year } = value as Record<string, unknown>;
  if (title !== undefined) patch.title = parseText('title', title);
  if (author !== undefined) patch.author = parseText('author', author);
  if (year !== undefined) patch.year = parseYear(year);
  return patch;
}

/** Reads the fields of a new book: those that are missing get the empty value of their type (`''`, `0`). */
export function parseBookFields(value: unknown): BookFields {
  return { title: '', author: '', year: 0, ...parseBookPatch(value) };
}

/** A lone surrogate is no Unicode text: neither UTF-8 nor a store could carry it unaltered. */
function parseText(field: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(`${field} is not a string`);
  if (!value.isWellFormed()) throw invalid(`${field} is not Unicode text: it holds half a surrogate pair`);
  return value;
}

function parseYear(value: unknown): number {
  if (!isYear(value)) throw invalid('year is not an integer from -(2^53-1) to 2^53-1');
  return value + 0; // -0 + 0 is 0: JSON has no other zero.
}

function invalid(message: string): ShelflistError {
  return new ShelflistError('invalid_input', { message });
}

/** Reads an id as it stands in a path: canonical decimal from 1 to 2^53-1 (`7`, not `07`, `+7` or `7.0`). */
export function parseId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}

/** A book from outside (a store's record, a server's answer), with a book's four members only; else `undefined`. */
export function toBook(value: unknown): Book | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, title, author, year } = value as Record<string, unknown>;
  if (!isId(id) || typeof title !== 'string' || typeof author !== 'string' || !isYear(year)) return undefined;
  return { id, title, author, year };
}

/** Whether a value can be a book's id. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isYear(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
