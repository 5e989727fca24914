import { createHash } from 'node:crypto';
import type { AuthorsParameters } from './queries.ts';
import { isId } from '../catalogue/book.ts';
import type { DuplicateLevel } from '../catalogue/duplicate-levels.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { indexedTexts } from '../catalogue/fields.ts';
import { foldWords } from '../catalogue/fold.ts';
import { textKey, type KeysetPosition, type OrderKey } from '../catalogue/keyset-position.ts';
import type { BookFilter } from '../catalogue/query.ts';

/** A position as text for a URL, valid for one query. Only {@link parseCursor} reads it. */
export function formatCursor(filter: BookFilter, { key, id, order, parts }: KeysetPosition): string {
  const names = parts !== undefined ? [order ?? null, parts] : order !== undefined ? [order] : [];
  return Buffer.from(JSON.stringify([fingerprint(filter), key, id, ...names])).toString('base64url');
}

/** @throws {ShelflistError} `invalid_query`: the text is not a cursor, or is that of another query. */
export function parseCursor(filter: BookFilter, text: string): KeysetPosition {
  const position = readPosition(filter, text);
  // A cursor has one spelling.
  if (position !== undefined && formatCursor(filter, position) === text) return position;
  throw notThisQuery();
}

function readPosition(filter: BookFilter, text: string): KeysetPosition | undefined {
  const [, key, id, order, parts] = readArray(text);
  if (!isId(id) || !isKey(filter, key, id)) return undefined;
  return {
    key,
    id,
    ...((isByText(filter) || filter.best !== undefined) && typeof order === 'string' && { order }),
    ...(typeof parts === 'string' && { parts }),
  };
}

function isKey(filter: BookFilter, key: unknown, id: number): key is OrderKey {
  if (isByText(filter)) return typeof key === 'string' && textKey(key) === key;
  return filter.best === undefined && filter.sort === 'id' ? key === id : Number.isSafeInteger(key);
}

function isByText({ sort }: BookFilter): boolean {
  return indexedTexts.some((name) => name === sort);
}

function fingerprint(filter: BookFilter): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 11);
}

/** The position after a group as text for a URL, valid for one level. Only {@link parseGroupCursor} reads it. */
export function formatGroupCursor(level: DuplicateLevel, firstId: number): string {
  return Buffer.from(JSON.stringify([level, firstId])).toString('base64url');
}

/** @throws {ShelflistError} `invalid_query`: the text is not a cursor, or is that of another level. */
export function parseGroupCursor(level: DuplicateLevel, text: string): number {
  const [, id] = readArray(text);
  // A cursor has one spelling.
  if (isId(id) && formatGroupCursor(level, id) === text) return id;
  throw notThisQuery();
}

function readArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function notThisQuery(): ShelflistError {
  return new ShelflistError('invalid_query', {
    message: '"after" is not a cursor of this query; take it from the Link of the previous page',
  });
}

/** Where a page of authors ends: the key of its last author, and the number of books if that is the order. */
export interface AuthorPosition {
  readonly key: string;
  readonly count?: number | undefined;
}

/** The position after an author as text for a URL, valid for one query. Only {@link parseAuthorCursor} reads it. */
export function formatAuthorCursor(query: AuthorsParameters, { key, count }: AuthorPosition): string {
  const { q = '', sort = 'author', variants = false } = query;
  const selection = createHash('sha256').update(JSON.stringify([foldWords(q), sort, variants]));
  const parts = [selection.digest('base64url').slice(0, 11), key, ...(count === undefined ? [] : [count])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws {ShelflistError} `invalid_query`: the text is not a cursor, or is that of another query. */
export function parseAuthorCursor(query: AuthorsParameters, text: string): AuthorPosition {
  const [, key, count] = readArray(text);
  const isByCount = query.variants !== true && /^-?count$/.test(query.sort ?? '');
  if (typeof key === 'string' && (isByCount ? isId(count) : count === undefined)) {
    const position = { key, count: isId(count) ? count : undefined };
    // A cursor has one spelling.
    if (formatAuthorCursor(query, position) === text) return position;
  }
  throw notThisQuery();
}
