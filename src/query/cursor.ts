import { createHash } from 'node:crypto';
import { isId } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { textKey, type Position } from './position.ts';
import type { Condition } from './query.ts';

/** A position as text for a URL, bound to the query that it is a position of. Only {@link parseCursor} can read it. */
export function formatCursor(condition: Condition, { key, id }: Position): string {
  return Buffer.from(JSON.stringify([fingerprint(condition), key, id])).toString('base64url');
}

/** @throws {ShelflistError} `invalid_query`: it is no cursor, or one of another query. */
export function parseCursor(condition: Condition, text: string): Position {
  const position = readPosition(condition, text);
  // Only what this very function's counterpart has written: no second spelling.
  if (position !== undefined && formatCursor(condition, position) === text) return position;
  throw new ShelflistError('invalid_query', {
    message: '"after" is no cursor of this query; take it from the Link of the page before',
  });
}

function readPosition({ sort }: Condition, text: string): Position | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const [, key, id] = Array.isArray(value) ? (value as unknown[]) : [];
  if (!isId(id)) return undefined;
  if (sort === 'title' || sort === 'author')
    return typeof key === 'string' && textKey(key) === key ? { key, id } : undefined;
  const isKey = sort === 'id' ? key === id : Number.isSafeInteger(key);
  return isKey ? { key: key as number, id } : undefined;
}

function fingerprint(condition: Condition): string {
  return createHash('sha256').update(JSON.stringify(condition)).digest('base64url').slice(0, 11);
}
