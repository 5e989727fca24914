import type { BookFields, BookPatch } from '../../src/index.ts';

/**
 * What a body says, read again in the plainest way from the specification: numbers are doubles, as JSON's are wherever it
 * is read (RFC 8259, section 6), and of two members of one name the last one counts.
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

/** The fields that a JSON value names, if it is a book's; of a book only its own members count. */
export function patchOf(json: { value: unknown } | undefined): BookPatch | undefined {
  const value = json?.value;
  if (Object.prototype.toString.call(value) !== '[object Object]') return undefined;
  const members = new Map<string, unknown>(Object.entries(value as object));
  const patch: BookPatch = {};
  for (const name of ['title', 'author'] as const) {
    if (!members.has(name)) continue;
    const text = members.get(name);
    if (typeof text !== 'string' || /\p{Surrogate}/u.test(text)) return undefined;
    patch[name] = text;
  }
  if (!members.has('year')) return patch;
  const year = members.get('year');
  if (typeof year !== 'number' || year % 1 !== 0 || Math.abs(year) >= 2 ** 53) return undefined;
  return { ...patch, year: year === 0 ? 0 : year };
}

export function bookOf(json: { value: unknown } | undefined): BookFields | undefined {
  const patch = patchOf(json);
  return patch && { title: '', author: '', year: 0, ...patch };
}

/** Whether a JSON value names a user and a password. */
export function isLogin(json: { value: unknown } | undefined): boolean {
  const value = json?.value;
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return typeof members.get('username') === 'string' && typeof members.get('password') === 'string';
}
