import { isId } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import type { DuplicateLevel } from './duplicates.ts';

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
