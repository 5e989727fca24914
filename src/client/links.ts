import { unexpected } from './answers.ts';

/**
 * The cursor of the next page in the `Link` header of a page; `undefined` on the last page. The rest of the link is ignored,
 * because a response must not decide where the next request goes.
 *
 * @throws {ShelflistError} `bad_response`: the link to the next page has no cursor.
 */
export function findNextCursor(header: string | null): string | undefined {
  const [, target] = /<([^<>]*)>\s*;\s*rel="?next"?\s*(?:[,;]|$)/i.exec(header ?? '') ?? [];
  if (target === undefined) return undefined;
  const cursor = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(target)?.[1]).get('after');
  if (cursor) return cursor;
  throw unexpected('the cursor of the next page');
}
