import { createHash } from 'node:crypto';
import { isId } from './book.ts';
import type { DuplicateLevel } from './duplicates.ts';
import { ShelflistError } from './errors.ts';
import { indexedTexts } from './fields.ts';
import { textKey, type KeysetPosition } from './keyset-position.ts';
import type { BookFilter } from './query.ts';

/** A position as text for a URL, valid for one query. Only {@link parseCursor} reads it. */
export function formatCursor(filter: BookFilter, { key, id }: KeysetPosition): string {
  return Buffer.from(JSON.stringify([fingerprint(filter), key, id])).toString('base64url');
}

/** @throws {ShelflistError} `invalid_query`: the text is not a cursor, or is that of another query. */
export function parseCursor(filter: BookFilter, text: string): KeysetPosition {
  const position = readPosition(filter, text);
  // A cursor has one spelling.
  if (position !== undefined && formatCursor(filter, position) === text) return position;
  throw new ShelflistError('invalid_query', {
    message: '"after" is not a cursor of this query; take it from the Link of the previous page',
  });
}

function readPosition({ sort }: BookFilter, text: string): KeysetPosition | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const [, key, id] = Array.isArray(value) ? (value as unknown[]) : [];
  if (!isId(id)) return undefined;
  if (indexedTexts.some((name) => name === sort))
    return typeof key === 'string' && textKey(key) === key ? { key, id } : undefined;
  const isKey = sort === 'id' ? key === id : Number.isSafeInteger(key);
  return isKey ? { key: key as number, id } : undefined;
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
  const id = readId(text);
  // A cursor has one spelling.
  if (isId(id) && formatGroupCursor(level, id) === text) return id;
  throw new ShelflistError('invalid_query', {
    message: '"after" is not a cursor of this query; take it from the Link of the previous page',
  });
}

function readId(text: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value[1] : undefined;
  } catch {
    return undefined;
  }
}
