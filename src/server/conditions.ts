import type { IncomingHttpHeaders } from 'node:http';
import { ShelflistError } from '../errors.ts';

/** What a request demands of the state of what it is about: `If-Match` and `If-None-Match` (RFC 9110, section 13). */
export interface Conditions {
  /**
   * Whether a GET is answered with nothing but the tag: the client has this state.
   *
   * @throws {ShelflistError} `precondition_failed`.
   */
  isKnown(tag: string): boolean;
  /**
   * Lets a write go on; gives whether it is meant for this very state, which must not change before it.
   *
   * @param tag `undefined` if there is nothing.
   * @throws {ShelflistError} `precondition_failed`.
   */
  check(tag: string | undefined): boolean;
  /** Whether there are any. */
  readonly areGiven: boolean;
}

const none: Conditions = { areGiven: false, check: () => false, isKnown: () => false };

export function readConditions(headers: IncomingHttpHeaders): Conditions {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return none;
  const wanted = match === undefined ? undefined : parseTags(match);
  const unwanted =
    noneMatch === undefined ? undefined : parseTags(noneMatch).map((each) => each.replace(/^W\//, ''));
  const refuseOther = (tag: string | undefined) => {
    // Weak tags are equal to none here (section 8.8.3.2); ours are strong.
    if (wanted !== undefined && !includes(wanted, tag)) throw new ShelflistError('precondition_failed');
  };
  const isUnwanted = (tag: string | undefined) => unwanted !== undefined && includes(unwanted, tag);
  return {
    areGiven: true,
    check(tag) {
      refuseOther(tag);
      if (isUnwanted(tag)) throw new ShelflistError('precondition_failed');
      return [...(wanted ?? []), ...(unwanted ?? [])].some((each) => each !== '*');
    },
    isKnown(tag) {
      refuseOther(tag);
      return isUnwanted(tag);
    },
  };
}

/** The tags of a list, or its `*`; what is malformed holds none, and so equals nothing. */
function parseTags(text: string): string[] {
  const list =
    /^[\t ,]*(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)[\t ,]*$/;
  if (!list.test(text)) return [];
  return text.match(/\*|(?:W\/)?"[^"]*"/g) ?? [];
}

function includes(tags: readonly string[], tag: string | undefined): boolean {
  return tag !== undefined && (tags.includes(tag) || tags.includes('*'));
}

/** A tag from a text of letters, digits and `-._`. */
export function quote(text: string): string {
  return `"${text}"`;
}
