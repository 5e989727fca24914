import type { Exchange } from './transport.ts';

/** What must hold for a write to be done. */
export interface WriteCondition {
  /** The tag of the book, which must still have the contents that go with it. */
  ifMatch?: string;
}

/** `*`, or entity tags with commas between (RFC 9110, section 13.1.1). */
const tags = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e]*")*)$/;

/**
 * The header of a condition.
 *
 * @throws {TypeError} It is not a condition, or has an unknown member: without it, the write would be done anyway.
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

/** The header of a request for a book that a client already has. @throws {TypeError} It is not a tag. */
export function ifNoneMatch(tag: string): Pick<Exchange, 'conditions'> {
  return { conditions: { 'If-None-Match': checkTag('tag', tag) } };
}

function checkTag(name: string, tag: unknown): string {
  if (typeof tag === 'string' && tags.test(tag)) return tag;
  throw new TypeError(`${name}: expected a tag as getTagged() gives it, in double quotes`);
}
