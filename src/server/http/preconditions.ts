import type { IncomingHttpHeaders } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';

/** `If-Match` and `If-None-Match` of a request (RFC 9110, section 13). */
export interface Preconditions {
  readonly hasPreconditions: boolean;
  /**
   * Whether the client already has the state with this tag, so that a GET is answered with 304.
   *
   * @throws {ShelflistError} `precondition_failed`.
   */
  isNotModified(tag: string): boolean;
  /**
   * Passes a write if the preconditions hold. Returns whether they name a particular state, which must not change before the
   * write.
   *
   * @param tag `undefined` if the book does not exist.
   * @throws {ShelflistError} `precondition_failed`.
   */
  check(tag: string | undefined): boolean;
}

const none: Preconditions = { hasPreconditions: false, check: () => false, isNotModified: () => false };

export function readPreconditions(headers: IncomingHttpHeaders): Preconditions {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return none;
  const wanted = match === undefined ? undefined : parseTags(match);
  const unwanted = parseTags(noneMatch ?? '').map(withoutWeak);
  const refuseOther = (tag: string | undefined) => {
    // Weak tags never match here (section 8.8.3.2).
    if (wanted !== undefined && !includes(wanted, tag, isStrong(tag)))
      throw new ShelflistError('precondition_failed');
  };
  return {
    hasPreconditions: true,
    check(tag) {
      refuseOther(tag);
      if (includes(unwanted, tag)) throw new ShelflistError('precondition_failed');
      return [...(wanted ?? []), ...unwanted].some((each) => each !== '*');
    },
    isNotModified(tag) {
      refuseOther(tag);
      return includes(unwanted, tag);
    },
  };
}

/** The tags of a list, or its `*`. A malformed list is empty, so it matches nothing. */
function parseTags(text: string): string[] {
  const list =
    /^[\t ,]*(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)[\t ,]*$/;
  if (!list.test(text)) return [];
  return text.match(/\*|(?:W\/)?"[^"]*"/g) ?? [];
}

function includes(tags: readonly string[], tag: string | undefined, isComparable = true): boolean {
  return tag !== undefined && (tags.includes('*') || (isComparable && tags.includes(withoutWeak(tag))));
}

function isStrong(tag: string | undefined): boolean {
  return tag?.startsWith('W/') === false;
}

function withoutWeak(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** A weak tag: responses with the same tag may differ by concurrent writes. */
export function quoteWeak(text: string): string {
  return `W/${quote(text)}`;
}

/** A tag from a text of letters, digits and `-._`. */
export function quote(text: string): string {
  return `"${text}"`;
}
