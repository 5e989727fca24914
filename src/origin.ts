/**
 * Whether it is the origin of web pages as a browser sends it (RFC 6454): `https://books.example:8443`. A `*` in it
 * would be a part of a name, which nobody means.
 */
export function isOrigin(text: unknown): boolean {
  if (typeof text !== 'string' || !/^https?:\/\/[^*]+$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}
