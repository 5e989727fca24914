import type { Exchange } from './transport.ts';

/** The condition of a write. */
export interface WriteCondition {
  /** A tag of the book: the write is done only if the book still has the contents of that tag. */
  ifMatch?: string;
}

/** `*`, or comma-separated entity tags (RFC 9110, section 13.1.1). */
const tags = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e]*")*)$/;

/**
 * Makes the `If-Match` header of a condition.
 *
 * @throws {TypeError} It is not a condition, or has an unknown member: the write would be done unconditionally.
 */
export function ifMatch(condition: WriteCondition | undefined): Pick<Exchange, 'conditions'> {
  if (condition === undefined) return {};
  if (typeof condition !== 'object' || condition === (null as unknown))
    throw new TypeError('condition: expected an object such as { ifMatch: tag }');
  const unknown = Object.keys(condition).find((name) => name !== 'ifMatch');
  if (unknown !== undefined) throw new TypeError(`condition.${unknown}: there is no such member`);
  if (condition.ifMatch === undefined) return {};
  return { conditions: { 'If-Match': checkTag('condition.ifMatch', condition.ifMatch) } };
}

/** Makes the `If-None-Match` header of a tag. @throws {TypeError} It is not a tag. */
export function ifNoneMatch(tag: string): Pick<Exchange, 'conditions'> {
  return { conditions: { 'If-None-Match': checkTag('tag', tag) } };
}

function checkTag(name: string, tag: unknown): string {
  if (typeof tag === 'string' && tags.test(tag)) return tag;
  throw new TypeError(`${name}: expected a tag as getTagged() gives it, in double quotes`);
}
