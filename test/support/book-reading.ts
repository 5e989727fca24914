import { fieldNames, fields } from '../../src/catalogue/fields.ts';
import type { BookFields, BookPatch } from '../../src/index.ts';
import { emptyBook } from './books.ts';

/**
 * A second, simple implementation of the specification for bodies: numbers are doubles, as in all JSON parsers (RFC 8259,
 * section 6), and of two members with the same name the last one counts.
 */
export function jsonOf(body: Uint8Array | string): { value: unknown } | undefined {
  try {
    const text =
      typeof body === 'string'
        ? body
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The fields of a book that a JSON value has. Only its own members count. */
export function patchOf(json: { value: unknown } | undefined): BookPatch | undefined {
  const value = json?.value;
  if (Object.prototype.toString.call(value) !== '[object Object]') return undefined;
  const members = new Map<string, unknown>(Object.entries(value as object));
  const patch: BookPatch = {};
  for (const name of fieldNames) {
    if (!members.has(name)) continue;
    const given = members.get(name);
    if (!(fields[name].type === 'integer' ? isInteger(given) : isText(given))) return undefined;
    Object.assign(patch, { [name]: given === 0 ? 0 : given });
  }
  return patch;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}

function isInteger(value: unknown): boolean {
  return typeof value === 'number' && value % 1 === 0 && Math.abs(value) < 2 ** 53;
}

/** The book that a JSON value describes, if it is a book. Missing fields are empty. */
export function readBook(json: { value: unknown } | undefined): BookFields | undefined {
  const patch = patchOf(json);
  return patch && { ...emptyBook, ...patch };
}

/** Whether a JSON value is a login. */
export function isLogin(json: { value: unknown } | undefined): boolean {
  const value = json?.value;
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return typeof members.get('username') === 'string' && typeof members.get('password') === 'string';
}
